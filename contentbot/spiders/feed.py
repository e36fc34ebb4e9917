"""The spider of feeds: reads each of them, and makes a `Page` of every item, from its own text or its linked page."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import ClassVar, cast

from scrapy import Request
from scrapy.http import Response

from contentbot.documents import FeedItem, Page
from contentbot.errors import NotAFeed
from contentbot.feeds import Feed, is_read_inline, read_feed
from contentbot.feeds.addresses import item_addresses
from contentbot.middlewares.failures import why
from contentbot.runs import Visit
from contentbot.sources.models import FeedSource
from contentbot.sources.opml import read_opml
from contentbot.spiders.source import SourceSpider, header, page_of

# feeds that are fetched while the ones before them are worked off
AHEAD = 8
_ACCEPT = (
    "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml,"
    "application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,text/html;q=0.5,*/*;q=0.1"
)

logger = logging.getLogger(__name__)


class FeedSpider(SourceSpider):
    """The parent of the spiders that the loader makes for sources of type `feed`.

    Feeds are read in the order of the source, whatever order they arrive in: of an item that two feeds have, the first
    one counts, in every run.
    """

    declared: ClassVar[FeedSource]

    @property
    def source(self) -> FeedSource:
        """The source as this run has it."""
        return cast("FeedSource", self.equipment.source)

    async def start(self) -> AsyncIterator[Page | Request]:
        """Yield what is to be read of each item that is new or has changed."""
        async for feed in self._feeds(await self._addresses()):
            for visit, item in self._wanted(feed):
                await self._room()
                yield self._reading(visit, item)
        self.tally.listing_done = True

    async def _addresses(self) -> list[str]:
        """Return the feeds of the source, and those of its list where that stands on the web."""
        listed = self.source.opml
        if "://" not in listed:
            return self.source.feeds
        response = await self._download(listed)
        try:
            outlines = read_opml(response.body) if response is not None else []
        except ValueError as error:
            self.tally.sitemap_failed(listed, "not_a_list", str(error))
            outlines = []
        return list(dict.fromkeys([*self.source.feeds, *(outline.url for outline in outlines)]))

    async def _feeds(self, addresses: Iterable[str]) -> AsyncIterator[Feed]:
        """Yield the feeds that can be read, in the order of their addresses."""
        waiting: deque[asyncio.Future[Feed | None]] = deque()
        try:
            for url in addresses:
                waiting.append(asyncio.ensure_future(self._feed(url)))
                if len(waiting) > AHEAD and (feed := await waiting.popleft()):
                    yield feed
            while waiting:
                if feed := await waiting.popleft():
                    yield feed
        finally:
            for one in waiting:
                one.cancel()

    async def _feed(self, url: str, *, named_by: str = "") -> Feed | None:
        """Return a feed; None, with the reason counted, where there is none. A web page is asked for its feed."""
        response = await self._download(url)
        if response is None:
            return None
        try:
            feed = await asyncio.to_thread(
                read_feed,
                response.body,
                response.url,
                header(response, b"Content-Type"),
                max_bytes=self.source.max_body_bytes,
                max_items=self.source.max_items,
            )
        except NotAFeed as error:
            if error.feeds and not named_by:
                return await self._feed(self._own(error.feeds[0]), named_by=url)
            self.tally.sitemap_failed(named_by or url, error.reason, error.detail)
            return None
        self._note(feed, url)
        return feed

    def _note(self, feed: Feed, url: str) -> None:
        self.tally.count("feeds")
        self.tally.count("beyond_limit", feed.more)
        if feed.incomplete:
            self.tally.sitemap_failed(url, "truncated", feed.damage)
        elif feed.damage:
            logger.warning("%s is damaged, and was mended: %s", url, feed.damage)

    async def _download(self, url: str) -> Response | None:
        """Return the answer for a feed or a list; None, with the reason counted, where it is no success."""
        try:
            asked = Request(self._own(url), headers={"Accept": _ACCEPT}, dont_filter=True)
            response = await self.crawler.engine.download_async(asked)
        except Exception as error:
            reason, detail = why(error)
            self.tally.sitemap_failed(url, reason, detail)
            return None
        if response.status != 200:
            gone = "it is gone for good: take it out of the source" if response.status == 410 else ""
            self.tally.sitemap_failed(url, f"http_{response.status}", gone)
            return None
        return response

    def _wanted(self, feed: Feed) -> Iterator[tuple[Visit, FeedItem]]:
        """Yield the items that are in scope, and not as the index has them."""
        known = lambda url: self.equipment.memory.recall(url) is not None  # noqa: E731
        for url, item in item_addresses(feed, known):
            self.tally.count("listed")
            visit = self.equipment.frontier.admit(self._own(url), lastmod=item.version, published=item.published)
            if visit is None:
                continue
            state = self.equipment.memory.recall(visit.listed)
            if state and state.lastmod == item.version and self.revisits.is_settled(state):
                self.revisits.unchanged(state)
            else:
                yield visit, item

    def _reading(self, visit: Visit, item: FeedItem) -> Page | Request:
        """Return the item as a page of its own text, or the request for the page that it links to."""
        if is_read_inline(item, self.source.content):
            self.tally.current_url = visit.listed
            return Page(
                visit.listed, visit.listed, b"", lastmod=item.updated, published=item.published, item=item, inline=True
            )
        begun, meta = self.revisits.way_to(visit, body=True)
        return self._new_request(begun, item=item, **meta)

    def _again(self, response: Response, visit: Visit) -> Request:
        return self._new_request(visit, item=response.meta["item"])

    def _page(self, response: Response, visit: Visit) -> Page:
        item: FeedItem = response.meta["item"]
        return replace(page_of(response, visit), item=item, lastmod=item.updated)
