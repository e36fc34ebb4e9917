"""Dates that a reader sees: labelled ones, `<time>`, elements named for dates, and lines around the title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from lxml.html import HtmlElement

from contentbot.extract.dates import FoundDate, Order, find_dates, may_hold_date, parse_timestamp
from contentbot.extract.metadata import labels, vocabulary
from contentbot.extract.metadata.elements import names_of, text_of
from contentbot.extract.metadata.survey import Block, Mark, Survey

_PUBLISHED = re.compile(rf"\b{labels.PUBLISHED_LABEL}\b|{labels.UNSPACED_PUBLISHED}", re.IGNORECASE)
_WRITTEN = re.compile(rf"\b{labels.WRITTEN_LABEL}\b", re.IGNORECASE)
_MODIFIED = re.compile(rf"\b{labels.MODIFIED_LABEL}\b|{labels.UNSPACED_MODIFIED}", re.IGNORECASE)
_OTHER = re.compile(rf"\b{labels.OTHER_LABEL}\b[^.]{{0,20}}$|©", re.IGNORECASE)
_DATE_NAME = re.compile(rf"(?<![a-z]){vocabulary.DATE_NAME}(?![a-z])")
_UPDATED_NAME = re.compile(rf"(?<![a-z]){vocabulary.UPDATED_NAME}(?![a-z])")
_PUBLISHED_NAME = re.compile(r"(?<![a-z])(?:published|created)(?![a-z])")
_FIRST_PUBLISHED = re.compile(rf"\b{labels.FIRST_PUBLISHED}\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|von|par|por|da|door|av|af)\b", re.IGNORECASE)
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
_LINE, _LONG_LINE, _LABEL, _LONGEST_NOTICE = 120, 250, 30, 600
_BEFORE = 5


class Label(Enum):
    """What the words before a date say that it is."""

    NONE = "none"
    PUBLISHED = "published"
    WRITTEN = "written"
    MODIFIED = "modified"
    OTHER = "other"


# what a date of the page's appearance may be called
_FITTING = (Label.NONE, Label.PUBLISHED, Label.WRITTEN)


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
        # most blocks hold no date, and are done
        self._dated = [block for block in survey.blocks if not block.foreign and may_hold_date(block.text, language)]
        self._updates = [mark for mark in survey.marks if not mark.foreign and _is_update(mark.element)]
        self._top = range(0)
        if title is not None:
            self._top = range(title.position - _BEFORE, survey.end_of_top(title))

    def labelled(self, *labels: Label, near: bool) -> Iterator[Dated]:
        """Yield dates with such a label before them; away from the title, in texts that are little more than that."""
        for block in self._dated:
            if block.level == 1 or (block.position in self._top) is not near:
                continue
            if (near and len(block.text) <= _LONG_LINE) or self._is_short_notice(block):
                yield from self._with_label(block, labels)

    def first_published(self) -> Iterator[Dated]:
        """Yield dates that the page calls the first ones: `This article was originally published on …`."""
        for block in self._dated:
            for match in _FIRST_PUBLISHED.finditer(block.text[:_LONGEST_NOTICE]):
                for found in islice(self.find(block.text[match.end() : match.end() + _REACH]), 1):
                    yield Dated(found.iso, "labelled")

    def _is_short_notice(self, block: Block) -> bool:
        is_line = len(block.text) <= 80 and self._label(self._context(block, len(block.text))) is not Label.NONE
        return is_line or _is_notice(block)

    def _with_label(self, block: Block, labels: tuple[Label, ...]) -> Iterator[Dated]:
        for found in self.find(block.text):
            said = self._label(self._context(block, found.start))
            if said is Label.NONE and _is_notice(block):
                said = self._label(block.text[found.end : found.end + _REACH])
            if said in labels:
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
        return next((found.iso for found in self.find(text) if self._label(text[: found.start]) in _FITTING), "")

    def lines(self) -> Iterator[Dated]:
        """Yield dates of lines around the title: there a date without a label stands for the page."""
        if self._title is None:
            return
        for block in self._survey.near(self._title, before=_BEFORE - 1):
            if not may_hold_date(block.text, self._language):
                continue
            updates = {self.of_element(mark.element)[:10] for mark in self._updates if mark.position == block.position}
            for found in self.find(block.text[:_LONG_LINE]):
                is_unlabelled = self._label(self._context(block, found.start)) is Label.NONE
                if is_unlabelled and found.iso[:10] not in updates and _is_dateline(block, found):
                    yield Dated(found.iso, "near the title")

    def only(self) -> Iterator[Dated]:
        """Yield the date of the short texts of a page when they all agree on it."""
        days = {
            found.iso[:10]
            for block in self._dated
            if len(block.text) <= 60
            for found in self.find(block.text)
            if self._label(self._context(block, found.start)) in _FITTING
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
        # "Reviewed by Ada Muster" is a line about a person
        is_label = len(previous) <= _LABEL and not _BY.search(previous)
        return f"{previous} {before}" if is_label else before

    def _label(self, before: str) -> Label:
        """Return what the last label in a text says; one with a clause behind it says nothing."""
        said = [(_last(pattern, before), label) for pattern, label in _LABELS]
        place, label = max(said, key=lambda one: one[0])
        if place >= 0 and not _CLAUSE.search(before[place:]):
            return label
        return Label.OTHER if place < 0 and _OTHER.search(before) else Label.NONE


_LABELS = ((_PUBLISHED, Label.PUBLISHED), (_WRITTEN, Label.WRITTEN), (_MODIFIED, Label.MODIFIED))


def _is_update(element: HtmlElement) -> bool:
    """Say whether an element is marked as the date of a change, by its property or by its names or its parent's."""
    if "datemodified" in (element.get("itemprop") or "").lower().split():
        return True
    around = (element, parent) if (parent := element.getparent()) is not None else (element,)
    listed = [_UPDATED_NAME.search(names) and not _PUBLISHED_NAME.search(names) for names in map(names_of, around)]
    return any(listed)


def _is_time(element: HtmlElement) -> bool:
    # web components that show "2 days ago"; microformats wrote `<abbr class=published title=2022-09-02>`
    dated_abbreviation = element.tag == "abbr" and element.get("title") and _DATE_NAME.search(names_of(element))
    return element.tag in {"time", "relative-time", "local-time", "time-ago"} or bool(dated_abbreviation)


def _is_dateline(block: Block, found: FoundDate) -> bool:
    """Say whether a block is little more than the date, or a text that begins with it as a newspaper does."""
    is_line = len(block.text) <= _LINE and found.end - found.start > 0.2 * len(block.text) and block.level != 1
    return is_line or bool(_DATELINE.search(f"{block.text[: found.start]}\0{block.text[found.end :]}"))


def _is_notice(block: Block) -> bool:
    return len(block.text) <= _LONGEST_NOTICE and bool(_NOTICE.search(block.text[:_LONG_LINE]))


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)
