"""A page as a whole: every field from its place, and none from a neighbour."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from contentbot.extract.metadata import Metadata, read_metadata
from tests.extract.metadata.pages import NOW, URL, json_ld, parse, read

BLOG_POST = """
<html lang="en"><head><title>How a Water Wheel Turns - Mill Notes</title>
<meta name="description" content="On wheels &amp; water."><meta name="keywords" content="wheels,water">
<meta property="og:site_name" content="Mill Notes"><meta property="og:image" content="/wheel.png"></head>
<body><nav><a href="/">Mill Notes</a> <time>Jan 1, 2020</time></nav>
<main><h1>How a Water Wheel Turns</h1><p>7 min read • March 12, 2026</p><p>by Ada Muster</p>
<p>The stream was measured on May 4, 2024, long before anyone wrote it down in a long paragraph like this one.</p>
<section><h2>Recent posts</h2><ul><li><h3>Gears</h3><p>by Ben Other</p><p>April 1, 2026</p></li></ul></section></main>
<footer>© 2026 <a rel="author" href="/imprint">Mill Company</a></footer></body></html>
"""


def test_every_field_is_read_from_its_place():
    page = read(BLOG_POST)
    assert page.title == "How a Water Wheel Turns"
    assert (page.author, page.authors) == ("Ada Muster", ("Ada Muster",))
    assert page.published_date == "2026-03-12"
    assert page.categories == ("wheels", "water")
    assert page.excerpt == "On wheels & water."
    assert page.preview_image == "https://www.mill.example/wheel.png"
    assert (page.site_name, page.language) == ("Mill Notes", "en")
    assert page.evidence["title"] == "h1"


def test_a_field_that_the_page_does_not_carry_is_empty():
    assert read("<p>Nothing but text.</p>") == Metadata(evidence={})


def test_the_tree_is_left_as_it_was():
    tree = parse(BLOG_POST + json_ld('{"@type": "Article", "headline": "Wheel"}'))
    before = etree.tostring(tree)
    read_metadata(tree, url=URL, now=NOW, headers={})
    assert etree.tostring(tree) == before


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(max_size=60), st.text(max_size=40))
def test_no_page_makes_it_raise(body, value, url):
    html = f"<html lang='{value}'><title>{value}</title><meta name=date content='{value}'><h1>{value}</h1>{body}"
    tree = parse(html + json_ld(f'{{"@type": "Article", "author": {body!r}}}'))
    read_metadata(tree, url=f"https://{url}", now=NOW, headers={"link": value, "x-robots-tag": value})


def test_a_page_inside_an_unclosed_button_or_a_hidden_root_is_read():
    main = "<main><h1>Wheel</h1><p>by Ada Muster</p><p>March 12, 2026</p></main>"
    for html in (f"<body><header><button>Menu</header>{main}</body>", f"<body><div hidden>{main}</div></body>"):
        page = read(html)
        assert (page.title, page.author, page.published_date) == ("Wheel", "Ada Muster", "2026-03-12")


@pytest.mark.parametrize(
    "html",
    [
        "<div class='related author date'>" * 300 + "<h1>Wheel</h1>" + "</div>" * 300,
        "<h1>Wheel</h1>" + "<h2>Related posts</h2><time class='author'>x</time>" * 2_000,
        "<title>" + "a | " * 20_000 + "</title><h1>Wheel</h1>",
        "<h1>Wheel</h1><p>" + "May 3, 2026 by Ann " * 20_000 + "</p>",
        json_ld('{"a":' * 20_000) + json_ld("<!-- " * 20_000) + "<h1>Wheel</h1>",
    ],
)
def test_an_oversized_page_is_read_like_any_other(html):
    assert read(html).published_date == ""
