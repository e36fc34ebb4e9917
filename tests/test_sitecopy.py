"""The two names of a site of which a copy is crawled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.errors import ConfigError
from contentbot.sitecopy import NotInCopy, SiteCopy

COPY = SiteCopy("https://mill.example/guide/", "http://127.0.0.1:8801")


@pytest.mark.parametrize(
    ("own", "there"),
    [
        ("https://mill.example/a?b=1", "http://127.0.0.1:8801/a?b=1"),
        ("http://mill.example", "http://127.0.0.1:8801/"),
        ("https://www.mill.example/a", "http://127.0.0.1:8801/a"),
    ],
)
def test_the_site_and_its_twin_are_fetched_from_the_copy(own: str, there: str) -> None:
    assert COPY.outward(own) == there


def test_another_host_is_not_fetched_at_all() -> None:
    with pytest.raises(NotInCopy, match=r"other\.example"):
        COPY.outward("https://other.example/")


@pytest.mark.parametrize(
    ("there", "own"),
    [
        (b'<a href="http://127.0.0.1:8801/a">', b'<a href="https://mill.example/a">'),
        (b'{"url":"http:\\/\\/127.0.0.1:8801\\/a"}', b'{"url":"https://mill.example\\/a"}'),
        (b"http://127.0.0.1:8801", b"https://mill.example"),
        (b"http://127.0.0.1:88012/a", b"http://127.0.0.1:88012/a"),
        (b"http://127.0.0.1:8801.example/a", b"http://127.0.0.1:8801.example/a"),
        (b"http://127.0.0.1/a", b"http://127.0.0.1/a"),
        (b"see http://127.0.0.1:8801.", b"see https://mill.example."),
    ],
)
def test_only_the_copys_origin_is_turned_into_the_sites(there: bytes, own: bytes) -> None:
    assert COPY.inward(there) == own


@given(st.binary(max_size=200))
def test_a_text_without_the_copys_origin_stays_as_it_is(text: bytes) -> None:
    assert COPY.inward(text) == text


@pytest.mark.parametrize(
    "copy",
    ["127.0.0.1:8801", "ftp://x.example", "http://", "http://ada:secret@x.example", "http://x.example/elsewhere", "x"],
)
def test_what_is_no_origin_is_refused_without_being_repeated(copy: str) -> None:
    with pytest.raises(ConfigError) as refused:
        SiteCopy("https://mill.example", copy)
    assert "secret" not in str(refused.value)


def test_the_copy_may_be_named_by_the_address_of_the_sources_first_page() -> None:
    assert SiteCopy("https://mill.example/guide", "http://127.0.0.1:1/guide/").outward("https://mill.example/x")
