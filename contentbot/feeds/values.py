"""Single values of feeds: texts, addresses, dates and names, cleaned of how generators write them."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from html import escape, unescape
from time import struct_time

from lxml import etree
from lxml.html import fragment_fromstring

from contentbot.discovery.entries import resolve
from contentbot.extract.dates import Order, number_order, parse_timestamp
from contentbot.extract.metadata.names import clean_byline, split_names
from contentbot.extract.text import one_line

MAX_AUTHOR = 500
"""Characters of what a feed calls an author that are looked at."""

_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")
_ESCAPED = re.compile(r"&lt;/?(?:p|a|br|div|img|span|b|i|em|strong|ul|ol|li|h[1-6]|table|blockquote)\b", re.IGNORECASE)
_MAIL = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+")
# minutes east of Greenwich by the names that feeds use (RFC 5322 knows those of North America only)
_ZONES = {
    "WET": 0, "WEST": 60, "BST": 60, "IST": 330, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120, "EET": 120,
    "EEST": 180, "MSK": 180, "JST": 540, "KST": 540, "HKT": 480, "SGT": 480, "AEST": 600, "AEDT": 660, "AWST": 480,
    "NZST": 720, "NZDT": 780, "AKST": -540, "AKDT": -480, "HST": -600, "BRT": -180,
    "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
}  # fmt: skip
_NAMED_ZONE = re.compile(rf"(?<=\d)\s*\(?({'|'.join(_ZONES)})\)?\s*$")
_CLOCK = re.compile(r"\d:\d\d")


def as_html(value: str, media_type: str = "text/html") -> str:
    """Return a text as HTML: plain text as paragraphs; HTML that was escaped once too often as HTML."""
    if media_type == "text/plain":
        return _paragraphs(value)
    if _MARKUP.search(value):
        return value
    if _ESCAPED.search(value):
        return unescape(value)
    return _paragraphs(unescape(value))


def as_text(value: str, media_type: str = "text/plain") -> str:
    """Return a text as one line without markup."""
    if media_type == "text/plain" and not _MARKUP.search(value):
        return one_line(value)
    return one_line(text_of(value))


def text_of(html: str) -> str:
    """Return the words of a piece of HTML; scripts and styles are none."""
    try:
        tree = fragment_fromstring(html, create_parent="div")
    except (etree.ParserError, ValueError):
        return ""
    etree.strip_elements(tree, "script", "style", etree.Comment, with_tail=False)
    return " ".join("".join(tree.itertext()).split())


def address(value: str, base: str) -> str:
    """Return an absolute http(s) address; empty when it is none."""
    found = resolve(value, base) if value.strip() else ""
    return found if isinstance(found, str) else ""


def iso_date(value: str, language: str = "", parsed: struct_time | None = None) -> str:
    """Return a date of whatever form as ISO 8601, with the zone that it names; empty when it is none.

    Args:
        value: as it stands there.
        language: which language names its months, and which number comes first.
        parsed: what feedparser made of it, in UTC, for forms that nobody else knows.
    """
    zoned = _NAMED_ZONE.sub(_offset, value.strip()) if _CLOCK.search(value) else value
    order = number_order(language)
    found = parse_timestamp(zoned, language=language, order=Order.MONTH_FIRST if order is Order.UNKNOWN else order)
    if found or parsed is None:
        return found
    with suppress(ValueError):
        return date.fromisoformat(value.strip()).isoformat()
    year, month, day, hour, minute, second = parsed[:6]
    day_only = f"{year:04}-{month:02}-{day:02}"
    return f"{day_only}T{hour:02}:{minute:02}:{second:02}Z" if _CLOCK.search(value) else day_only


def author_names(values: Iterable[str]) -> tuple[str, ...]:
    """Return the names in what feeds call authors: `mail@example.org (Ann Low)`, `Ann Low <mail@…>`, `by Ann Low`."""
    found: dict[str, None] = {}
    for value in values:
        byline = clean_byline(_MAIL.sub(" ", as_text(value)[:MAX_AUTHOR]).replace("<>", "").strip(" ()<>,"))
        found.update(dict.fromkeys(split_names(byline) if byline else ()))
    return tuple(found)


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that are not empty, each once."""
    return tuple(dict.fromkeys(text for value in values if (text := as_text(value))))


def seconds(value: str) -> int:
    """Return the seconds of `1:02:33`, `62:33` or `3753`; 0 when it is none of them."""
    parts = str(value).strip().split(":")
    if not 1 <= len(parts) <= 3 or not all(re.fullmatch(r"\d{1,6}(?:\.\d+)?", part) for part in parts):
        return 0
    return int(sum(float(part) * 60**power for power, part in enumerate(reversed(parts))))


def number(value: object) -> int:
    """Return a count as an integer; 0 when it is none."""
    text = str(value).strip()
    return int(text) if re.fullmatch(r"\d{1,15}", text) else 0


def _paragraphs(text: str) -> str:
    blocks = re.split(r"\n\s*\n", text.strip())
    return "".join(f"<p>{escape(block.strip(), quote=False)}</p>" for block in blocks if block.strip())


def _offset(found: re.Match[str]) -> str:
    minutes = _ZONES[found[1]]
    return f" {'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"
