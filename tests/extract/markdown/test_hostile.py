"""Pages that are made to break a converter, or broken by chance."""

import sys

import lxml.html
import pytest
from lxml.etree import SubElement

from contentbot.extract.markdown import render
from tests.extract.markdown.pages import PAGE, render_html

MANY = 800


@pytest.mark.parametrize(
    "tags",
    [
        ["div"],
        ["span"],
        ["blockquote"],
        ["ul", "li"],
        ["table", "tr", "td"],
        ["b", "i"],
        ["h2"],
        ["pre"],
        ["code"],
        ["dl", "dt"],
    ],
)
def test_no_nesting_is_too_deep(tags: list[str]) -> None:
    root = element = lxml.html.Element("div")
    for number in range(10_000 // len(tags)):
        for tag in tags:
            element = SubElement(element, tag)
            element.text = "w" if not number else None
    element.text = "deepest"
    assert "deepest" in render([root], base_url=PAGE).plain_text


PAGES = {
    "rows": "<table>" + "<tr><td>a</td><td>b</td></tr>" * MANY + "</table>",
    "wide spans": "<table>" + "<tr><td colspan=1000 rowspan=65534>a</td></tr>" * MANY + "</table>",
    "links": "<p>" + '<a href="/x">l</a> ' * MANY,
    "pieces of a word": "<p>" + "<span>a</span>" * MANY,
    "marks": "<p>" + "<b><i>a</i>b<i>c</i></b>" * MANY,
    "signs": "<p>" + "*a*_b_[x](y)`~$$\\(" * MANY,
    "addresses": "<p>" + "https://a.example/_x_ " * MANY,
    "one title": "<h2>a</h2>" * MANY,
    "notes": "".join(f'<sup><a href="#n{n}">{n}</a></sup><p id="n{n}" class="footnote">t</p>' for n in range(MANY)),
    "lines": "<pre>" + '<span class="line">a</span>' * MANY + "</pre>",
    "unclosed": "<ul><li><b>a<table><tr><td>b" * 100,
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_work_grows_with_the_page_and_no_faster(html: str) -> None:
    """Twice the page may cost at most about twice the steps; steps are calls, so the machine's speed is no matter."""
    body = html
    assert calls(body + "<hr>" + body) < 3 * calls(body) + 20_000


def calls(html: str) -> int:
    count = 0

    def on_call(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(on_call)
    try:
        render_html(html)
    finally:
        sys.setprofile(None)
    return count


def test_nothing_visible_is_nothing() -> None:
    rendering = render_html("<p> </p><table><tr><td></td></tr></table><ul><li></li></ul><h2></h2><script>x</script>")
    assert (rendering.markdown, rendering.plain_text, rendering.outline) == ("", "", ())


def test_what_follows_the_element_is_not_part_of_it() -> None:
    tree = lxml.html.fromstring("<div><p>in</p>out</div>")
    assert render([tree[0]], base_url=PAGE).markdown == "in"
