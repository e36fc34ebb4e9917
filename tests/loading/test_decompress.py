"""Content codings: every one is read, and none of them inflates beyond the limit."""

import gzip
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from contentbot.errors import NotLoaded
from contentbot.loading.decompress import inflated

LIMIT = 1 << 20


def raw_deflate(body: bytes) -> bytes:
    made = zlib.compressobj(wbits=-15)
    return made.compress(body) + made.flush()


CODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda body: brotli.compress(body, quality=1),
    "zstd": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("coding", CODERS)
@given(body=st.binary(max_size=5_000))
def test_every_coding_gives_back_what_was_coded(coding, body):
    assert inflated(CODERS[coding](body), coding, LIMIT) == body


@pytest.mark.parametrize("coding", CODERS)
def test_a_bomb_is_refused_near_the_limit_in_little_memory(coding):
    bomb = CODERS[coding](bytes(60 << 20))
    tracemalloc.start()

    with pytest.raises(NotLoaded, match="body_too_large"):
        inflated(bomb, coding, LIMIT)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * LIMIT


def test_a_bomb_inside_of_a_bomb_is_refused():
    bomb = gzip.compress(gzip.compress(bytes(60 << 20)))

    with pytest.raises(NotLoaded, match="body_too_large"):
        inflated(bomb, "gzip, gzip", LIMIT)
    with pytest.raises(NotLoaded, match="broken_encoding"):
        inflated(bomb, "gzip, gzip, gzip, gzip", LIMIT)


@pytest.mark.parametrize("coding", CODERS)
def test_a_body_of_exactly_the_limit_is_let_through_and_one_byte_more_is_not(coding):
    assert len(inflated(CODERS[coding](bytes(LIMIT)), coding, LIMIT)) == LIMIT
    with pytest.raises(NotLoaded, match="body_too_large"):
        inflated(CODERS[coding](bytes(LIMIT + 1)), coding, LIMIT)


def test_deflate_is_read_with_and_without_its_header_and_gzip_of_several_members():
    assert inflated(raw_deflate(b"wheel"), "deflate", LIMIT) == b"wheel"
    assert inflated(gzip.compress(b"the ") + gzip.compress(b"wheel"), "GZIP", LIMIT) == b"the wheel"
    assert inflated(gzip.compress(b"wheel") + bytes(40), "gzip", LIMIT) == b"wheel"
    assert inflated(b"wheel", "identity", LIMIT) == b"wheel"


@pytest.mark.parametrize("coding", CODERS)
def test_what_is_no_such_code_is_refused_unless_it_is_plain_markup(coding):
    with pytest.raises(NotLoaded, match="broken_encoding"):
        inflated(b"\x00no code of any kind\xff" * 9, coding, LIMIT)
    assert inflated(b" <p>wheel</p>", coding, LIMIT) == b" <p>wheel</p>"


def test_a_coding_that_was_not_asked_for_is_refused():
    with pytest.raises(NotLoaded, match="broken_encoding"):
        inflated(b"wheel", "compress", LIMIT)


@given(st.sampled_from(sorted(CODERS)), st.binary(max_size=300))
def test_no_bytes_end_in_another_error(coding, body):
    try:
        inflated(body, coding, LIMIT)
    except NotLoaded as error:
        assert error.kind in ("broken_encoding", "body_too_large")
