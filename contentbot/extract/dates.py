"""Dates in text: what they look like in machine formats and in the languages people write.

Two readers: `parse_timestamp` for values made by machines (attributes, JSON-LD, meta tags), `find_dates` for
sentences. Both return ISO 8601 as precise as the text was: `2026-03-12`, or `2026-03-12T07:27` with the zone that
was given. A date without a day is no date here, and `03/04/2024` is none either unless the page's language says
which number is the month.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

from contentbot.extract.calendars import find_other_calendars, may_hold_other_calendar, plain_figures
from contentbot.extract.months import month_number

OLDEST_YEAR = 1990
_MAX_TEXT = 4_000


class Order(Enum):
    """Which number comes first in `03/04/2024`."""

    DAY_FIRST = "day"
    MONTH_FIRST = "month"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text: ISO 8601, and where it stands."""

    iso: str
    start: int
    end: int


_SLASHED = re.compile(r"(?<![\w/.-])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?![\w/])")
_MONTH_FIRST_REGIONS = frozenset({"US", "PH", "FM", "MH", "PW"})


def number_order(language: str) -> Order:
    """Return the order that a BCP 47 tag implies; plain `en` implies none, every other language the day first."""
    primary, _, rest = language.partition("-")
    region = next((part.upper() for part in rest.split("-") if len(part) == 2), "")
    if not primary:
        return Order.UNKNOWN
    if primary.lower() == "en":
        if not region:
            return Order.UNKNOWN
        return Order.MONTH_FIRST if region in _MONTH_FIRST_REGIONS else Order.DAY_FIRST
    if primary.lower() == "es" and region == "US":
        return Order.MONTH_FIRST
    return Order.DAY_FIRST


def learn_order(text: str, known_day: str = "") -> Order:
    """Return the order that a page's own dates give away, such as `25/12/2024`.

    Args:
        text: what the page says.
        known_day: an ISO day that one of the dates is likely to mean, such as a sitemap's lastmod.
    """
    for match in _SLASHED.finditer(text):
        first, second, year = int(match[1]), int(match[2]), match[3]
        if (
            first > 12 >= second
            or known_day[:10] == f"{year}-{second:02}-{first:02}" != f"{year}-{first:02}-{second:02}"
        ):
            return Order.DAY_FIRST
        if (
            second > 12 >= first
            or known_day[:10] == f"{year}-{first:02}-{second:02}" != f"{year}-{second:02}-{first:02}"
        ):
            return Order.MONTH_FIRST
    return Order.UNKNOWN


def is_plausible(iso: str, now: datetime) -> bool:
    """Say whether a page fetched at `now` can carry this date: not before the web, not after tomorrow."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return False
    return day.year >= OLDEST_YEAR and day <= (now.astimezone(UTC) + timedelta(days=1)).date()


# --- machine formats -------------------------------------------------------------------------------------------

_ISO = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})"
    r"(?:(?:[Tt]|\s+(?:at\s+)?)(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<z>[Zz]|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?(?![\d])"
)
_COMPACT = re.compile(
    r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:T?(?P<H>\d{2})(?P<M>\d{2})(?P<S>\d{2})?(?P<z>Z|[+-]\d{4})?)?"
)
_EPOCH = re.compile(r"\d{9,10}|\d{12,13}")
_RFC_5322 = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{2,4}\s+\d{1,2}:\d{2}(?::\d{2})?\s*(?:[A-Z]{1,4}|[+-]\d{4})?"
)
_JS_DATE = re.compile(  # what JavaScript's and C's default formats print: Tue Mar 05 2024 10:00:00 GMT+0100 (CET)
    r"[A-Z][a-z]{2}\s+(?P<b>[A-Z][a-z]{2})\s+(?P<d>\d{1,2})\s+(?:(?P<y1>\d{4})\s+)?(?P<H>\d{2}):(?P<M>\d{2}):(?P<S>\d{2})"
    r"\s*(?P<z>(?:GMT|UTC)?[+-]\d{4}|GMT|UTC|[A-Z]{3,4})?\s*(?P<y2>\d{4})?"
)


def parse_timestamp(text: str, *, language: str = "", order: Order | None = None) -> str:
    """Return the ISO 8601 form of a machine-made value, or an empty string.

    Understands ISO 8601 and its careless relatives, RFC 5322, JavaScript's default format, Unix seconds and
    milliseconds, `20240305`, and at last whatever `find_dates` reads.
    """
    value = text[:200].strip().strip("\"'")
    if match := _ISO.match(value) or _COMPACT.fullmatch(value):
        return _assemble(match)
    if _EPOCH.fullmatch(value):
        return _from_epoch(value)
    if match := _JS_DATE.match(value):
        return _from_js(match)
    moment = _from_rfc_5322(value) if _RFC_5322.fullmatch(value) else ""
    return moment or _first(value, language, order)


def _first(value: str, language: str, order: Order | None) -> str:
    return next((found.iso for found in find_dates(value, language=language, order=order)), "")


def _from_epoch(value: str) -> str:
    seconds = int(value) / (1000 if len(value) > 10 else 1)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_rfc_5322(value: str) -> str:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, IndexError, OverflowError):
        return ""
    text = moment.replace(microsecond=0).isoformat()
    return text.replace("+00:00", "Z") if moment.tzinfo in (UTC, UTC) else text


def _from_js(match: re.Match[str]) -> str:
    month, year = month_number(match["b"], "en"), match["y1"] or match["y2"]
    if not (month and year):
        return ""
    zone = (match["z"] or "").removeprefix("GMT").removeprefix("UTC") or ("Z" if match["z"] in ("GMT", "UTC") else "")
    return _iso(int(year), month, int(match["d"]), _clock(match["H"], match["M"], match["S"], zone))


def _assemble(match: re.Match[str]) -> str:
    clock = _clock(match["H"], match["M"], match["S"], match["z"] or "") if match["H"] else ""
    return _iso(int(match["y"]), int(match["m"]), int(match["d"]), clock)


def _clock(hour: str, minute: str, second: str | None, zone: str) -> str:
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    return f"T{int(hour):02}:{minute}" + (f":{second}" if second else "") + _zone(zone)


def _zone(zone: str) -> str:
    name = zone.upper()
    if name in ("Z", "UTC", "GMT"):
        return "Z"
    if not name or name[0] not in "+-":
        return ""
    digits = name[1:].replace(":", "").ljust(4, "0")
    return f"{name[0]}{digits[:2]}:{digits[2:]}" if int(digits[:2]) <= 14 and int(digits[2:]) < 60 else ""


def _iso(year: int, month: int, day: int, clock: str = "") -> str:
    try:
        return date(year, month, day).isoformat() + clock
    except ValueError:
        return ""


# --- dates in sentences ----------------------------------------------------------------------------------------

_TIME = (
    r"(?:(?:\s*[,|•·/–-]?\s*|\s+)(?:at\s+|um\s+|à\s+|a las\s+|alle\s+|às\s+|kl\.?\s*|o\s+)?"
    r"(?P<H>\d{1,2})(?::|\.|h)(?P<M>\d{2})(?::(?P<S>\d{2}))?\s*(?P<ap>[AaPp]\.?[Mm]\b\.?)?"
    r"(?:\s*(?:Uhr|Hrs?|Hours)\b)?(?:\s*(?P<z>Z\b|UTC\b|GMT\b|(?-i:[A-Z]{2,4})\b|[+-]\d{2}:?\d{2}))?)?"
)
_DAY = r"(?P<d>[0-3]?\d)"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_NOT_INSIDE = r"(?<![\w/.:,+#$€£-])"
_END = r"(?![\w/]|[.,:-]\d)"
# a word that may be a month's name; which words are is decided afterwards
_WORD = r"(?P<b>[^\W\d_][^\s\d,;:!?()/|.\"•·–—-]{1,14}+(?:\s(?:الثاني|الأول))?)"
_AGAIN = r"(?:\s?/\s?[^\W\d_]{3,12})?"  # آذار/مارس
_NAMED = (
    # 12. März 2026 · 12 de marzo de 2026 · 1er mars 2026 · 2nd of May, 2026 · 12-Mar-2026 · 12 במרץ 2026
    re.compile(
        rf"(?<![\w/.:+#$€£]){_DAY}(?:st|nd|rd|th|er|º|ª|°|-?го|\.)?(?:\s+(?:of|del?|den)(?=\s)|\s+d(?=['’]))?"
        rf"[\s\u00a0.,/'’-]{{0,3}}{_WORD}\.?{_AGAIN}"
        rf"(?:\s+del?)?[\s\u00a0.,،'/-]{{0,3}}{_YEAR}(?![\w])(?!-\d)(?:\s*(?:г\.|р\.|年))?{_TIME}",
        re.IGNORECASE,
    ),
    # March 12, 2026 · Mar. 12th 2026
    re.compile(
        rf"(?<![\w/.:]){_WORD}\.?[\s\u00a0.]{{0,3}}{_DAY}(?:st|nd|rd|th)?[\s\u00a0,.]{{1,3}}{_YEAR}(?![\w]){_TIME}",
        re.IGNORECASE,
    ),
    # 2026 March 12 · 2026. március 12. · 2026-Mar-12 · 2026. gada 12. martā
    re.compile(
        rf"(?<![\w/.:-]){_YEAR}(?:ko)?[\s\u00a0.,/-]{{1,3}}(?:m\.\s*)?{_WORD}\.?[\s\u00a0,/-]{{1,2}}{_DAY}(?![\d:]){_TIME}",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<!\d){_YEAR}\.\s*gada\s*{_DAY}\.\s*{_WORD}", re.IGNORECASE),
    # 2026年3月12日 · 2026년 3월 12일
    re.compile(rf"{_YEAR}\s*[年년]\s*(?P<m>\d{{1,2}})\s*[月월]\s*{_DAY}\s*[日일号號]?{_TIME}"),
    # 2026. 3. 12. · 2026. 03. 12.
    re.compile(rf"(?<![\d.]){_YEAR}\.\s(?P<m>[01]?\d)\.\s{_DAY}(?:\.|(?!\w)){_TIME}"),
    # 12 tháng 3 năm 2026 · 12 tháng 3, 2026
    re.compile(rf"(?<!\d){_DAY}\s+tháng\s+(?P<m>[01]?\d)(?:\s*,)?(?:\s+năm)?\s+{_YEAR}(?!\d){_TIME}", re.IGNORECASE),
)
_YEAR_FIRST = re.compile(
    rf"(?<![\w./:+#-]){_YEAR}(?P<s>[-/.])(?P<m>[01]?\d)(?P=s)(?P<d>[0-3]?\d)(?![\d/]|[.-]\d)\.?(?:[T\s]|(?=\W|$)){_TIME}"
)
_NUMBERS = re.compile(
    rf"{_NOT_INSIDE}(?P<a>[0-3]?\d)(?P<s>[./-])\s?(?P<c>[0-3]?\d)(?P=s)\s?(?P<y>(?:19|20)\d\d|\d\d){_END}{_TIME}"
)
# what every date has; most blocks of a page have it not, and are done
_YEAR_SIGN = re.compile(r"(?:19|20)\d\d")
_NUMBERS_SIGN = re.compile(r"\d[./-]\s?\d\d?[./-]\s?\d")
_ISO_IN_TEXT = re.compile(rf"(?<![\w./:+#-]){_ISO.pattern}(?![-/]\d)")
# numbers that look like a date in digits and are none
_NO_DATE_BEFORE = re.compile(
    r"(?:\bv|version|release|ver\.?|tel\.?|telefon|phone|fax|mobil|call|§|art\.|abs\.|nr\.|no\.|isbn|doi|din|iso|kb|build|€|\$|£|ip)[\s:]*$",
    re.IGNORECASE,
)


def may_hold_date(text: str, language: str = "") -> bool:
    """Say, at little cost, whether a text may hold a date that `find_dates` finds."""
    plain = plain_figures(text)
    signs = _YEAR_SIGN.search(plain) or _NUMBERS_SIGN.search(plain)
    return bool(signs) or may_hold_other_calendar(plain, language)


def find_dates(text: str, *, language: str = "", order: Order | None = None) -> Iterator[FoundDate]:
    """Yield the full dates in a text in the order in which they stand there.

    Args:
        text: what a person reads; only the first few thousand characters are looked at.
        language: BCP 47; decides what a month is called and, without `order`, which number of `3/4/2024` it is.
        order: overrides the order that the language implies.
    """
    text = plain_figures(text[:_MAX_TEXT])
    found: list[FoundDate] = []
    if _YEAR_SIGN.search(text):
        found += _named_dates(text, language)
    if _NUMBERS_SIGN.search(text):
        found += _number_dates(text, order or number_order(language))
    if may_hold_other_calendar(text, language):
        days = find_other_calendars(text, language)
        found += (FoundDate(_iso(one.year, one.month, one.day), one.start, one.end) for one in days)
    end = -1
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if one.start >= end:
            end = one.end
            yield one


def _named_dates(text: str, language: str) -> Iterator[FoundDate]:
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            month = month_number(groups["b"], language) if groups.get("b") else int(groups.get("m") or 0)
            if month and (iso := _iso(int(match["y"]), month, int(match["d"]), _text_clock(match))):
                yield FoundDate(iso, match.start(), match.end())


def _number_dates(text: str, order: Order) -> Iterator[FoundDate]:
    for match in _ISO_IN_TEXT.finditer(text):
        if iso := _assemble(match):
            yield FoundDate(iso, match.start(), match.end())
    for match in _YEAR_FIRST.finditer(text):
        if iso := _iso(int(match["y"]), int(match["m"]), int(match["d"]), _text_clock(match)):
            yield FoundDate(iso, match.start(), match.end())
    for match in _NUMBERS.finditer(text):
        if not _NO_DATE_BEFORE.search(text, 0, match.start()) and (iso := _three_numbers(match, order)):
            yield FoundDate(iso, match.start(), match.end())


def _three_numbers(match: re.Match[str], order: Order) -> str:
    first, second, year = int(match["a"]), int(match["c"]), match["y"]
    # a dotted date has its day first wherever dots are used; two digits of a year need two of the others
    if len(year) == 2 and (len(match["a"]) < 2 or len(match["c"]) < 2) and match["s"] != "/":
        return ""
    if match["s"] == ".":
        order = Order.DAY_FIRST
    month_day = _month_and_day(first, second, order)
    full_year = int(year) if len(year) == 4 else 2000 + int(year)
    return _iso(full_year, *month_day, _text_clock(match)) if month_day else ""


def _month_and_day(first: int, second: int, order: Order) -> tuple[int, int] | None:
    if first > 12 or first == second:
        return second, first
    if second > 12:
        return first, second
    if order is Order.UNKNOWN:
        return None
    return (first, second) if order is Order.MONTH_FIRST else (second, first)


# RFC 5322 section 4.3 defines the American names; the European ones have one meaning each
_ZONES = {
    "Z": "Z", "UTC": "Z", "GMT": "Z", "EST": "-05:00", "EDT": "-04:00", "CDT": "-05:00", "MDT": "-06:00",
    "MST": "-07:00", "PST": "-08:00", "PDT": "-07:00", "CET": "+01:00", "MEZ": "+01:00", "CEST": "+02:00",
    "MESZ": "+02:00", "EET": "+02:00", "EEST": "+03:00", "WEST": "+01:00", "WET": "Z", "": "",
}  # fmt: skip


def _text_clock(match: re.Match[str]) -> str:
    """Return `THH:MM[:SS][zone]` of a match; empty when there is no time or its zone has no single meaning."""
    groups = match.groupdict()
    if not groups.get("H"):
        return ""
    hour, half = int(groups["H"]), (groups["ap"] or "").replace(".", "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    zone = groups["z"] or ""
    if zone[:1] not in ("+", "-"):
        if zone not in _ZONES:
            return ""
        zone = _ZONES[zone]
    return _clock(str(hour), groups["M"], groups["S"], zone)
