"""The spider of a website: finds pages by its sitemaps, or by its links, and hands each one on as a `Page`."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar, cast
from urllib.parse import urljoin
from zlib import crc32

from scrapy import Request, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.spiders import SitemapSpider
from twisted.python.failure import Failure

from contentbot.discovery.links import page_links
from contentbot.discovery.sitemaps import PageEntry
from contentbot.discovery.walk import MAX_DOWNLOAD, Fetched, SitemapWalk, WalkLimits
from contentbot.documents import Page, unix_seconds
from contentbot.equipment import Equipment
from contentbot.middlewares.cache import FROM_CACHE, VALIDATED
from contentbot.middlewares.failures import why
from contentbot.middlewares.robots import RobotsMiddleware
from contentbot.runs import LEFT_OUT, Tally, Visit
from contentbot.sources.models import WebsiteSource
from contentbot.spiders.setup import arranged, equipped, quieten_scrapy, scrapy_settings
from contentbot.state import PageState

# requests that wait in the scheduler: enough to keep the downloader busy, however long the sitemap is
QUEUE = 100

# entries after which the reactor gets its turn, where none of them is requested
BREATH = 200

# seconds: a page that was modified so shortly before the run was, more likely, stamped by the request for its sitemap
STAMPED_WITHIN = 3600.0

# hours: so often a page that is listed under another address than its own is asked for where it is listed
REDIRECTS_ASKED_EVERY = 24

# reasons that say nothing about what else the page might have linked to
_SETTLED = frozenset({"http_404", "http_410", "unsupported_media", "robots_disallowed"})


class WebsiteSpider(SitemapSpider):
    """The parent of the spiders that the loader makes, one per source.

    Scrapy's own sitemap reading is replaced: it reads a whole sitemap before the first request, and gives up on what
    many sites serve. Pages are requested while their sitemap is still being read, the first listed first.
    """

    declared: ClassVar[WebsiteSource]

    equipment: Equipment
    follows_links = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **arguments: Any) -> "WebsiteSpider":
        """Make the spider with the arguments of `-a`; raises `ConfigError` for one that is wrong."""
        source, copy = arranged(cls.declared, arguments)
        crawler.settings.setdict(scrapy_settings(source, copy), priority="spider")
        quieten_scrapy(crawler.settings["LOG_LEVEL"])
        spider = super().from_crawler(crawler)
        spider.equipment = equipped(crawler, source, copy)
        return spider

    @property
    def source(self) -> WebsiteSource:
        """The source as this run has it."""
        return self.equipment.source

    @property
    def tally(self) -> Tally:
        """What this run has done so far."""
        return self.equipment.tally

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request per page, no faster than they are worked off."""
        async for visit in self._visits():
            await self._room()
            yield self._request(visit)

    async def _visits(self) -> AsyncIterator[Visit]:
        walk = self._walk()
        roots, guessed = await self._roots()
        async for number, entry in _numbered(walk.pages(roots, guessed=guessed)):
            if not number % BREATH:
                await asyncio.sleep(0)
            listed = {"lastmod": self._lastmod(entry), "published": entry.published}
            visit = self.equipment.frontier.admit(self._own(entry.url), **listed)
            if visit and not self._is_unmodified(visit):
                yield visit
        if roots and not (guessed and not walk.read):
            self.tally.listing_done = True
            return
        self.follows_links = True
        yield self.equipment.frontier.begin(self.source.base_url)

    def _lastmod(self, entry: PageEntry) -> str:
        """Return when the page was last modified, as far as that can be believed."""
        moment = unix_seconds(entry.lastmod)
        # a sitemap that stamps its pages with the time of the request says nothing about them
        stamped = moment is not None and moment > time.time() - STAMPED_WITHIN
        return "" if stamped else entry.lastmod

    def _is_unmodified(self, visit: Visit) -> bool:
        """Say whether the sitemap is trusted to tell that a page is as it was; then it is not requested."""
        if self.source.lastmod != "trust" or not visit.lastmod:
            return False
        known = self.equipment.memory.recall(visit.listed)
        if known is None or known.lastmod != visit.lastmod or not self.equipment.memory.is_current(known):
            return False
        self._unchanged(known)
        return True

    def _unchanged(self, known: PageState) -> None:
        self.tally.count("unchanged")
        self.equipment.memory.unchanged(known.url)
        for url in (known.final_url, known.document_url):
            self.equipment.frontier.claim(url)

    async def _roots(self) -> tuple[list[str], bool]:
        """Return the sitemaps to begin with, and whether they are only guessed."""
        base = self.source.base_url
        if self.source.sitemaps is not None:
            return [urljoin(base, sitemap) for sitemap in self.source.sitemaps], False
        named = await self._sitemaps_of_robots()
        return (named, False) if named else ([urljoin(base, "/sitemap.xml")], True)

    def _walk(self) -> SitemapWalk:
        limits = WalkLimits(
            self.settings.getint("CONTENTBOT_MAX_SITEMAPS"), self.settings.getint("CONTENTBOT_SITEMAP_DEPTH")
        )
        return SitemapWalk(self._fetch, self.equipment.scope.on_site, self.tally, limits)

    async def _fetch(self, url: str) -> Fetched:
        own = self._own(url)
        request = Request(own, meta={"download_maxsize": MAX_DOWNLOAD}, dont_filter=True)
        try:
            response = await self.crawler.engine.download_async(request)
        except Exception as error:
            reason, detail = why(error)
            return Fetched(own, failure=reason, detail=detail)
        return Fetched(response.url, response.status, response.body)

    def _own(self, url: str) -> str:
        # a compressed sitemap of a copy names the copy; everything else was mapped on arrival
        copy = self.equipment.copy
        return copy.inward_url(url) if copy else url

    async def _sitemaps_of_robots(self) -> list[str]:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return list((await robots.rules(self.source.base_url)).sitemaps()) if robots else []

    async def _room(self) -> None:
        scheduler = cast("Scheduler", self.crawler.engine.scheduler)
        while len(scheduler) >= QUEUE:
            await self.crawler.signals.wait_for(signals.scheduler_empty)

    def _request(self, visit: Visit) -> Request:
        known = self.equipment.memory.recall(visit.listed)
        if known and known.final_url and self.equipment.memory.is_in_index(known):
            return self._known_request(visit, known)
        return self._new_request(visit)

    def _new_request(self, visit: Visit, **meta: Any) -> Request:
        return Request(visit.url, self.parse, errback=self.failed, meta={"visit": visit, **meta}, dont_filter=True)

    def _known_request(self, visit: Visit, known: PageState) -> Request:
        """Return the request for a page that has a document, at the address where it was found.

        Where our rules have changed, what is stored of it is read anew. The way to it is asked again about once a day.
        """
        if known.final_url == visit.listed or not self._is_due(visit.listed):
            visit = self.equipment.frontier.resume(visit, known.final_url)
        stored = not self.equipment.memory.same_rules(known)
        return self._new_request(visit, **({FROM_CACHE: True} if stored else {}))

    def _is_due(self, url: str) -> bool:
        return (crc32(url.encode()) + int(time.time() // 3600)) % REDIRECTS_ASKED_EVERY == 0

    def parse(self, response: Response, **_: Any) -> Iterator[Page | Request]:
        """Yield the page, and the pages that it links to where links are followed."""
        visit: Visit = response.meta["visit"]
        self.tally.current_url = visit.url
        if reason := _refusal(response, visit):
            if visit.resumed and visit.hops:
                yield self._new_request(self.equipment.frontier.restart(visit))
            else:
                self._leave(visit, reason, status=response.status)
            return
        known = self.equipment.memory.recall(visit.listed) if VALIDATED in response.flags else None
        if known and self._is_of(known, response, visit) and self.equipment.memory.is_current(known):
            self._unchanged(known)
        else:
            self.tally.count("fetched")
            if visit.included:
                yield _page(response, visit)
        if self.follows_links:
            yield from self._linked(response, visit)

    def _is_of(self, known: PageState, response: Response, visit: Visit) -> bool:
        """Say whether the document was made of this very response.

        A run that was killed may have stored a newer one, and never have delivered what it says.
        """
        validators = _header(response, b"ETag"), _header(response, b"Last-Modified")
        return (known.final_url, known.etag, known.last_modified) == (visit.url, *validators)

    def _linked(self, response: Response, visit: Visit) -> Iterator[Request]:
        if visit.depth >= self.source.max_depth:
            return
        content_type, robots = _header(response, b"Content-Type"), _header(response, b"X-Robots-Tag")
        for link in page_links(response.body, response.url, content_type, x_robots_tag=robots):
            self.tally.count("listed")
            if found := self.equipment.frontier.follow(link, visit.depth + 1):
                yield self._request(found)

    def failed(self, failure: Failure) -> None:
        """Count a page that could not be fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        reason, detail = why(failure.value or RuntimeError("unknown"))
        self._leave(request.meta["visit"], reason, detail)

    def _leave(self, visit: Visit, reason: str, detail: str = "", *, status: int = 0) -> None:
        if visit.included and reason in LEFT_OUT:
            self.tally.withdraw()
        if reason == "duplicate":
            self.tally.count("duplicate")
            return
        detail = detail or (visit.url if visit.hops else "")
        self.equipment.leave(visit.listed, reason, detail, final_url=visit.url, status=status)
        if self.follows_links and visit.included and reason not in _SETTLED:
            self.tally.sitemap_failed(visit.listed, reason, "its links are unknown")

    def closed(self, reason: str) -> None:
        """Note that every link was followed."""
        if self.follows_links and reason == "finished":
            self.tally.listing_done = True


async def _numbered(entries: AsyncIterator[PageEntry]) -> AsyncIterator[tuple[int, PageEntry]]:
    number = 0
    async for entry in entries:
        number += 1
        yield number, entry


def _refusal(response: Response, visit: Visit) -> str:
    """Return why this response is no page; empty when it is one."""
    if response.status != 200:
        return f"http_{response.status}"
    if not (visit.included or visit.for_links):
        return "not_included"
    return "unsupported_media" if "download_stopped" in response.flags else ""


def _page(response: Response, visit: Visit) -> Page:
    headers = {name.decode("latin-1").lower(): _header(response, name) for name in response.headers}
    return Page(
        url=visit.listed,
        final_url=visit.url,
        body=response.body,
        headers=headers,
        lastmod=visit.lastmod,
        published=visit.published,
        fetched_at=datetime.now(UTC),
    )


def _header(response: Response, name: bytes) -> str:
    # RFC 9110 section 5.5: bytes outside of ASCII are opaque; latin-1 keeps every one of them
    return b", ".join(response.headers.getlist(name)).decode("latin-1")
