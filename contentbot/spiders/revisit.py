"""What earlier runs know of a page, and what that spares this one: the request, the way to it, or its body."""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from zlib import crc32

from scrapy.http import Response

from contentbot.discovery.sitemaps import PageEntry
from contentbot.documents import unix_seconds
from contentbot.equipment import Equipment
from contentbot.middlewares.cache import FROM_CACHE, HEADERS_CHANGED, VALIDATED, WITHOUT_BODY, has_validators
from contentbot.runs import Visit
from contentbot.state import PageState, PageStatus

# seconds: a page that was modified so shortly before the run was, more likely, stamped by the request for its sitemap
STAMPED_WITHIN = 3600.0

# hours: so often a page that is listed under another address than its own is asked for where it is listed
REDIRECTS_ASKED_EVERY = 24

_DAY = 86_400.0


class Revisits:
    """The pages of a source that were met before.

    Args:
        equipment: what is known of them, and what is told about them.
        allowed: whether robots.txt lets an address be fetched.
    """

    def __init__(self, equipment: Equipment, allowed: Callable[[str], Awaitable[bool]]) -> None:
        self._equipment, self._memory, self._allowed = equipment, equipment.memory, allowed

    async def is_unmodified(self, visit: Visit) -> bool:
        """Say whether a page is as it was, going by a sitemap that is trusted to tell; then it is not requested."""
        if not visit.lastmod:
            return False
        known = self._memory.recall(visit.listed)
        if known is None or known.lastmod != visit.lastmod:
            return False
        if not visit.included:
            return self._still_leads_nowhere(known)
        if not self.is_settled(known):
            return False
        # what is not requested passes neither of the two on its way
        if not self._in_scope(known) or not await self._allowed(known.final_url):
            return False
        self.unchanged(known)
        return True

    def is_unchanged(self, response: Response, visit: Visit) -> bool:
        """Say whether the server confirmed what the index has of a page; it is noted then."""
        if VALIDATED not in response.flags or HEADERS_CHANGED in response.flags:
            return False
        known = self._memory.recall(visit.listed)
        if known is None or known.final_url != visit.url or not self.is_settled(known):
            return False
        # a run that was killed may have stored a newer copy, and never have delivered what it says
        if not has_validators(response, known.etag, known.last_modified):
            return False
        self.unchanged(known, visit.lastmod)
        return True

    def way_to(self, visit: Visit, *, body: bool) -> tuple[Visit, Mapping[str, Any]]:
        """Return the visit as it should begin, and what its request is to say in `meta`.

        A page that has a document is asked for at the address where it was found; the way to it is asked again about
        once a day. Where our rules have changed, what is stored of it is read anew.

        Args:
            visit: as the page was listed.
            body: whether the body is wanted of a page that has not changed.
        """
        known = self._memory.recall(visit.listed)
        if known is None or not known.final_url or not self._has_been_read(known):
            return visit, {}
        if known.final_url == visit.listed or not _is_due(visit.listed):
            visit = self._equipment.frontier.resume(visit, known.final_url)
        if self.is_settled(known):
            needless = not body and visit.url == known.final_url
            return visit, {WITHOUT_BODY: (known.etag, known.last_modified)} if needless else {}
        return visit, {FROM_CACHE: True} if self._is_to_be_read_anew(known, visit) else {}

    def miss_sitemap(self, url: str) -> None:
        """Note that a site has no sitemap where one was looked for; links are followed instead.

        Links do not lead to everything that a sitemap lists: as with a missing page, it counts when two runs in a row
        miss it.
        """
        last = self._equipment.state.runs.last_finished(self._equipment.source.id)
        if last is None or self._equipment.tally.failed_sitemaps:
            return
        failed_otherwise = any(one.url == url and one.reason != "sitemap_vanished" for one in last.failed_sitemaps)
        if last.counts.get("sitemaps") or failed_otherwise:
            detail = "if the next run misses it too, links alone count"
            self._equipment.tally.sitemap_failed(url, "sitemap_vanished", detail)

    def _is_to_be_read_anew(self, known: PageState, visit: Visit) -> bool:
        if known.status not in {PageStatus.INDEXED, PageStatus.FILTERED}:
            return False
        # a rendered page that has expired is asked for: its scripts may have other addresses by now
        if self._memory.same_rules(known) and (not self._memory.has_expired(known) or self._renders):
            return False
        return not visit.lastmod or visit.lastmod == known.lastmod

    @property
    def _renders(self) -> bool:
        return self._equipment.source.render != "never"

    def is_settled(self, known: PageState) -> bool:
        """Say whether the same page would be nothing new: the index has its document, or our rules refuse it."""
        return self._memory.is_current(known) or self._memory.is_refused(known)

    def _has_been_read(self, known: PageState) -> bool:
        return self._memory.is_in_index(known) or known.status is PageStatus.FILTERED

    def _still_leads_nowhere(self, known: PageState) -> bool:
        if known.reason != "not_included" or known.document_key or not self._memory.same_rules(known):
            return False
        self._equipment.tally.skip(known.url, "not_included")
        self._memory.unchanged(known)
        return True

    def _in_scope(self, known: PageState) -> bool:
        return self._equipment.scope.decide(known.url, known.final_url).included

    def unchanged(self, known: PageState, lastmod: str = "") -> None:
        """Note that a page is as the index has it, or as the rules left it out, and needs no work."""
        if known.status is PageStatus.FILTERED:
            self._equipment.tally.skip(known.url, known.reason, known.detail)
        else:
            self._equipment.tally.count("unchanged")
        self._memory.unchanged(known, lastmod)
        for url in (known.final_url, known.document_url):
            self._equipment.frontier.claim(url)


def believable_lastmod(entry: PageEntry) -> str:
    """Return when a sitemap says that the page was modified; empty where it more likely says when it was asked.

    A date without a time is believed once its day is over: until then the page may change and keep its date.
    """
    moment = unix_seconds(entry.lastmod)
    if moment is None:
        return entry.lastmod
    latest = moment + (_DAY if len(entry.lastmod.strip()) <= len("2026-01-31") else 0.0)
    return "" if latest > time.time() - STAMPED_WITHIN else entry.lastmod


def _is_due(url: str) -> bool:
    return (crc32(url.encode()) + int(time.time() // 3600)) % REDIRECTS_ASKED_EVERY == 0
