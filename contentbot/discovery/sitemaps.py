"""Any sitemap, recognised by its content alone: never by its name, its extension or the Content-Type it came with."""

import re
from collections.abc import Iterator

from contentbot.discovery.charsets import charset_of, decoded
from contentbot.discovery.entries import Entry, PageEntry, Rejected, SitemapEntry
from contentbot.discovery.inflate import inflated, peek
from contentbot.discovery.text_sitemap import read_text
from contentbot.discovery.xml_sitemap import is_markup, read_xml
from contentbot.errors import NotASitemap

__all__ = ["PageEntry", "Rejected", "SitemapEntry", "read_sitemap"]

_HEAD = 1 << 16  # bytes in which the root element has to begin
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_sitemap(body: bytes, url: str, *, max_bytes: int) -> Iterator[PageEntry | SitemapEntry | Rejected]:
    """Read a sitemap entry by entry, in the file's order and in constant memory.

    Reads XML sitemaps and sitemap indexes, text lists, RSS 0.9x to 2.0 and Atom, each plain or under gzip. The first
    entries come out before the rest is inflated or parsed.

    What one entry has wrong is a `Rejected` in its place; what the file has wrong is a `Rejected` at the end, with
    `incomplete` set where entries may be missing. Repeated addresses, other hosts and a file that lists itself come out
    as they are: scope and what was seen before are the caller's.

    Args:
        body: what was downloaded, Content-Encoding removed.
        url: where it came from after redirects: the base of relative addresses.
        max_bytes: how much is read after inflating.

    Raises:
        NotASitemap: while the first entry is read, never after it.
    """
    file_reports: list[Rejected] = []
    head, pieces = peek(inflated(body, max_bytes=max_bytes, report=file_reports.append), _HEAD)
    if not head.strip():
        raise NotASitemap("empty", "nothing but white space" if head else "no content")
    yield from _entries(head, pieces, url)
    yield from file_reports


def _entries(head: bytes, pieces: Iterator[bytes], url: str) -> Iterator[Entry]:
    texts = decoded(pieces, charset_of(head))
    beginning = next(texts)
    if is_markup(beginning):
        yield from read_xml(beginning, texts, url)
    elif _BINARY.search(beginning[:1024]):
        raise NotASitemap("binary", f"bytes that begin {head[:8]!r}")
    else:
        yield from read_text(_and(beginning, texts), url)


def _and(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
