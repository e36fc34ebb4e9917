"""Categories: what a page files itself under, and no keyword stuffing."""

import pytest

from tests.extract.metadata.pages import json_ld, read


@pytest.mark.parametrize(
    "html",
    [
        '<meta name="keywords" content="Wheels, water ,wheels">',
        '<meta property="article:section" content="Wheels"><meta property="article:tag" content="water">',
        json_ld('{"@type": "Article", "headline": "W", "articleSection": "Wheels", "keywords": ["water"]}'),
        json_ld('{"@type": "Article", "headline": "W", "keywords": "Wheels, water"}'),
        '<h1>W</h1><p><a rel="category tag" href="/c">Wheels</a>, <a rel="tag" href="/t">water</a></p>',
        "<h1>W</h1><div><p>#<!-- -->Wheels</p><p>#<!-- -->water</p></div>",
        "<h1>W</h1><p>#Wheels #water</p>",
    ],
)
def test_categories_are_read_in_the_page_s_order_and_spelling(html):
    assert read(html).categories == ("Wheels", "water")


def test_a_long_list_of_keywords_says_nothing():
    stuffed = ", ".join(f"buy cheap wheel {number}" for number in range(40))
    assert read(f'<meta name="keywords" content="{stuffed}">').categories == ()


def test_a_tag_of_a_neighbour_is_not_the_page_s():
    page = read('<h1>W</h1><div class="related"><a rel="tag" href="/t">gears</a></div>')
    assert page.categories == ()
