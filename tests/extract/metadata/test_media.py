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


PAST, FUTURE = {"noindex"}, set()


@pytest.mark.parametrize(
    ("date", "implied"),
    [
        ("25 Jun 2010 15:00:00 PST", PAST),
        ("Friday, 25-Jun-10 15:00:00 GMT", PAST),
        ("Sat, 29 Nov 2026 23:59:59 GMT", PAST),
        ("2026-11-30T11:59:59+00:00", PAST),
        ("2020-09-21", PAST),
        ("Tue, 01 Dec 2026 00:00:00 GMT", FUTURE),
        ("2026-11-30T12:30:00+00:00", FUTURE),
        ("2031-01-01", FUTURE),
        ("soon", FUTURE),
    ],
)
@pytest.mark.parametrize("place", ["meta", "header", "header for us"])
def test_a_page_that_has_run_out_is_not_to_be_indexed(place, date, implied):
    directive = f"unavailable_after: {date}"
    meta = f'<meta name="robots" content="{directive}, nosnippet">' if place == "meta" else ""
    named = "" if place == "header" else "openelementscontentbot: "
    header = "" if place == "meta" else f"otherbot: noindex, {named}{directive}" if named else directive
    robots = read(f"<p>W</p>{meta}", headers={"x-robots-tag": header}).robots
    assert robots & {"noindex"} == implied
    assert ("nosnippet" in robots) == (place == "meta")


def test_a_date_with_a_comma_names_no_robot():
    header = "unavailable_after: Sat, 25 Jun 2033 15:00:00 GMT, noindex"
    assert "noindex" in read("<p>W</p>", headers={"x-robots-tag": header}).robots


def test_what_another_robot_is_told_of_a_date_is_none_of_ours():
    header = "otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"
    assert read("<p>W</p>", headers={"x-robots-tag": header}).robots == set()
