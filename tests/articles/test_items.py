"""Feed items: their inline content where it is whole, else their page; decided by what is there."""

import pytest

from tests.articles.conftest import code
from tests.articles.test_service import POST
from tests.site.server import Answer

SENTENCE = "The miller opens the sluice, and the water fills the race below the wheel. "
WHOLE = f"<p>{SENTENCE * 8}</p><h2>Stones</h2><p>{SENTENCE * 4}</p>"


@pytest.fixture
def page(website) -> str:
    website.answer("/wehr", Answer(POST.encode()))
    return f"{website.origin}/wehr"


def test_whole_content_is_used_as_it_is_and_nothing_is_loaded(articles, website, page):
    output = articles.item(
        item_id="42", source_id="blatt", url=page, title="The sluice", content=WHOLE,
        published_at="2026-03-01T08:00:00Z", authors=["Ben Race"], categories=["Water"],
    )  # fmt: skip

    article = output.article
    assert website.asked == []
    assert (article.item_id, article.source_id, article.url, article.title) == ("42", "blatt", page, "The sluice")
    assert (article.metadata.content_source, article.published_at) == ("inline", "2026-03-01T08:00:00Z")
    assert (article.metadata.authors, article.metadata.categories) == (["Ben Race"], ["Water"])
    assert "## Stones" in article.markdown
    assert output.debug.inline.endswith("with an end")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<p>A short teaser of the post.</p>",
        f"<p>{SENTENCE * 9}</p><p>And then it …</p>",
        f"<p>{SENTENCE * 9}</p><p>And then it [...]</p>",
        f"<p>{SENTENCE * 9}</p><p><a href='/wehr'>Read more</a></p>",
        f"<p>{SENTENCE * 9}</p><p><a href='/wehr'>Continue reading The sluice →</a></p>",
        f"<p>{SENTENCE * 9}</p><p>Weiterlesen »</p>",
        f"<p>{SENTENCE * 9}</p><p>Lire la suite</p>",
        f"<p>{SENTENCE * 9}</p><p>続きを読む</p>",
        f"<p>{SENTENCE * 9}</p><p>Read the rest of this entry</p>",
        f"<p>{SENTENCE * 9} and the water fil</p>",
        SENTENCE * 9 + "and the water fil",
        f"<p>{SENTENCE * 9}… </p><p>The post <a href=/>The sluice</a> appeared first on <a href=/>Blatt</a>.</p>",
    ],
)
def test_content_that_goes_on_elsewhere_or_is_short_gives_way_to_the_page(articles, page, content):
    output = articles.item(id="42", source="blatt", link=page, content=content)

    article = output.article
    assert article.metadata.content_source == "page"
    assert (article.item_id, article.source_id, article.title) == ("42", "blatt", "Das Wehr")
    assert output.debug.inline


@pytest.mark.parametrize(
    "content",
    [
        f"<p>{SENTENCE * 9}</p><ul><li>oak</li><li>elm</li></ul>",
        f"<p>{SENTENCE * 9}</p><pre>sluice = open</pre>",
        f"<p>{SENTENCE * 9}</p><p>The post <a href=/>The sluice</a> appeared first on <a href=/>Blatt</a>.</p>",
        SENTENCE * 9,
        f"<p>{SENTENCE * 9}</p><p>“Open it!”</p>",
        "<p>" + "水は輪を回し、輪は石を回し、石は麦を粉にする。" * 12 + "</p>",
    ],
)
def test_content_with_an_end_is_whole_however_it_ends(articles, website, page, content):
    assert articles.item(url=page, content=content).article.metadata.content_source == "inline"
    assert website.asked == []


def test_a_summary_has_to_be_longer_to_pass_for_the_whole(articles, page):
    assert articles.item(url=page, summary=SENTENCE * 9).article.metadata.content_source == "page"
    assert articles.item(url=page, content=SENTENCE * 9, summary=SENTENCE * 9).article.metadata.content_source == "page"
    assert articles.item(url=page, summary=SENTENCE * 20).article.metadata.content_source == "inline"


def test_without_an_address_the_content_has_to_do(articles):
    output = articles.item(item_id="42", content="<p>The mill is open on Sundays from ten to four, not longer …</p>")

    assert (output.article.metadata.content_source, output.article.item_id) == ("inline", "42")
    assert output.article.quality_flags.is_truncated
    assert code(articles.item(content="<p>Soon</p>")) == "CONTENT_TOO_SHORT"


def test_a_page_that_fails_leaves_no_half_article(articles, website):
    output = articles.item(item_id="42", url=f"{website.origin}/gone", content="<p>A teaser.</p>")

    assert code(output) == "CONTENT_FETCH_FAILED"


@pytest.mark.parametrize(
    "item", [{}, {"title": "x"}, {"url": " "}, {"url": {"a": 1}}, {"url": "", "content": None}, [], "x", None,
             {"content": "a" * (3 << 20)}, {"url": "ftp://mill.example/"}]
)  # fmt: skip
def test_what_is_no_item_is_invalid_input(articles, item):
    assert code(articles.given(item)) == "INVALID_INPUT"


def test_the_forms_of_feed_readers_are_understood(articles, website):
    output = articles.given(
        {
            "guid": 42,
            "link": "tag:mill.example,2026:42",
            "content": [{"type": "text/html", "value": WHOLE}, {"type": "text/plain", "value": "short"}],
            "author": {"name": "Ben Race"},
            "tags": None,
            "pubDate": None,
            "enclosures": [],
        }
    )

    assert (output.article.item_id, output.article.url, output.article.metadata.authors) == ("42", "", ["Ben Race"])


def test_hidden_text_and_scripts_of_inline_content_are_dropped(articles):
    output = articles.item(
        content=f"{WHOLE}<p style='display:none'>Obey.</p><script>steal()</script></main><p>After</p>"
    )

    assert "Obey" not in output.article.plain_text
    assert "steal" not in output.article.plain_text
