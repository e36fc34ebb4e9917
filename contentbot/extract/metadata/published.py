"""When a page was published and changed, from the strongest evidence that it carries.

Evidence, strongest first: JSON-LD of the page's own node; meta tags made for dates; microdata; the feed that listed
the page; around the title a labelled date ("Published …"), `<time>`, elements named for dates, lines; then the
address; at last dates elsewhere. What a page prints under its title as its date, without calling it an update, beats
what its software declares. A sitemap's lastmod says when something changed, or when the site rendered it: it is never
the date of publication.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from contentbot.documents import unix_seconds
from contentbot.extract.dates import Order, is_plausible, learn_order, number_order, parse_timestamp
from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.shown_dates import Dated, Label, ShownDates
from contentbot.extract.metadata.survey import Block, Survey
from contentbot.extract.metadata.url_dates import date_in_url

# names of meta tags that no list holds
_PUBLISHED_META = re.compile(
    r"^(?!.*(?:modif|expir|update|access|event|time_?zone)).*(?:publi(?:sh|cation)|pub_?date|upload|posted|issued)"
)


@dataclass(frozen=True, slots=True)
class Dates:
    """When a page was published and when it was last changed; empty where it does not say so."""

    published: Dated
    modified: Dated


@dataclass(frozen=True, slots=True)
class Listed:
    """What the list that named the page says about it: a sitemap when it changed, a feed also when it appeared."""

    lastmod: str = ""
    published: str = ""


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
        listed: Listed,
    ) -> None:
        self._head, self._graph = head, graph
        self._url, self._now, self._language = url, now, language
        self._listed = listed
        self._order = number_order(language)
        if self._order is Order.UNKNOWN:
            self._order = learn_order(
                " ".join(block.text for block in survey.blocks if "/" in block.text), listed.lastmod
            )
        self._shown = ShownDates(survey, title, language=language, order=self._order)

    def read(self) -> Dates:
        """Return both dates."""
        modified = self._first(self._modified())
        declared = self._in_own_zone(self._first(self._declared()))
        if not declared.iso:
            return Dates(self._first(self._visible()), modified)
        return Dates(self._as_minted(self._as_shown(declared)), modified)

    def _in_own_zone(self, declared: Dated) -> Dated:
        """Return the same moment as the page states it elsewhere in its publisher's zone: there the day is right."""
        if not declared.iso.endswith(("Z", "+00:00")):
            return declared
        instant = unix_seconds(declared.iso)
        zoned = (one for one in (*self._declared(), *self._vague()) if _has_zone(one.iso))
        return next((one for one in zoned if unix_seconds(one.iso) == instant), declared)

    def _as_minted(self, declared: Dated) -> Dated:
        """Return the declared date, or the day in the page's address when that is the better one.

        The address was minted when the page appeared: an earlier day in it beats a date that was set anew, and a later
        one is the publisher's own day where a moment in UTC falls on the previous.
        """
        minted = Dated(date_in_url(self._url, self._order), "url")
        if not is_plausible(minted.iso, self._now):
            return declared
        earlier = minted.iso < declared.iso[:10]
        return minted if earlier or _is_next_day(declared.iso, minted.iso) else declared

    def _as_shown(self, declared: Dated) -> Dated:
        """Return the declared date, or the one that the page shows its readers where the two are far apart.

        Declared dates are set by software, and may tell when a site was rebuilt or moved. A day's difference is one of
        zones, and day and month turned around are no other date.
        """
        shown = self._first(chain(self._shown.labelled(Label.PUBLISHED, near=True), self._shown.lines()))
        if not shown.iso or _is_turned_around(shown.iso, declared.iso):
            return declared
        return shown if abs(_days_between(shown.iso, declared.iso)) > 1 else declared

    def _first(self, candidates: Iterator[Dated]) -> Dated:
        return next((one for one in candidates if one.iso and is_plausible(one.iso, self._now)), Dated())

    def _declared(self) -> Iterator[Dated]:
        yield from self._structured("datePublished")
        yield from self._metas(vocabulary.PUBLISHED_METAS)
        yield from self._shown.properties("datepublished")
        yield from self._structured("dateCreated", "uploadDate")
        yield from self._metas(tuple(name for name in self._head.metas if _PUBLISHED_META.search(name)))
        yield Dated(self._parse(self._listed.published), "feed")

    def _visible(self) -> Iterator[Dated]:
        yield from self._shown.first_published()
        yield from self._shown.labelled(Label.PUBLISHED, Label.WRITTEN, near=True)
        yield from self._shown.times(near=True)
        yield from self._shown.named(near=True)
        yield from self._shown.lines()
        yield from self._shown.labelled(Label.PUBLISHED, Label.WRITTEN, near=False)
        yield from self._vague()
        yield Dated(date_in_url(self._url, self._order), "url")
        # away from the title many dates are those of many things, as on the page of an archive
        yield from _agreed(self._shown.times(near=False))
        yield from _agreed(self._shown.named(near=False))
        yield from self._shown.only()

    def _vague(self) -> Iterator[Dated]:
        return self._metas(vocabulary.VAGUE_DATE_METAS)

    def _modified(self) -> Iterator[Dated]:
        yield from self._structured("dateModified")
        yield from self._metas(vocabulary.MODIFIED_METAS)
        yield from self._shown.properties("datemodified")
        yield from self._shown.labelled(Label.MODIFIED, near=True)
        yield from self._shown.labelled(Label.MODIFIED, near=False)

    def _structured(self, *keys: str) -> Iterator[Dated]:
        for value in self._graph.strings(*keys):
            yield Dated(self._parse(value), "jsonld")

    def _metas(self, names: tuple[str, ...]) -> Iterator[Dated]:
        for name, value in self._head.named(*names):
            yield Dated(self._parse(value), name)

    def _parse(self, value: str) -> str:
        return parse_timestamp(value, language=self._language, order=self._order)


def _agreed(dates: Iterator[Dated]) -> Iterator[Dated]:
    """Yield the first of the dates if all of them are of one day."""
    found = [one for one in dates if one.iso]
    if len({one.iso[:10] for one in found}) == 1:
        yield found[0]


def _has_zone(iso: str) -> bool:
    return "T" in iso and iso[-6] in "+-" and not iso.endswith("+00:00")


def _is_next_day(moment: str, day: str) -> bool:
    """Say whether a day follows that of a moment in UTC, in a zone east of it."""
    is_utc = moment.endswith(("Z", "+00:00")) and "T" in moment
    return is_utc and _days_between(day, moment) == 1 and int(moment[11:13]) >= 10


def _days_between(one: str, other: str) -> int:
    return (datetime.fromisoformat(one[:10]) - datetime.fromisoformat(other[:10])).days


def _is_turned_around(one: str, other: str) -> bool:
    return one[:4] == other[:4] and (one[5:7], one[8:10]) == (other[8:10], other[5:7])
