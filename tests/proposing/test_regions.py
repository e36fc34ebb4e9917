import pytest

from contentbot.extract.hidden import remove_invisible
from contentbot.extract.html import parse_html
from contentbot.extract.rules import Limits
from contentbot.proposing.regions import Found, find_content

SUBJECTS = ("wheel", "sluice", "hopper", "stone", "granary", "weir")


def text(subject: str, sentences: int = 6) -> str:
    return "".join(
        f"<p>The {subject} of the mill is number {number} of its kind, and the {subject} has a long story to tell.</p>"
        for number in range(sentences)
    )


def found(form: str) -> Found:
    trees = []
    for subject in SUBJECTS:
        body = form.replace("TEXT", text(subject)).replace("TITLE", f"On the {subject}").replace("NAME", subject)
        tree = parse_html(f"<html><body>{body}</body></html>", Limits())
        remove_invisible(tree)
        trees.append(tree)
    return find_content(trees)


FRAME = "<header><a href='/'>Mill</a><p>We have ground flour in the valley since the year 1702.</p></header>"
SHARE = "<p>Share this page with all of your friends.</p>"
FOOT = "<footer><p>All rights reserved by the museum of the mill, which is open on Sundays.</p></footer>"


@pytest.mark.parametrize(
    ("form", "selector"),
    [
        (f"{FRAME}<main><h1>TITLE</h1><div class='prose mt-4'>TEXT</div>{SHARE}</main>", "div.prose"),
        (f"{FRAME}<main><article>TEXT</article><p>Read what the museum has to tell.</p></main>", "article"),
        (f"{FRAME}<div id='content' class='w-full p-4'><h1>TITLE</h1>TEXT</div>{FOOT}", "#content"),
        (f"<div class='entry-content'><p>Subscribe to the letter that the museum sends.</p></div>{FRAME}"
         f"<main><div class='entry-content'>TEXT</div></main>{FOOT}", "main div.entry-content"),
        (f"{FRAME}<div class='css-1a2b3c'><div class='story-body'>TEXT</div></div>{FOOT}", "div.story-body"),
    ],
)  # fmt: skip
def test_the_content_is_what_differs_from_page_to_page(form: str, selector: str) -> None:
    content = found(form)
    assert content.selector == selector
    assert content.share > 0.95


def test_what_repeats_inside_of_the_content_is_excluded() -> None:
    bar = f"<div class='sharing'>{SHARE}</div>"
    content = found(f"{FRAME}<article>TEXT<nav><a href='/NAME'>Next</a></nav>{bar}</article>{FOOT}")
    assert (content.selector, content.excludes) == ("article", ("nav", "div.sharing"))


def test_links_to_neighbours_are_no_content_although_they_differ() -> None:
    links = "".join(
        f"<li><a href='/NAME/{number}'>More about the NAME, story {number}</a></li>" for number in range(30)
    )
    assert found(
        f"{FRAME}<main><ul class='related'>{links}</ul><div class='story-text'>TEXT</div></main>"
    ).selector == ("div.story-text")


def test_pages_that_have_nothing_in_common_give_no_selector() -> None:
    forms = ["<div class='a-one'>TEXT</div>", "<section id='two'>TEXT</section>", "<td>TEXT</td>", "TEXT"]
    trees = [parse_html(f"<html><body>{form.replace('TEXT', text(SUBJECTS[at]))}</body></html>", Limits())
             for at, form in enumerate(forms)]  # fmt: skip
    assert find_content(trees) == Found()


def test_a_page_alone_tells_nothing() -> None:
    tree = parse_html(f"<html><body><article>{text('wheel')}</article></body></html>", Limits())
    assert find_content([tree]) == Found()
    assert find_content([]) == Found()
