"""What a sitemap yields, entry by entry."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

MAX_URL_LENGTH = 8192  # characters; the protocol allows 2,048, real servers take four times that

# what browsers drop from an address before they read it (WHATWG URL, "basic URL parser", steps 1 to 3)
_EDGES = "".join(map(chr, range(0x21)))
# an address with nothing in it to mend; `urljoin` and `urlsplit` would take half of a sitemap's time
_PLAIN = re.compile(r"https?://[a-z0-9][a-z0-9.-]*(?:/[!-~]{0,2000})?")
# a path from the root; `//` and `/*` begin remarks as well
_PATH = re.compile(r"/[^/*\s]")
_BREAKS = re.compile(r"[\t\n\r]+[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: its absolute address, its modification date as it stood there, its translations by language tag.

    `published` is what a feed says, as it stood there; sitemaps have nothing like it.
    """

    url: str
    lastmod: str = ""
    alternates: Mapping[str, str] = field(default_factory=dict)
    published: str = ""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One further sitemap: its absolute address and its modification date as it stood there."""

    url: str
    lastmod: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something that could not be read.

    Args:
        value: what stood there, cut to 200 characters; empty when the reason concerns the whole file.
        reason: one word that runs can count and compare.
        incomplete: entries are missing from what was read, so that nothing may be concluded from a page's absence.
    """

    value: str
    reason: str
    incomplete: bool = False


Entry = PageEntry | SitemapEntry | Rejected


def rejected(value: str, reason: str) -> Rejected:
    """Reject one value, cut to a length that a log can take."""
    return Rejected(value.strip()[:200], reason)


def resolve(value: str, base: str) -> str | Rejected:
    """Return the absolute http(s) address that `value` means at `base`, or why there is none.

    Line breaks inside the value go, as browsers drop them. A space inside an absolute address or path is escaped;
    without a scheme or a slash in front, words with spaces are prose and no address.
    """
    if _PLAIN.fullmatch(value):
        return value
    text = _BREAKS.sub("", value.strip(_EDGES))
    url = _joined(base, text)
    reason = _obstacle(text) or _flaw(url)
    return rejected(text, reason) if reason else url


def _is_absolute(text: str) -> bool:
    return text[:8].lower().startswith(("http://", "https://"))


def _joined(base: str, text: str) -> str:
    url = text.replace(" ", "%20")
    try:
        if _is_absolute(text):
            return url
        return urljoin(base, f"//{url}" if _lacks_scheme(url, base) else url)
    except ValueError:
        return url


def _lacks_scheme(url: str, base: str) -> bool:
    """Say whether an address begins with the site's own host: `mill.example/a`, its `www.` twin's included."""
    host, own = url.partition("/")[0].lower(), (urlsplit(base).netloc).lower()
    return "." in host and host.removeprefix("www.") == own.removeprefix("www.")


def _obstacle(text: str) -> str:
    if not text:
        return "empty"
    if len(text) > MAX_URL_LENGTH:
        return "too_long"
    addressed = _is_absolute(text) or _PATH.match(text)
    return "not_a_url" if " " in text and (not addressed or text.count("://") > 1) else ""


def _flaw(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return "not_a_url"
    if parts.scheme not in {"http", "https"}:
        return "not_http"
    return "" if usable else "not_a_url"
