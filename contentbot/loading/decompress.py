"""Content codings of HTTP (RFC 9110, section 8.4.1), inflated up to a limit and not a byte beyond it."""

import zlib
from collections.abc import Callable

import brotli
import zstandard

from contentbot.errors import NotLoaded

ACCEPTED = "gzip, deflate, br, zstd"
_LAYERS = 2
_PIECE = 1 << 16
# RFC 9659: what a decoder of the web has to take
_ZSTD_WINDOW = 8 << 20


def inflated(body: bytes, codings: str, max_bytes: int) -> bytes:
    """Return the body without its content codings.

    Args:
        codings: the Content-Encoding header.
        max_bytes: what it may have at the end, and between two codings.

    Raises:
        NotLoaded: `body_too_large`, or `broken_encoding` for a body that is not coded as it says.
    """
    names = [name for part in codings.lower().split(",") if (name := part.strip()) not in ("", "identity")]
    if len(names) > _LAYERS:
        raise NotLoaded("broken_encoding", f"{len(names)} content codings, one inside of the other")
    for name in reversed(names):
        body = _decoded(body, name, max_bytes)
    return body


def _decoded(body: bytes, name: str, max_bytes: int) -> bytes:
    decoder = _DECODERS.get(name)
    if decoder is None:
        raise NotLoaded("broken_encoding", f"the content coding {name[:40]!r} was not asked for")
    if not body:
        return body
    try:
        content = decoder(body, max_bytes + 1)
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        # a body that was never compressed, whatever its header says
        if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            return body
        raise NotLoaded("broken_encoding", f"the body is not {name}") from error
    if len(content) > max_bytes:
        raise NotLoaded("body_too_large", f"it inflates to more than {max_bytes:,} bytes")
    return content


def _gzip(body: bytes, limit: int) -> bytes:
    content = b""
    # members one after another are one file (RFC 1952, section 2.2); what follows the last one is padding
    while body.startswith(b"\x1f\x8b") or not content:
        member = zlib.decompressobj(wbits=31)
        content += member.decompress(body, limit - len(content))
        body = member.unused_data
        if len(content) >= limit or not member.eof or not body:
            break
    return content


def _deflate(body: bytes, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(body, limit)
    except zlib.error:  # without the zlib header, as some servers have always sent it
        return zlib.decompressobj(wbits=-15).decompress(body, limit)


def _brotli(body: bytes, limit: int) -> bytes:
    decoder, content, rest = brotli.Decompressor(), bytearray(), body
    while len(content) < limit and not decoder.is_finished():
        piece = decoder.process(rest, output_buffer_limit=min(_PIECE, limit - len(content)))
        if not piece and decoder.can_accept_more_data():
            break  # it was cut off
        content += piece
        rest = b""
    return bytes(content[:limit])


def _zstd(body: bytes, limit: int) -> bytes:
    decoder = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    with decoder.stream_reader(body, read_across_frames=True) as reader:
        return _read(reader.read, limit)


def _read(read: Callable[[int], bytes], limit: int) -> bytes:
    content = bytearray()
    while len(content) < limit and (piece := read(min(_PIECE, limit - len(content)))):
        content += piece
    return bytes(content)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
