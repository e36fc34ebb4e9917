"""Dates that are not written in the figures and the calendar of most of the web.

Figures of other scripts become ASCII. Years of the Buddhist calendar (Thailand), of Japanese eras and of the Republic
of China are shifted to Gregorian ones; days of the Persian calendar are converted by its cycle of 33 years, which is
exact from 1178 to 1633 (1799 to 2255): Heydari, "A review of the Persian calendar", 2004. Hijri dates are not
converted: they follow the moon as it was seen, and a calculated day may be another one.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10)
_FIGURES = {zero + figure: str(figure) for zero in _ZEROS for figure in range(10)}
_OTHER_FIGURE = re.compile("[" + "".join(f"{chr(zero)}-{chr(zero + 9)}" for zero in _ZEROS) + "]")


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day as the Gregorian calendar counts it, and where its text stands."""

    year: int
    month: int
    day: int
    start: int
    end: int


def plain_figures(text: str) -> str:
    """Return the text, as long as before, with the figures of Arabic, Persian, Indian and Thai scripts in ASCII."""
    return text.translate(_FIGURES) if not text.isascii() and _OTHER_FIGURE.search(text) else text


# --- the Persian calendar ------------------------------------------------------------------------------------------

_PERSIAN_MONTHS = (
    "فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند",
    "حمل|ثور|جوزا|سرطان|اسد|سنبله|میزان|عقرب|قوس|جدی|دلو|حوت",
)
_PERSIAN = {name: number for row in _PERSIAN_MONTHS for number, name in enumerate(row.split("|"), 1)}
# years of the cycle of 33 that have a day more; a year that is divided by 33 leaves one of these
_LONG_YEARS = (1, 5, 9, 13, 17, 22, 26, 30)


def from_persian(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian day; None where the Persian calendar has no such day."""
    is_long = year % 33 in _LONG_YEARS
    length = 31 if month <= 6 else 30 if month <= 11 or is_long else 29
    if not (1178 <= year <= 1633 and 1 <= month <= 12 and 1 <= day <= length):
        return None
    # the first day of 1400 was 21 March 2021
    first, last = sorted((year, 1400))
    long_years = sum(one % 33 in _LONG_YEARS for one in range(first, last))
    days = ((last - first) * 365 + long_years) * (1 if year >= 1400 else -1)
    before = 31 * (month - 1) if month <= 7 else 186 + 30 * (month - 7)
    return date(2021, 3, 21) + timedelta(days=days + before + day - 1)


# --- years that count from elsewhere -------------------------------------------------------------------------------

_THAI_MONTHS = (
    "มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม",
    "ม.ค.|ก.พ.|มี.ค.|เม.ย.|พ.ค.|มิ.ย.|ก.ค.|ส.ค.|ก.ย.|ต.ค.|พ.ย.|ธ.ค.",
)
_THAI = {name: number for row in _THAI_MONTHS for number, name in enumerate(row.split("|"), 1)}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}


def _any_of(names: dict[str, int]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + ")"


_PATTERNS = {
    "persian": re.compile(rf"(?<!\d)([0-3]?\d)\s*({_any_of(_PERSIAN)})\s*(?:ماه\s*)?،?\s*(1[34]\d\d)(?!\d)"),
    "thai": re.compile(rf"(?<!\d)([0-3]?\d)\s*({_any_of(_THAI)})\s*(?:พ\.?\s?ศ\.?\s*)?(25\d\d|20\d\d|[67]\d)(?!\d)"),
    "era": re.compile(rf"({_any_of(_ERAS)})\s*(\d{{1,3}}|元)\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*日"),
}
_PERSIAN_FIGURES = re.compile(r"(?<![\d/.-])(1[34]\d\d)([/.-])([01]?\d)\2([0-3]?\d)(?![\d/.-])")
_BUDDHIST_FIGURES = re.compile(r"(?<![\d/.-])([0-3]?\d)([/.-])([01]?\d)\2(25\d\d)(?![\d/.-])")
_SIGN = re.compile("[\u0600-\u06ff\u0e00-\u0e7f]|[令和平成昭民]")
_FIGURES_SIGN = re.compile(r"(?:1[34]|25)\d\d")


def may_hold_other_calendar(text: str, language: str) -> bool:
    """Say, at little cost, whether `find_other_calendars` may find something in a text with plain figures."""
    by_words = not text.isascii() and bool(_SIGN.search(text))
    return by_words or (language[:2] in ("fa", "th") and bool(_FIGURES_SIGN.search(text)))


def find_other_calendars(text: str, language: str) -> Iterator[CalendarDay]:
    """Yield the days that a text names by another calendar than the Gregorian.

    Args:
        text: what a person reads, its figures made plain.
        language: BCP 47; figures alone, such as 1404/12/21, are Persian or Buddhist on a page in that language only.
    """
    if not text.isascii() and _SIGN.search(text):
        yield from _named(text)
    figures: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], date | None]]] = {
        "fa": (_PERSIAN_FIGURES, lambda match: from_persian(int(match[1]), int(match[3]), int(match[4]))),
        "th": (_BUDDHIST_FIGURES, lambda match: _day(int(match[4]) - 543, int(match[3]), int(match[1]))),
    }
    if language[:2] in figures:
        pattern, convert = figures[language[:2]]
        for match in pattern.finditer(text):
            if day := convert(match):
                yield CalendarDay(day.year, day.month, day.day, match.start(), match.end())


def _named(text: str) -> Iterator[CalendarDay]:
    readers: dict[str, Callable[[re.Match[str]], date | None]] = {
        "persian": lambda match: from_persian(int(match[3]), _PERSIAN[match[2]], int(match[1])),
        "thai": lambda match: _day(_thai_year(match[3]), _THAI[match[2]], int(match[1])),
        "era": lambda match: _day(_era_year(match[1], match[2]), int(match[3]), int(match[4])),
    }
    for name, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            if day := readers[name](match):
                yield CalendarDay(day.year, day.month, day.day, match.start(), match.end())


def _thai_year(year: str) -> int:
    # two figures are the last of a Buddhist year; some pages in Thai count as the rest of the world does
    counted = int(year) if len(year) == 4 else 2500 + int(year)
    return counted - 543 if counted >= 2500 else counted


def _era_year(era: str, year: str) -> int:
    return _ERAS[era] + (1 if year == "元" else int(year))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
