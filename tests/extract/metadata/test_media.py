"""Preview image, canonical address and robots directives."""

import pytest

from tests.extract.metadata.pages import URL, json_ld, read


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="og:image" content="/wheel.png">',
        '<meta name="twitter:image" content="wheel.png"><base href="https://www.mill.example/">',
        '<link rel="image_src" href="//www.mill.example/wheel.png">',
        json_ld('{"@type": "Article", "headline": "W", "image": "/wheel.png"}'),
        json_ld('{"@type": "Article", "headline": "W", "image": [{"@type": "ImageObject", "url": "/wheel.png"}]}'),
        '<meta property="og:image" content="data:image/png;base64,AA"><meta name="twitter:image" content="/wheel.png">',
    ],
)
def test_the_preview_image_is_an_absolute_web_address(html):
    assert read(html).preview_image == "https://www.mill.example/wheel.png"


def test_an_embedded_image_is_no_preview():
    assert read('<meta property="og:image" content="data:image/png;base64,AA">').preview_image == ""


def test_the_canonical_address_is_absolute():
    assert read('<link rel="canonical" href="/wheel">').canonical == "https://www.mill.example/wheel"
    assert read("<p>W</p>", headers={"link": '</de>; rel="alternate", </wheel>; rel="canonical"'}).canonical.endswith(
        "/wheel"
    )
    assert read('<link rel="canonical" href="http://[broken">').canonical == ""


def test_an_address_of_a_page_that_is_none_breaks_nothing():
    assert read('<link rel="canonical" href="/wheel">', url="https://[").canonical == ""


@pytest.mark.parametrize(
    ("html", "header", "directives"),
    [
        ('<meta name="robots" content="NOINDEX, follow">', "", {"noindex", "follow"}),
        ('<meta name="ROBOTS" content="none">', "", {"none", "noindex", "nofollow"}),
        ('<meta name="OpenElementsContentBot" content="noindex">', "", {"noindex"}),
        ('<meta name="googlebot" content="noindex">', "", set()),
        ("", "noindex", {"noindex"}),
        ("", "otherbot: noindex, nofollow", set()),
        ("", "otherbot: noindex, openelementscontentbot: nofollow", {"nofollow"}),
        ("", "max-snippet: 20, noindex", {"max-snippet: 20", "noindex"}),
    ],
)
def test_directives_are_those_for_everyone_and_for_this_crawler(html, header, directives):
    assert read(f"<p>W</p>{html}", headers={"x-robots-tag": header}, url=URL).robots == directives
