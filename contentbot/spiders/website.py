"""The spider of a website: finds pages by its sitemaps, or by its links, and hands each one on as a `Page`."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar, cast
from urllib.parse import urljoin

from scrapy import Request, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.spiders import SitemapSpider
from twisted.python.failure import Failure

from contentbot.discovery.links import page_links
from contentbot.discovery.sitemaps import PageEntry
from contentbot.discovery.walk import MAX_DOWNLOAD, Fetched, SitemapWalk, WalkLimits
from contentbot.documents import Page
from contentbot.equipment import Equipment
from contentbot.middlewares.cache import VALIDATED, WITHOUT_BODY
from contentbot.middlewares.failures import why
from contentbot.middlewares.robots import RobotsMiddleware
from contentbot.runs import LEFT_OUT, Tally, Visit
from contentbot.sources.models import WebsiteSource
from contentbot.spiders.revisit import Revisits, believable_lastmod
from contentbot.spiders.setup import arranged, equipped, quieten_scrapy, scrapy_settings

# requests that wait in the scheduler: enough to keep the downloader busy, however long the sitemap is
QUEUE = 100

# entries after which the reactor gets its turn, where none of them is requested
BREATH = 200

# reasons that say nothing about what else the page might have linked to
_SETTLED = frozenset({"http_404", "http_410", "unsupported_media", "robots_disallowed"})


class WebsiteSpider(SitemapSpider):
    """The parent of the spiders that the loader makes, one per source.

    Scrapy's own sitemap reading is replaced: it reads a whole sitemap before the first request, and gives up on what
    many sites serve. Pages are requested while their sitemap is still being read, the first listed first.
    """

    declared: ClassVar[WebsiteSource]

    equipment: Equipment
    revisits: Revisits
    follows_links = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **arguments: Any) -> "WebsiteSpider":
        """Make the spider with the arguments of `-a`; raises `ConfigError` for one that is wrong."""
        source, copy = arranged(cls.declared, arguments)
        crawler.settings.setdict(scrapy_settings(source, copy), priority="spider")
        quieten_scrapy(crawler.settings["LOG_LEVEL"])
        spider = super().from_crawler(crawler)
        spider.equipment = equipped(crawler, source, copy)
        spider.revisits = Revisits(spider.equipment, spider._allowed)
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
            listed = {"lastmod": believable_lastmod(entry), "published": entry.published}
            visit = self.equipment.frontier.admit(self._own(entry.url), **listed)
            if visit and not await self.revisits.is_unmodified(visit):
                yield visit
        if roots and not (guessed and not walk.read):
            self.tally.listing_done = True
            return
        if guessed:
            self.revisits.miss_sitemap(roots[0])
        self.follows_links = True
        yield self.equipment.frontier.begin(self.source.base_url)

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

    async def _allowed(self, url: str) -> bool:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return robots is None or await robots.allows(url)

    async def _room(self) -> None:
        scheduler = cast("Scheduler", self.crawler.engine.scheduler)
        while len(scheduler) >= QUEUE:
            await self.crawler.signals.wait_for(signals.scheduler_empty)

    def _request(self, visit: Visit) -> Request:
        begun, meta = self.revisits.way_to(visit, body=self.follows_links)
        return self._new_request(begun, **meta)

    def _new_request(self, visit: Visit, **meta: Any) -> Request:
        return Request(visit.url, self.parse, errback=self.failed, meta={"visit": visit, **meta}, dont_filter=True)

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
        if not self.revisits.is_unchanged(response, visit):
            if VALIDATED in response.flags and WITHOUT_BODY in response.meta:
                # it was current when it was requested, and is not any more
                yield self._new_request(visit)
                return
            self.tally.count("fetched")
            if visit.included:
                yield _page(response, visit)
        if self.follows_links:
            yield from self._linked(response, visit)

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
        # what a page out of scope redirects to is asked again when its sitemap tells of a change; errors always are
        lastmod = visit.lastmod if reason == "not_included" else ""
        self.equipment.leave(visit.listed, reason, detail, final_url=visit.url, status=status, lastmod=lastmod)
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
