"""When a page was published and changed, from the strongest evidence that it carries.

Evidence, strongest first: JSON-LD of the page's own node; meta tags made for dates; microdata; a labelled date
("Published …"); `<time>`, marked elements and short texts around the title; the URL. A sitemap's lastmod says when
something changed, so it never becomes the date of publication.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from contentbot.extract.dates import (
    FoundDate,
    Order,
    find_dates,
    is_plausible,
    learn_order,
    number_order,
    parse_timestamp,
)
from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.survey import Block, Survey
from contentbot.extract.metadata.text import squash
from contentbot.extract.months import MONTH_PATTERN

_PUBLISHED_LABEL = re.compile(rf"\b{vocabulary.PUBLISHED_LABEL}\b", re.IGNORECASE)
_MODIFIED_LABEL = re.compile(rf"\b{vocabulary.MODIFIED_LABEL}\b", re.IGNORECASE)
_LABELS = re.compile(f"{_PUBLISHED_LABEL.pattern}|{_MODIFIED_LABEL.pattern}", re.IGNORECASE)
_OTHER_LABEL = re.compile(rf"\b{vocabulary.OTHER_LABEL}\b[^.]{{0,20}}$|©", re.IGNORECASE)
_DATE_NAME = re.compile(rf"(?<![a-z]){vocabulary.DATE_NAME}(?![a-z])")
_UPDATED_NAME = re.compile(rf"(?<![a-z]){vocabulary.UPDATED_NAME}(?![a-z])")
_NO_DATE_NAME = re.compile(rf"(?<![a-z]){vocabulary.OTHER_DATE_NAME}(?![a-z])")

# sentences that blogs and wikis print under a text
_NOTICE = re.compile(
    r"^(?:this|dieser?) (?:entry|post|article|page|artikel|beitrag|eintrag|seite)\b|\blast (?:edited|modified|updated)\b",
    re.IGNORECASE,
)
# how many characters may stand between a label and its date
_LABEL_REACH = 45


@dataclass(frozen=True, slots=True)
class Dated:
    """A date and the place it was read from."""

    iso: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Dates:
    """When a page was published and when it was last changed; empty where it does not say so."""

    published: Dated = Dated()
    modified: Dated = Dated()


class DateReader:
    """Reads the dates of one page; the arguments are what the other readers found."""

    def __init__(
        self,
        head: Head,
        graph: Graph,
        survey: Survey,
        *,
        title: Block | None,
        url: str,
        language: str,
        now: datetime,
        lastmod: str,
    ) -> None:
        self._head, self._graph, self._survey = head, graph, survey
        self._title, self._url, self._now = title, url, now
        self._end_of_top = survey.end_of_top(title) if title is not None else 0
        self._language = language
        self._order = number_order(language)
        if self._order is Order.UNKNOWN:
            self._order = learn_order(" ".join(block.text for block in survey.blocks if "/" in block.text), lastmod)

    def read(self) -> Dates:
        """Return both dates."""
        published = self._or_as_minted(self._first(self._published()))
        modified = self._first(self._modified())
        return Dates(published, modified)

    def _or_as_minted(self, declared: Dated) -> Dated:
        """Return the declared date, or the day in the page's address when that is the better one.

        The address was minted when the page appeared: an earlier day in it beats a date that was set anew, and is the
        publisher's own day where a moment in UTC falls on the next or the previous one.
        """
        minted = Dated(date_in_url(self._url, self._order), "url")
        if not declared.iso or not is_plausible(minted.iso, self._now):
            return declared
        earlier = minted.iso < declared.iso[:10]
        return minted if earlier or _is_next_day(declared.iso, minted.iso) else declared

    def _first(self, candidates: Iterator[Dated]) -> Dated:
        return next((one for one in candidates if one.iso and is_plausible(one.iso, self._now)), Dated())

    def _published(self) -> Iterator[Dated]:
        yield from self._structured("jsonld", self._graph.strings("datePublished"))
        yield from self._metas(vocabulary.PUBLISHED_METAS)
        yield from self._properties("datepublished")
        yield from self._structured("jsonld", self._graph.strings("dateCreated", "uploadDate"))
        yield from self._metas(tuple(name for name in self._head.metas if _PUBLISHED_META.search(name)))
        yield from self._labelled(_PUBLISHED_LABEL, near=True)
        yield from self._times(near=True)
        yield from self._marked(near=True)
        yield from self._unlabelled()
        yield from self._labelled(_PUBLISHED_LABEL, near=False)
        yield from self._from_url()
        yield from self._times(near=False)
        yield from self._marked(near=False)
        yield from self._only_date()

    def _modified(self) -> Iterator[Dated]:
        yield from self._structured("jsonld", self._graph.strings("dateModified"))
        yield from self._metas(vocabulary.MODIFIED_METAS)
        yield from self._properties("datemodified")
        yield from self._labelled(_MODIFIED_LABEL, near=True)
        yield from self._labelled(_MODIFIED_LABEL, near=False)

    # --- declared ----------------------------------------------------------------------------------------------

    def _structured(self, origin: str, values: Iterator[str]) -> Iterator[Dated]:
        for value in values:
            yield Dated(self._parse(value), origin)

    def _metas(self, names: tuple[str, ...]) -> Iterator[Dated]:
        for name, value in self._head.named(*names):
            yield Dated(self._parse(value), name)

    def _properties(self, name: str) -> Iterator[Dated]:
        for mark in self._survey.marks:
            if not mark.foreign and name in (mark.element.get("itemprop") or "").lower().split():
                yield Dated(self._of_element(mark.element), f"itemprop={name}")

    def _parse(self, value: str) -> str:
        return parse_timestamp(value, language=self._language, order=self._order)

    def _of_element(self, element: HtmlElement) -> str:
        for attribute in ("datetime", "content", "title"):
            if iso := self._parse(element.get(attribute) or ""):
                return iso
        return self._in_text(squash(element.text_content()[:300]))

    def _in_text(self, text: str) -> str:
        return next((found.iso for found in self._find(text)), "")

    # --- visible -----------------------------------------------------------------------------------------------

    def _labelled(self, label: re.Pattern[str], *, near: bool) -> Iterator[Dated]:
        """Yield dates with a label before them: around the title, then anywhere in texts that are no more than that."""
        for block in self._lines(label, near=near):
            for found in self._find(block.text):
                before = block.text[max(0, found.start - _LABEL_REACH) : found.start]
                behind = block.text[found.end : found.end + _LABEL_REACH] if _is_notice(block) else ""
                if self._label_before(label, before) or (not _LABELS.search(before) and label.search(behind)):
                    yield Dated(found.iso, "labelled")

    def _lines(self, label: re.Pattern[str], *, near: bool) -> Iterator[Block]:
        for block in self._survey.blocks:
            if block.foreign or block.level == 1 or self._is_near(block.position) is not near:
                continue
            if (
                len(block.text) <= 250
                if near
                else (len(block.text) <= 80 and label.match(block.text)) or _is_notice(block)
            ):
                yield block

    def _label_before(self, label: re.Pattern[str], before: str) -> bool:
        other = _MODIFIED_LABEL if label is _PUBLISHED_LABEL else _PUBLISHED_LABEL
        mine = _last(label, before)
        # in "Published in 2020, updated" the nearer label counts, and a clause between label and date parts them
        return (
            mine >= 0
            and mine > _last(other, before)
            and not re.search(r"[.;!?]\s+\w{4,}|\b(?:in|at) [A-Z]", before[mine:])
        )

    def _find(self, text: str) -> Iterator[FoundDate]:
        return find_dates(text, language=self._language, order=self._order)

    def _times(self, *, near: bool) -> Iterator[Dated]:
        for mark in self._survey.marks:
            if (
                mark.foreign
                or mark.element.tag != "time"
                or self._is_near(mark.position) is not near
                or self._is_about_else(mark.element)
            ):
                continue
            yield Dated(self._of_element(mark.element), "time")

    def _marked(self, *, near: bool) -> Iterator[Dated]:
        for mark in self._survey.marks:
            if mark.foreign or self._is_near(mark.position) is not near or self._is_about_else(mark.element):
                continue
            names = _names(mark.element)
            if _DATE_NAME.search(names):
                text = squash(mark.element.text_content()[:400])
                if len(text) < 200:
                    yield Dated(self._before_label(text), "class")

    def _before_label(self, text: str) -> str:
        for found in self._find(text):
            before = text[: found.start]
            if not _OTHER_LABEL.search(before) and _last(_MODIFIED_LABEL, before) <= _last(_PUBLISHED_LABEL, before):
                return found.iso
        return ""

    def _is_about_else(self, element: HtmlElement) -> bool:
        names = _names(element)
        return bool(_UPDATED_NAME.search(names) or _NO_DATE_NAME.search(names))

    def _unlabelled(self) -> Iterator[Dated]:
        """Yield dates of short texts around the title: there a date stands for the page."""
        if self._title is None:
            return
        for block in self._survey.near(self._title, before=4):
            for found in self._find(block.text[:250]):
                before = block.text[: found.start]
                # a line that is little more than the date, or a text that begins with it as a newspaper does
                is_line = (
                    len(block.text) <= 120 and found.end - found.start > 0.2 * len(block.text) and block.level != 1
                )
                is_dateline = not before and re.match(r"\s*[-–—:|/]\s", block.text[found.end :])
                if (is_line or is_dateline) and not _OTHER_LABEL.search(before) and _last(_MODIFIED_LABEL, before) < 0:
                    yield Dated(found.iso, "near the title")

    def _only_date(self) -> Iterator[Dated]:
        """Yield the date of the short texts of a page when they all agree on it."""
        days = {
            found.iso[:10]
            for block in self._survey.blocks
            if not block.foreign and len(block.text) <= 60
            for found in self._find(block.text)
            if not _OTHER_LABEL.search(block.text[: found.start])
        }
        if len(days) == 1:
            yield Dated(days.pop(), "only date")

    def _is_near(self, position: int) -> bool:
        return self._title is not None and self._title.position - 5 <= position < self._end_of_top

    # --- address -----------------------------------------------------------------------------------------------

    def _from_url(self) -> Iterator[Dated]:
        yield Dated(date_in_url(self._url, self._order), "url")


# names of meta tags that no list holds
_PUBLISHED_META = re.compile(
    r"^(?!.*(?:modif|expir|update|access|event|time_?zone)).*(?:publi(?:sh|cation)|pub_?date|upload|posted|issued)"
)
_URL_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([/_.-]?)(0[1-9]|1[0-2]|[1-9](?=[/_-]))\2(0[1-9]|[12]\d|3[01]|[1-9](?=[/_-]|$))(?!\d)"
)
_URL_MONTH_NAME = re.compile(rf"/((?:19|20)\d\d)/({MONTH_PATTERN})/([0-3]?\d)(?!\d)", re.IGNORECASE)
_URL_DAY_FIRST = re.compile(r"(?<!\d)(0[1-9]|[12]\d|3[01])([-_.])(0[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)")


def date_in_url(url: str, order: Order = Order.UNKNOWN) -> str:
    """Return the date that the path of a URL spells: `/2026/03/12/…`, `/2026-03-12-…`, `/20260312…`, `/12-03-2026…`.

    Of `12-03-2026` the order has to be known; of `12032026` it never is.
    """
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    if match := _URL_DATE.search(path):
        return parse_timestamp(f"{match[1]}-{match[3]}-{match[4]}")
    if match := _URL_MONTH_NAME.search(path):
        return parse_timestamp(f"{match[3]} {match[2]} {match[1]}")
    if match := _URL_DAY_FIRST.search(path):
        return parse_timestamp(f"{match[1]}/{match[3]}/{match[4]}", order=order)
    return ""


def _is_next_day(moment: str, day: str) -> bool:
    """Say whether a day follows that of a moment in UTC, in a zone east of it."""
    if not moment.endswith(("Z", "+00:00")):
        return False
    away = datetime.fromisoformat(day[:10]) - datetime.fromisoformat(moment[:10])
    return away.days == 1 and int(moment[11:13]) >= 10


def _is_notice(block: Block) -> bool:
    return len(block.text) <= 250 and bool(_NOTICE.search(block.text))


def _names(element: HtmlElement) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower().replace("_", "-")


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)
