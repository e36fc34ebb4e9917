"""Gzip, decided by its magic bytes, inflated piece by piece and never beyond a limit."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from contentbot.discovery.entries import Rejected

PIECE = 1 << 16  # bytes a piece
_MAGIC = b"\x1f\x8b\x08"
_GZIP = 16 + zlib.MAX_WBITS
_LAYERS = 3  # a file compressed by the generator and again by the server is real, more is an attack

Report = Callable[[Rejected], None]


def inflated(body: bytes, *, max_bytes: int, report: Report) -> Iterator[bytes]:
    """Return the pieces of `body` with every layer of gzip removed; plain bytes come back as they are.

    Stops at `max_bytes` of inflated data. What is damaged, cut off or appended is reported, and what inflated before it
    is kept.
    """
    pieces = _limited((body[at : at + PIECE] for at in range(0, len(body), PIECE)), max_bytes, report)
    for _ in range(_LAYERS):
        head, pieces = peek(pieces, len(_MAGIC))
        if not head.startswith(_MAGIC):
            break
        pieces = _limited(_members(pieces, report), max_bytes, report)
    return pieces


def peek(pieces: Iterator[bytes], length: int) -> tuple[bytes, Iterator[bytes]]:
    """Return the first `length` bytes or more, and all pieces with nothing missing.

    At the end of the data there may be fewer.
    """
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= length:
            break
    return head, chain((head,), pieces) if head else pieces


def _limited(pieces: Iterable[bytes], max_bytes: int, report: Report) -> Iterator[bytes]:
    left = max_bytes
    for piece in pieces:
        if len(piece) > left:
            yield piece[:left]
            report(Rejected("", "too_large", incomplete=True))
            return
        left -= len(piece)
        yield piece


def _members(pieces: Iterable[bytes], report: Report) -> Iterator[bytes]:
    """Inflate gzip members one after another (RFC 1952, section 2.2: their contents are one file)."""
    member = _Member()
    for piece in pieces:
        data = piece
        while data:
            if not member.started and not (data := data.lstrip(b"\0")):  # padding between members
                break
            if not member.started and not _MAGIC.startswith(data[: len(_MAGIC)]):
                report(Rejected("", "trailing_data"))
                return
            yield from member.inflate(data)
            if member.broken:
                report(Rejected("", "broken_gzip", incomplete=True))
                return
            data = member.rest
            if member.ended:
                member = _Member()
    if member.started:
        report(Rejected("", "truncated_gzip", incomplete=True))


class _Member:
    """One gzip member. After a damaged place, `broken` is true and everything before it has been handed out."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(_GZIP)
        self.started = self.broken = False

    @property
    def ended(self) -> bool:
        return self._inflater.eof

    @property
    def rest(self) -> bytes:
        return self._inflater.unused_data

    def inflate(self, data: bytes) -> Iterator[bytes]:
        """Inflate `data`, in pieces of at most PIECE bytes, until it or the member ends."""
        self.started, full = True, False
        while (data or full) and not self.ended:
            before = self._inflater.copy()
            try:
                out = self._inflater.decompress(data, PIECE)
            except zlib.error:
                self.broken = True
                yield from _up_to_the_damage(before, data)
                return
            yield out
            data, full = self._inflater.unconsumed_tail, len(out) == PIECE


def _up_to_the_damage(inflater: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    # zlib drops the good part of a call that fails: a wrong checksum would cost the whole file
    with suppress(zlib.error):
        for at in range(len(data)):
            yield inflater.decompress(data[at : at + 1])
