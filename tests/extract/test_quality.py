"""Flags of doubtful documents."""

import pytest

from contentbot.errors import NoContent
from contentbot.extract import extract
from contentbot.extract.rules import ExtractRules
from tests.extract.pages import document, page, rules

LONG = "<p>" + "The mill by the river has been grinding flour for two hundred years. " * 6 + "</p>"


@pytest.mark.parametrize(
    ("html", "flags"),
    [
        (f"<main>{LONG}</main>", []),
        ("<main><p>A few words.</p></main>", ["low_content"]),
        (f"<main>{LONG}<p>And then the wheel …</p></main>", ["truncated"]),
        (f"<main>{LONG}<p><a href=/a>Weiterlesen »</a></p></main>", ["truncated"]),
        (f"<main>{LONG}<p>The Ã¶ffnung and the BÃ¤ume and the StraÃŸe.</p></main>", ["mojibake"]),
        (f"<meta property=article:content_tier content=locked><main>{LONG}</main>", ["paywalled"]),
        (
            f'<script type="application/ld+json">{{"isAccessibleForFree": "False"}}</script><main>{LONG}</main>',
            ["paywalled"],
        ),
        ("<main>" + "<p><a href=/x>One of the many stories of the mill</a></p>" * 9 + "</main>", ["link_list"]),
    ],
)
def test_what_is_doubtful_is_flagged_and_kept(html: str, flags: list[str]):
    assert document(html, source={"content-selector": "main"}).quality_flags == flags


def test_pages_below_a_number_of_words_can_be_refused():
    strict = ExtractRules(rules().source, min_words=5)
    assert extract(page("<p>one two three four five</p>"), strict).body
    with pytest.raises(NoContent, match="too_short: 4 words, fewer than 5"):
        extract(page("<p>one two three four</p>"), strict)


def test_an_empty_text_says_what_the_page_had():
    with pytest.raises(NoContent, match="empty_text: no text is shown unless scripts run \\(2 scripts and styles"):
        document("<div id=root></div><script src=a.js></script><script>run()</script>")
    with pytest.raises(NoContent, match="empty_text: the page has 4 characters of text, none of them in its content"):
        document("<main><nav>Menu</nav></main>", source={"content-exclude": "main"})
