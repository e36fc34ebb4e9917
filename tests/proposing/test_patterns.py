from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.proposing.patterns import clusters
from contentbot.sources.globs import AntGlob

OWN = "https://mill.example"


def found(*paths: str) -> dict[str, int]:
    return {one.pattern: len(one.urls) for one in clusters(f"{OWN}{path}" for path in paths)}


def many(form: str, count: int = 6) -> Sequence[str]:
    return [form.format(number, f"name-{'abcdefghij'[number % 10]}") for number in range(count)]


@pytest.mark.parametrize(
    ("paths", "patterns"),
    [
        (many("/blog/{1}"), {"/blog/*": 6}),
        (["/blog", *many("/blog/{1}")], {"/blog/*": 6, "/blog": 1}),
        (many("/2026/0{0}/1{0}/{1}"), {"/????/??/??/*": 6}),
        (many("/en/posts/202{0}/01/{1}"), {"/en/posts/????/??/*": 6}),
        (many("/{1}"), {"/*": 6}),
        (["/about", "/contact"], {"/about": 1, "/contact": 1}),
        (many("/docs/{1}/"), {"/docs/*/": 6}),
        (many("/id/{0}00"), {"/id/*": 6}),
        ([f"/people/p{number}x/posts/first" for number in "abcdefghij"], {"/people/*/posts/first": 10}),
    ],
)
def test_pages_of_one_shape_are_one_kind(paths: Sequence[str], patterns: dict[str, int]) -> None:
    assert found(*paths) == patterns


def test_folders_that_only_list_pages_are_told_apart() -> None:
    kinds = clusters(f"{OWN}{path}" for path in ["/tag/water", "/blog/category/wood/", "/blog/page/2", "/blog/pages"])
    assert {one.pattern: one.listing for one in kinds} == {
        "/tag/water": "/**/tag/**",
        "/blog/category/wood/": "/**/category/**",
        "/blog/page/*": "/**/page/**",
        "/blog/pages": "",
    }


def test_a_sample_is_spread_over_the_list() -> None:
    (kind,) = clusters(many(f"{OWN}/blog/{{1}}{{0}}", 100))
    assert [kind.urls.index(url) for url in kind.sample(5)] == [0, 25, 50, 74, 99]


SEGMENT = st.text("abz019-._~*?%ä", min_size=1, max_size=6).filter(lambda text: text.strip(".") != "")


@given(st.lists(st.lists(SEGMENT, max_size=4), min_size=1, max_size=30))
def test_every_page_is_of_a_kind_whose_glob_matches_it(paths: list[list[str]]) -> None:
    from contentbot.sources.urls import clean_url  # noqa: PLC0415 - only here

    urls = {clean_url(f"{OWN}/" + "/".join(part.replace("?", "%3F") for part in path)) for path in paths}
    kinds = clusters(urls)
    assert {url for one in kinds for url in one.urls} == urls
    for one in kinds:
        glob = AntGlob(one.pattern)
        assert [url for url in one.urls if not glob.matches(url.removeprefix(OWN))] == []
