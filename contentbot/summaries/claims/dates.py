"""Dates of a summary, and whether its article has them.

A date is year, month and day as far as they are said. It is carried by a date of the article, or the day it was
published or modified, that says at least as much and nothing else; a year that is left out there is that of the
publication, or one that stands elsewhere in the article. Where an article says "yesterday", the day before its
publication is carried too, and where it names a day of the week, those within a week of its publication. Months alone,
days of the week and times are not compared.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from contentbot.extract.months import MONTH_PATTERN, month_number

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?"
_YEAR = r"(?P<year>(?:1[5-9]|20|21)\d\d)"
_MONTH = rf"(?P<month>{MONTH_PATTERN})\.?"
_JOINT = r"(?:,| of| de| del|\.)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<![\w.-]){_YEAR}-(?P<number>\d{{1,2}})-(?P<day>\d{{1,2}})(?!\d)",
        r"(?P<year>\d{4})[年년] ?(?:(?P<number>\d{1,2})[月월] ?(?:(?P<day>\d{1,2})[日일])?)?",
        r"(?P<number>\d{1,2})[月월] ?(?P<day>\d{1,2})[日일]",
        rf"(?<![\w.,]){_DAY}{_JOINT} ?{_MONTH}(?:{_JOINT} ?{_YEAR}(?!\d))?",
        rf"(?<!\w){_MONTH} {_DAY}(?![\d%]|[.,:]\d)(?:,? {_YEAR}(?!\d))?",
        rf"(?<!\w){_MONTH}{_JOINT} {_YEAR}(?!\d)",
    )
)
_SLASHED = re.compile(
    rf"(?<![\w./-])(?P<first>\d{{1,2}})(?P<sign>[./-]) ?(?P<second>\d{{1,2}})(?P=sign) ?{_YEAR}(?!\d)"
)
# days as they are told from the day of publication on, and days of the week, Monday first
_FROM_TODAY = {
    -2: "vorgestern|anteayer|avant-hier",
    -1: "yesterday|gestern|hier|ayer|ieri|gisteren|ontem",
    0: "today|tonight|this (?:morning|afternoon|evening)|heute|aujourd'hui|hoy|oggi|vandaag|hoje",
    1: "tomorrow|morgen|demain|mañana|domani|amanhã",
    2: "übermorgen",
}
_WEEKDAYS = (
    "monday|montag|lundi|lunes|lunedì|maandag|segunda-feira",
    "tuesday|dienstag|mardi|martes|martedì|dinsdag|terça-feira",
    "wednesday|mittwoch|mercredi|miércoles|mercoledì|woensdag|quarta-feira",
    "thursday|donnerstag|jeudi|jueves|giovedì|donderdag|quinta-feira",
    "friday|freitag|vendredi|viernes|venerdì|vrijdag|sexta-feira",
    "saturday|samstag|sonnabend|samedi|sábado|sabato|zaterdag",
    "sunday|sonntag|dimanche|domingo|domenica|zondag",
)
_NEAR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as far as it is said; 0 for what is not. `twin` is the other reading of `03/04/2026`."""

    year: int
    month: int
    day: int
    shown: str = ""
    start: int = 0
    end: int = 0
    twin: "PartialDate | None" = None

    @property
    def readings(self) -> tuple["PartialDate", ...]:
        """What it may mean."""
        return (self, self.twin) if self.twin else (self,)


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of an article, and the years that it names beside them."""

    said: tuple[PartialDate, ...]
    known: tuple[date, ...] = ()
    years: frozenset[int] = frozenset()
    told: frozenset[date] = frozenset()

    @classmethod
    def of(cls, text: str, language: str, *known: str) -> "Dates":
        """Read a plain text; `known` are ISO dates that belong to the article, such as its publication."""
        days = tuple(day for one in known if (day := _iso(one)))
        years = {int(run) for run in re.findall(r"(?<!\d)\d{4}(?!\d)", text)} | {day.year for day in days}
        said = tuple(reading for found in find_dates(text, language) for reading in found.readings)
        return cls(said, days, frozenset(years), frozenset(_told(text, days)))

    def carry(self, wanted: PartialDate) -> bool:
        """Say whether the article has a date."""
        return any(self._carries(reading) for reading in wanted.readings)

    def _carries(self, wanted: PartialDate) -> bool:
        known = (PartialDate(day.year, day.month, day.day) for day in self.known)
        return any(self._fits(wanted, one) for one in (*self.said, *known)) or self._is_told(wanted)

    def _fits(self, wanted: PartialDate, said: PartialDate) -> bool:
        if wanted.month != said.month or (wanted.day and wanted.day != said.day):
            return False
        if not wanted.year or wanted.year == said.year:
            return True
        return not said.year and wanted.year in self.years

    def _is_told(self, wanted: PartialDate) -> bool:
        return any(
            (wanted.year or day.year, wanted.month, wanted.day) == (day.year, day.month, day.day) for day in self.told
        )


def find_dates(text: str, language: str) -> Iterator[PartialDate]:
    """Yield the dates of a plain text that say a month and a day, or a month and a year."""
    taken: list[tuple[int, int]] = []
    for found in _candidates(text, language):
        if not any(found.start < end and start < found.end for start, end in taken):
            taken.append((found.start, found.end))
            yield found


def _candidates(text: str, language: str) -> Iterator[PartialDate]:
    for match in _SLASHED.finditer(text):
        if found := _slashed(match):
            yield found
    for form in _FORMS:
        for match in form.finditer(text):
            if found := _written(match, language):
                yield found


def _slashed(match: re.Match[str]) -> PartialDate | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    place = (match[0], match.start(), match.end())
    day_first = PartialDate(year, second, first, *place) if _date(year, second, first) else None
    month_first = PartialDate(year, first, second, *place) if _date(year, first, second) else None
    if match["sign"] == "." or not month_first:
        return day_first
    return PartialDate(year, first, second, *place, twin=day_first if day_first != month_first else None)


def _written(match: re.Match[str], language: str) -> PartialDate | None:
    parts = {name: value for name, value in match.groupdict().items() if value}
    name = parts.get("month", "")
    # short names are ordinary words in one language or the other, such as `out`, `set` and `mar`
    if name and len(name) < 4 and not name[0].isupper():
        return None
    month = month_number(name, language) if name else int(parts.get("number", 0))
    year, day = int(parts.get("year", 0)), int(parts.get("day", 0))
    if not month or not _date(year or 2000, month, day or 1):
        return None
    return PartialDate(year, month, day, match[0].strip(" ,."), match.start(), match.end())


def _told(text: str, known: tuple[date, ...]) -> Iterator[date]:
    """Yield the days that a text tells from the days that belong to it."""
    said = text.casefold()
    near = {day + timedelta(days=apart) for day in known for apart in range(-_NEAR.days, _NEAR.days + 1)}
    for apart, words in _FROM_TODAY.items():
        if re.search(rf"\b(?:{words})\b", said):
            yield from (day + timedelta(days=apart) for day in known)
    for number, words in enumerate(_WEEKDAYS):
        if re.search(rf"\b(?:{words})s?\b", said):
            yield from (day for day in near if day.weekday() == number)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
