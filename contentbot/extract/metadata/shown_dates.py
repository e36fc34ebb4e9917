"""Dates that a reader sees: labelled ones, `<time>`, elements named for dates, and lines around the title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from lxml.html import HtmlElement

from contentbot.extract.dates import FoundDate, Order, find_dates, parse_timestamp
from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.elements import names_of, text_of
from contentbot.extract.metadata.survey import Block, Mark, Survey

_PUBLISHED = re.compile(rf"\b{vocabulary.PUBLISHED_LABEL}\b", re.IGNORECASE)
_MODIFIED = re.compile(rf"\b{vocabulary.MODIFIED_LABEL}\b", re.IGNORECASE)
_OTHER = re.compile(rf"\b{vocabulary.OTHER_LABEL}\b[^.]{{0,20}}$|©", re.IGNORECASE)
_DATE_NAME = re.compile(rf"(?<![a-z]){vocabulary.DATE_NAME}(?![a-z])")
_OTHER_NAME = re.compile(rf"(?<![a-z])(?:{vocabulary.UPDATED_NAME}|{vocabulary.OTHER_DATE_NAME})(?![a-z])")
# sentences that blogs and wikis print under a text
_NOTICE = re.compile(
    r"^(?:this|dieser?) (?:entry|post|article|page|artikel|beitrag|eintrag|seite)\b|"
    r"\blast (?:edited|modified|updated)\b",
    re.IGNORECASE,
)
# a clause between a label and a date parts them
_CLAUSE = re.compile(r"[.;!?]\s+\w{4,}|\b(?:in|at) (?-i:[A-Z])", re.IGNORECASE)
# "12.3.2026 – The mill …", "Dortmund, (12.03.2026). The mill …"; the date itself is a zero byte here
_DATELINE = re.compile(r"^(?:[A-ZÄÖÜ][\w. ]{2,25},?\s)?\(?\0\)?\s?[-–—:|/.,]\s")
# how many characters may stand between a label and its date, and lengths of texts that are lines and not prose
_REACH = 45
_LINE, _LONG_LINE, _LABEL = 120, 250, 30
_BEFORE = 5


class Label(Enum):
    """What the words before a date say that it is."""

    NONE = "none"
    PUBLISHED = "published"
    MODIFIED = "modified"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Dated:
    """A date and the place it was read from."""

    iso: str = ""
    origin: str = ""


class ShownDates:
    """The visible dates of one page, around its title (`near`) or elsewhere on its own ground."""

    def __init__(self, survey: Survey, title: Block | None, *, language: str, order: Order) -> None:
        self._survey, self._title = survey, title
        self._language, self._order = language, order
        self._top = range(0)
        if title is not None:
            self._top = range(title.position - _BEFORE, survey.end_of_top(title))

    def labelled(self, label: Label, *, near: bool) -> Iterator[Dated]:
        """Yield dates with a label before them; away from the title, in texts that are little more than that."""
        for block in self._survey.blocks:
            if block.foreign or block.level == 1 or (block.position in self._top) is not near:
                continue
            if len(block.text) <= _LONG_LINE if near else self._is_short_notice(block):
                yield from self._with_label(block, label)

    def _is_short_notice(self, block: Block) -> bool:
        is_line = len(block.text) <= 80 and self._label(self._context(block, len(block.text))) is not Label.NONE
        return is_line or _is_notice(block)

    def _with_label(self, block: Block, label: Label) -> Iterator[Dated]:
        for found in self.find(block.text):
            said = self._label(self._context(block, found.start))
            if said is Label.NONE and _is_notice(block):
                said = self._label(block.text[found.end : found.end + _REACH])
            if said is label:
                yield Dated(found.iso, "labelled")

    def times(self, *, near: bool) -> Iterator[Dated]:
        """Yield the dates of `<time>` elements, and of what stood for one before or replaces one."""
        for mark in self._marks(near=near):
            if _is_time(mark.element):
                yield Dated(self.of_element(mark.element), "time")

    def named(self, *, near: bool) -> Iterator[Dated]:
        """Yield the dates in elements whose class or id names a date."""
        for mark in self._marks(near=near):
            if _DATE_NAME.search(names_of(mark.element)):
                text = self._without_title(text_of(mark.element, 400))
                yield Dated(self._unlabelled_in(text) if len(text) <= _LONG_LINE else "", "class")

    def _without_title(self, text: str) -> str:
        # a date in a title belongs to what the page is about
        return text.replace(self._title.text, " ") if self._title is not None else text

    def _marks(self, *, near: bool) -> Iterator[Mark]:
        for mark in self._survey.marks:
            if (
                not mark.foreign
                and (mark.position in self._top) is near
                and not _OTHER_NAME.search(names_of(mark.element))
            ):
                yield mark

    def _unlabelled_in(self, text: str) -> str:
        allowed = (Label.NONE, Label.PUBLISHED)
        return next((found.iso for found in self.find(text) if self._label(text[: found.start]) in allowed), "")

    def lines(self) -> Iterator[Dated]:
        """Yield dates of lines around the title: there a date without a label stands for the page."""
        if self._title is None:
            return
        for block in self._survey.near(self._title, before=_BEFORE - 1):
            for found in self.find(block.text[:_LONG_LINE]):
                if _is_dateline(block, found) and self._label(self._context(block, found.start)) is Label.NONE:
                    yield Dated(found.iso, "near the title")

    def only(self) -> Iterator[Dated]:
        """Yield the date of the short texts of a page when they all agree on it."""
        days = {
            found.iso[:10]
            for block in self._survey.blocks
            if not block.foreign and len(block.text) <= 60
            for found in self.find(block.text)
            if self._label(self._context(block, found.start)) in (Label.NONE, Label.PUBLISHED)
        }
        if len(days) == 1:
            yield Dated(days.pop(), "only date")

    def properties(self, name: str) -> Iterator[Dated]:
        """Yield the dates of microdata properties of a name in lower case."""
        for mark in self._survey.marks:
            if not mark.foreign and name in (mark.element.get("itemprop") or "").lower().split():
                yield Dated(self.of_element(mark.element), f"itemprop={name}")

    def of_element(self, element: HtmlElement) -> str:
        """Return the date of an element: of its attributes, else of its text."""
        for attribute in ("datetime", "content", "title"):
            if iso := parse_timestamp(element.get(attribute) or "", language=self._language, order=self._order):
                return iso
        return next((found.iso for found in self.find(text_of(element, 300))), "")

    def find(self, text: str) -> Iterator[FoundDate]:
        """Yield the dates in a text of this page."""
        return find_dates(text, language=self._language, order=self._order)

    def _context(self, block: Block, end: int) -> str:
        """Return what stands before a place in a block; a short block before it may be its label: `Published`."""
        before = block.text[max(0, end - _REACH) : end]
        if end > _REACH or not block.position:
            return before
        previous = self._survey.blocks[block.position - 1].text
        return f"{previous} {before}" if len(previous) <= _LABEL else before

    def _label(self, before: str) -> Label:
        """Return what the last label in a text says; one with a clause behind it says nothing."""
        published, modified = _last(_PUBLISHED, before), _last(_MODIFIED, before)
        place = max(published, modified)
        if place >= 0 and not _CLAUSE.search(before[place:]):
            return Label.PUBLISHED if published > modified else Label.MODIFIED
        return Label.OTHER if place < 0 and _OTHER.search(before) else Label.NONE


def _is_time(element: HtmlElement) -> bool:
    # web components that show "2 days ago"; microformats wrote `<abbr class=published title=2022-09-02>`
    dated_abbreviation = element.tag == "abbr" and element.get("title") and _DATE_NAME.search(names_of(element))
    return element.tag in {"time", "relative-time", "local-time", "time-ago"} or bool(dated_abbreviation)


def _is_dateline(block: Block, found: FoundDate) -> bool:
    """Say whether a block is little more than the date, or a text that begins with it as a newspaper does."""
    is_line = len(block.text) <= _LINE and found.end - found.start > 0.2 * len(block.text) and block.level != 1
    return is_line or bool(_DATELINE.search(f"{block.text[: found.start]}\0{block.text[found.end :]}"))


def _is_notice(block: Block) -> bool:
    return len(block.text) <= _LONG_LINE and bool(_NOTICE.search(block.text))


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)
