"""Text sitemaps: one address a line (sitemaps.org/protocol, "Other Sitemap formats")."""

import re
from collections.abc import Iterator
from itertools import chain

from contentbot.discovery.entries import MAX_URL_LENGTH, Entry, PageEntry, Rejected, rejected, resolve
from contentbot.errors import NotASitemap

_BREAK = re.compile(r"\r\n?|\n")
_ADDRESS = re.compile(r"(?:https?:/)?/", re.IGNORECASE)
_JUNK_BEFORE_FIRST = 100  # lines without an address after which a text is not taken for a list


def read_text(texts: Iterator[str], url: str) -> Iterator[Entry]:
    """Read the addresses of a text list as they come; empty lines and `#` comments count as nothing.

    Raises:
        NotASitemap: no line is an address.
    """
    entries = (_read_line(line, url) for line in _lines(texts) if line and not line.startswith("#"))
    beginning: list[PageEntry | Rejected] = []  # held back until the first address proves that this is a list
    for entry in entries:
        beginning.append(entry)
        if isinstance(entry, PageEntry) or len(beginning) > _JUNK_BEFORE_FIRST:
            break
    if not beginning or isinstance(beginning[-1], Rejected):
        shown = beginning[0].value[:60] if beginning and isinstance(beginning[0], Rejected) else ""
        raise NotASitemap("no_addresses", f"plain text that begins {shown!r}")
    surplus = 0
    for entry in chain(beginning, entries):
        surplus += 1 if isinstance(entry, PageEntry) else -1
        yield entry
    if surplus < 0:  # prose with an address in it, such as the text of an error page
        yield Rejected("", "mostly_junk", incomplete=True)


def _read_line(line: str, url: str) -> PageEntry | Rejected:
    # some exports add columns behind the address
    line = line.partition("\t")[0]
    # a bare word would be a relative address: in a text it is junk
    if not _ADDRESS.match(line):
        return rejected(line, "not_a_url")
    found = resolve(line, url)
    return PageEntry(found) if isinstance(found, str) else found


def _lines(texts: Iterator[str]) -> Iterator[str]:
    """Cut text into stripped lines. A line longer than any address is cut short, so that it cannot fill the memory."""
    rest = ""
    for text in texts:
        *whole, rest = _BREAK.split(rest + text)
        yield from (line.strip() for line in whole)
        rest = rest[: MAX_URL_LENGTH + 1]
    yield rest.strip()
