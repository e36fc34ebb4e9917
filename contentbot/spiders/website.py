"""The spider of a website: finds pages by its sitemaps, or by its links, and hands each one on as a `Page`."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import ClassVar, cast
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import Response
from scrapy.spiders import SitemapSpider

from contentbot.discovery.links import page_links
from contentbot.discovery.sitemaps import PageEntry
from contentbot.discovery.walk import SitemapWalk, WalkLimits
from contentbot.middlewares.robots import RobotsMiddleware
from contentbot.runs import Visit
from contentbot.sources.models import WebsiteSource
from contentbot.spiders.own_markdown import MarkdownSpider
from contentbot.spiders.revisit import believable_lastmod
from contentbot.spiders.source import header

# entries after which the reactor gets its turn, where none of them is requested
BREATH = 200

# reasons that say nothing about what else the page might have linked to
_SETTLED = frozenset({"http_404", "http_410", "unsupported_media", "robots_disallowed"})


class WebsiteSpider(MarkdownSpider, SitemapSpider):
    """The parent of the spiders that the loader makes, one per source.

    Scrapy's own sitemap reading is replaced: it reads a whole sitemap before the first request, and gives up on what
    many sites serve. Pages are requested while their sitemap is still being read, the first listed first.
    """

    declared: ClassVar[WebsiteSource]
    follows_links = False

    @property
    def source(self) -> WebsiteSource:
        """The source as this run has it."""
        return cast("WebsiteSource", self.equipment.source)

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request per page, no faster than they are worked off."""
        await self.read_markdown_list(self.source)
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
            if visit and not (self.source.lastmod == "trust" and await self.revisits.is_unmodified(visit)):
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

    async def _sitemaps_of_robots(self) -> list[str]:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return list((await robots.rules(self.source.base_url)).sitemaps()) if robots else []

    def _request(self, visit: Visit) -> Request:
        begun, meta = self.revisits.way_to(visit, body=self.follows_links)
        return self._new_request(begun, **meta)

    def _beside(self, response: Response, visit: Visit) -> Iterator[Request]:
        """Yield the pages that a page links to, where links are followed."""
        if not self.follows_links or visit.depth >= self.source.max_depth:
            return
        content_type, robots = header(response, b"Content-Type"), header(response, b"X-Robots-Tag")
        for link in page_links(response.body, response.url, content_type, x_robots_tag=robots):
            self.tally.count("listed")
            if found := self.equipment.frontier.follow(link, visit.depth + 1):
                yield self._request(found)

    def _leave(self, visit: Visit, reason: str, detail: str = "", *, status: int = 0) -> None:
        super()._leave(visit, reason, detail, status=status)
        if self.follows_links and visit.included and reason not in _SETTLED | {"duplicate"}:
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
