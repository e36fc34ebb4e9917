"""What the spiders of all types of source have in common: their equipment, requests, and manners."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar, Self, cast

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from contentbot.discovery.walk import MAX_DOWNLOAD, Fetched
from contentbot.documents import Page
from contentbot.equipment import Equipment
from contentbot.middlewares.cache import VALIDATED, WITHOUT_BODY
from contentbot.middlewares.failures import why
from contentbot.middlewares.robots import RobotsMiddleware
from contentbot.runs import LEFT_OUT, Tally, Visit
from contentbot.sources.models import Source
from contentbot.spiders.corrections import Corrections
from contentbot.spiders.revisit import Revisits
from contentbot.spiders.setup import arranged, equipped, quieten_scrapy, scrapy_settings

# requests that wait in the scheduler: enough to keep the downloader busy, however long the list of pages is
QUEUE = 100


class SourceSpider(Spider):
    """The parent of the spiders of each type; the loader makes one class of a type's spider per source."""

    declared: ClassVar[Source]

    equipment: Equipment
    revisits: Revisits
    corrections: Corrections

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **arguments: Any) -> Self:
        """Make the spider with the arguments of `-a`; raises `ConfigError` for one that is wrong."""
        source, copy = arranged(cls.declared, arguments)
        crawler.settings.setdict(scrapy_settings(source, copy), priority="spider")
        quieten_scrapy(crawler.settings["LOG_LEVEL"])
        spider = super().from_crawler(crawler)
        spider.equipment = equipped(crawler, source, copy)
        spider.revisits = Revisits(spider.equipment, spider._allowed)
        spider.corrections = Corrections.connected(crawler, spider.equipment)
        return spider

    @property
    def tally(self) -> Tally:
        """What this run has done so far."""
        return self.equipment.tally

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

    async def _allowed(self, url: str) -> bool:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return robots is None or await robots.allows(url)

    async def _room(self) -> None:
        scheduler = cast("Scheduler", self.crawler.engine.scheduler)
        while len(scheduler) >= QUEUE:
            await self.crawler.signals.wait_for(signals.scheduler_empty)

    def _new_request(self, visit: Visit, **meta: Any) -> Request:
        return Request(visit.url, self.parse, errback=self.failed, meta={"visit": visit, **meta}, dont_filter=True)

    def parse(self, response: Response, **_: Any) -> Iterator[Page | Request]:
        """Yield the page, and the pages that it links to where links are followed."""
        visit: Visit = response.meta["visit"]
        self.tally.current_url = visit.url
        if reason := _refusal(response, visit):
            if visit.resumed and visit.hops:
                yield self._again(response, self.equipment.frontier.restart(visit))
            else:
                self._leave(visit, reason, status=response.status)
            return
        if not self.revisits.is_unchanged(response, visit):
            if VALIDATED in response.flags and WITHOUT_BODY in response.meta:
                # it was current when it was requested, and is not any more
                yield self._again(response, visit)
                return
            self.tally.count("fetched")
            if visit.included:
                yield from self._pages(response, visit)
        yield from self._beside(response, visit)

    def _again(self, response: Response, visit: Visit) -> Request:  # noqa: ARG002 - for spiders whose requests carry more
        return self._new_request(visit)

    def _pages(self, response: Response, visit: Visit) -> Iterator[Page | Request]:
        """Yield the page, or a request whose callback does."""
        yield self._page(response, visit)

    def _page(self, response: Response, visit: Visit) -> Page:
        return page_of(response, visit)

    def _beside(self, response: Response, visit: Visit) -> Iterable[Request]:  # noqa: ARG002 - for spiders that follow links
        """Return what else a page leads to."""
        return ()

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


def _refusal(response: Response, visit: Visit) -> str:
    """Return why this response is no page; empty when it is one."""
    if response.status != 200:
        return f"http_{response.status}"
    if not (visit.included or visit.for_links):
        return "not_included"
    return "unsupported_media" if "download_stopped" in response.flags else ""


def page_of(response: Response, visit: Visit) -> Page:
    """Return what was fetched, free of Scrapy."""
    headers = {name.decode("latin-1").lower(): header(response, name) for name in response.headers}
    return Page(
        url=visit.listed,
        final_url=visit.url,
        body=response.body,
        headers=headers,
        lastmod=visit.lastmod,
        published=visit.published,
        fetched_at=datetime.now(UTC),
    )


def header(response: Response, name: bytes) -> str:
    """Return a header's values as one text; empty when it is missing."""
    # RFC 9110 section 5.5: bytes outside of ASCII are opaque; latin-1 keeps every one of them
    return b", ".join(response.headers.getlist(name)).decode("latin-1")
