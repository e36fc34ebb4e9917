"""The names of documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.extract.identity import document_id, name_of
from contentbot.sources.urls import clean_url

HOME = "https://mill.example/en"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://mill.example/", "mill:"),
        ("https://mill.example/posts/2026/03/12/slug", "mill:posts/2026/03/12/slug"),
        ("https://mill.example/de/x/", "mill:de/x/"),
        ("https://mill.example/q?b=2&a=1", "mill:q?b=2&a=1"),
        ("https://mill.example/r%C3%BCckblick-2024", "mill:rückblick-2024"),
        ("https://mill.example/a%2Fb%20c%3F", "mill:a%2Fb%20c%3F"),
        ("https://mill.example/%FF%FE", "mill:%FF%FE"),
        ("https://mill.example/%E2%80%A8", "mill:%E2%80%A8"),
        ("https://docs.mill.example/x", "mill:https://docs.mill.example/x"),
        ("http://mill.example/x", "mill:http://mill.example/x"),
    ],
)
def test_an_id_is_readable_and_says_where_the_document_is(url: str, expected: str):
    assert document_id("mill", url, HOME) == expected


_PATHS = st.text(alphabet="a/%?=&2F5C3B:ü. ", max_size=12)


@given(_PATHS, _PATHS)
def test_different_addresses_have_different_ids(one: str, other: str):
    try:
        first, second = (clean_url(f"https://mill.example/{path}") for path in (one, other))
    except ValueError:
        return
    same = document_id("mill", first, HOME) == document_id("mill", second, HOME)
    assert same == (first == second)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mill.example/docs/the-mill_wheel.html", "the mill wheel"),
        ("https://mill.example/%C3%BCber-uns/", "über uns"),
        ("https://mill.example/", "mill.example"),
    ],
)
def test_a_page_that_calls_itself_nothing_is_named_after_its_address(url: str, name: str):
    assert name_of(url) == name
