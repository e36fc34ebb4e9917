"""Titles: the candidate that the others confirm, without the site's name."""

import pytest

from tests.extract.metadata.pages import json_ld, read


def test_the_name_that_heading_and_title_confirm_wins_over_a_tagline():
    page = read(
        "<title>Thirst - Mill Wiki</title><h1>Thirst</h1>"
        + json_ld('{"@type": "Article", "name": "Thirst", "headline": "the wish to drink"}')
    )
    assert page.title == "Thirst"


@pytest.mark.parametrize(
    "title",
    [
        "Mill | HIP-12: A wheel - now in wood",
        "HIP-12: A wheel - now in wood | Mill",
        "HIP-12: A wheel - now in wood – MILL",
        "HIP-12: A wheel - now in wood » Mill » Mill",
        "HIP-12: A wheel - now in wood",
    ],
)
def test_the_site_is_taken_off_either_end_and_nothing_else(title):
    page = read(f"<title>{title}</title>")
    assert page.title == "HIP-12: A wheel - now in wood"


@pytest.mark.parametrize(
    "names",
    [
        '<meta property="og:site_name" content="Notes of the Miller">',
        '<meta name="application-name" content="Notes of the Miller">',
        json_ld('{"@type": "WebSite", "name": "Notes of the Miller"}'),
    ],
)
def test_the_site_declares_its_name(names):
    page = read(f"<title>Wheel - Notes of the Miller</title>{names}")
    assert (page.title, page.site_name) == ("Wheel", "Notes of the Miller")


def test_the_heading_is_the_title_where_the_head_says_it_in_other_words_and_not_where_it_is_a_slogan():
    head = "<title>{0} | Mill</title><meta property='og:title' content='{0}'><h1>{1}</h1>"
    assert (
        read(head.format("7 Wheels to Watch", "The seven best wheels to watch")).title
        == "The seven best wheels to watch"
    )
    assert read(head.format("Flour and grain", "Good things take time")).title == "Flour and grain"


def test_a_heading_that_is_the_site_s_name_is_no_title():
    found = read("<title>A new wheel</title><h1>Mill</h1><h2>A new wheel</h2>", url="https://www.mill.example/")
    assert found.title == "A new wheel"


def test_the_site_is_called_as_its_host_when_the_title_says_so():
    assert read("<title>Mill | Wheel</title>").site_name == "Mill"
    assert read("<title>Stone | Wheel</title>").site_name == ""


def test_the_heading_wins_over_a_site_name_in_a_second_one():
    page = read(
        "<title>How wheels turn - Mill Notes</title><meta property='og:site_name' content='Mill Notes'>"
        "<header><h1>Mill Notes</h1></header><main><h1>How wheels turn</h1></main>"
    )
    assert page.title == "How wheels turn"


def test_a_front_page_may_be_called_like_its_site():
    page = read("<title>Mill Notes</title><meta property='og:site_name' content='Mill Notes'><h1>Mill Notes</h1>")
    assert page.title == "Mill Notes"


def test_a_heading_of_a_related_box_is_no_title():
    page = read(
        "<title>Wheel</title><main><h1>Wheel</h1><p>Text</p></main>"
        "<div class='related-posts'><h1>Gears and more</h1></div>"
    )
    assert page.title == "Wheel"


@pytest.mark.parametrize("text", ["undefined", "null", "Untitled", "[object Object]", " "])
def test_a_placeholder_is_no_title(text):
    assert read(f"<title>{text}</title><h1>{text}</h1>").title == ""


def test_a_title_carries_no_markup_no_entity_and_no_line_break():
    page = read(
        '<meta property="og:title" content="A &amp;lt;em&amp;gt;big&amp;lt;/em&amp;gt;\n wheel &amp;amp; '
        'List&lt;int&gt;">'
    )
    assert page.title == "A big wheel & List<int>"


def test_a_title_inside_a_drawing_is_not_the_page_s():
    page = read("<body><svg><title>Arrow</title></svg><p>Text</p></body>")
    assert page.title == ""


def test_an_unknown_site_name_is_told_by_the_address():
    url = "https://blog.example/2026/how-a-water-wheel-turns"
    for title in ("How a water wheel turns | Ada writes", "Ada writes | How a water wheel turns"):
        assert read(f"<title>{title}</title><h1>Ada writes</h1>", url=url).title == "How a water wheel turns"
    # a heading that repeats both halves says that both are the title
    whole = "How a water wheel turns: in theory"
    assert read(f"<title>{whole}</title><h1>{whole}</h1>", url=url).title == whole


@pytest.mark.parametrize("heading", ["Wheels in C#¶", "Wheels in C# <a href='#w'>#</a>", "Wheels in C#"])
def test_the_permalink_of_a_heading_is_no_part_of_it(heading):
    assert read(f"<h1>{heading}</h1>").title == "Wheels in C#"
