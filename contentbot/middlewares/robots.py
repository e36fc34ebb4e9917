"""robots.txt obeyed as RFC 9309 wants it.

Scrapy's own middleware reads the rules but not the status (a 503 lets every page through, the body of a 404 counts) and
leaves Crawl-delay alone. This one holds every page until the robots.txt of its origin is settled.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from contentbot.discovery.robots import RobotsRules, rules_for_status

KEPT_FOR = 24 * 3600.0  # seconds; RFC 9309, section 2.4
ASKED_AGAIN_AFTER = 300.0  # seconds, where robots.txt could not be reached
MAX_CRAWL_DELAY = 60.0  # seconds; the default of CONTENTBOT_MAX_CRAWL_DELAY

logger = logging.getLogger(__name__)


class RobotsDisallowed(IgnoreRequest):
    """The page may not be fetched; `reason` is a countable word.

    `robots_disallowed` is the site's will, `robots_unreachable` says nothing about it: the page counts as failed.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


class RobotsFiles:
    """The rules of every origin that was asked for: each fetched once, however many wait for it.

    Args:
        fetch: downloads and reads the robots.txt at an address; does not raise.
        clock: seconds, never going back.
    """

    def __init__(
        self, fetch: Callable[[str], Awaitable[RobotsRules]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch, self._clock = fetch, clock
        self._answers: dict[str, asyncio.Future[RobotsRules]] = {}
        self._expiry: dict[str, float] = {}

    async def of(self, url: str) -> RobotsRules:
        """Return the rules for an address, once they are settled."""
        parts = urlsplit(url)
        robots_url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/robots.txt"
        if robots_url not in self._answers or self._expiry.get(robots_url, math.inf) <= self._clock():
            self._expiry.pop(robots_url, None)
            self._answers[robots_url] = asyncio.ensure_future(self._ask(robots_url))
        # shielded: one page that is given up must not take the answer from the others
        return await asyncio.shield(self._answers[robots_url])

    async def _ask(self, robots_url: str) -> RobotsRules:
        rules = await self._fetch(robots_url)
        self._expiry[robots_url] = self._clock() + (ASKED_AGAIN_AFTER if rules.temporary else KEPT_FOR)
        return rules


def slow_down(downloader: Downloader, host: str, seconds: float) -> None:
    """Let at least `seconds` pass between two requests to a host, for the rest of the run and without random variation.

    The slot's own setting is the floor that `PoliteThrottle` keeps to, and outlives a slot that Scrapy drops as idle.
    """
    setting = downloader.per_slot_settings.setdefault(host, {})
    setting["delay"] = max(seconds, setting.get("delay", 0.0))
    setting["jitter"] = 0.0
    if slot := downloader.slots.get(host):
        slot.delay, slot.jitter = max(seconds, slot.delay), 0.0
        # counted from now: the answer that asks for the pause has just come
        slot.lastseen = max(slot.lastseen, time.monotonic())


class RobotsMiddleware:
    """Asks robots.txt before every page, and gives the host the pause it asks for.

    Args:
        download: downloads a request through all middlewares, redirects included.
        downloader: returns Scrapy's downloader, which does not exist yet when the middlewares are made.
        user_agent: the name that robots.txt is read for.
        obey: whether its rules and its delay are kept; its sitemap lines can be read anyway.
        own_delay: seconds between two requests that are kept anyway.
        max_delay: the longest Crawl-delay that is kept, in seconds; a longer one is cut to it, and logged.
        count: told what happened, by a name that runs can compare.
    """

    def __init__(
        self,
        download: Callable[[Request], Awaitable[Response]],
        downloader: Callable[[], Downloader],
        *,
        user_agent: str,
        obey: bool = True,
        own_delay: float = 0.0,
        max_delay: float = MAX_CRAWL_DELAY,
        count: Callable[[str], object] = lambda name: None,  # noqa: ARG005
    ) -> None:
        self._download, self._downloader, self._user_agent = download, downloader, user_agent
        self._obey = obey
        self._own_delay, self._max_delay, self._count = own_delay, max_delay, count
        self._files = RobotsFiles(self._fetch)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        """Take ROBOTSTXT_OBEY, USER_AGENT, DOWNLOAD_DELAY and CONTENTBOT_MAX_CRAWL_DELAY from the settings."""
        settings, stats = crawler.settings, crawler.stats

        async def download(request: Request) -> Response:
            return await crawler.engine.download_async(request)  # the engine comes after the middlewares

        return cls(
            download,
            lambda: crawler.engine.downloader,
            obey=settings.getbool("ROBOTSTXT_OBEY"),
            user_agent=settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"],
            own_delay=settings.getfloat("DOWNLOAD_DELAY"),
            max_delay=settings.getfloat("CONTENTBOT_MAX_CRAWL_DELAY", MAX_CRAWL_DELAY),
            count=lambda name: stats.inc_value(f"contentbot/robots/{name}") if stats else None,
        )

    async def rules(self, url: str) -> RobotsRules:
        """Return the rules of the origin that an address belongs to, such as for its sitemap lines."""
        return await self._files.of(url)

    async def allows(self, url: str) -> bool:
        """Say whether an address may be fetched, once its origin's rules are settled."""
        return not self._obey or (await self._files.of(url)).allows(url, self._user_agent)

    async def process_request(self, request: Request) -> None:
        """Hold the request until the rules are there; raises `RobotsDisallowed`."""
        exempt = request.meta.get("dont_obey_robotstxt") or urlsplit(request.url).scheme not in {"http", "https"}
        if exempt or not self._obey:
            return
        rules = await self._files.of(request.url)
        if rules.allows(request.url, self._user_agent):
            return
        reason = "robots_unreachable" if rules.temporary else "robots_disallowed"
        self._count(reason.removeprefix("robots_"))
        raise RobotsDisallowed(reason, request.url)

    async def _fetch(self, robots_url: str) -> RobotsRules:
        self._count("requested")
        meta = {"dont_obey_robotstxt": True, "dont_merge_cookies": True, "robots_txt": True}
        request = Request(robots_url, callback=NO_CALLBACK, meta=meta, dont_filter=True)
        try:
            response = await self._download(request)
        except Exception as error:  # whatever a middleware raises, there is no answer
            return self._without_answer(robots_url, error)
        # the rules count for the origin that was asked, wherever its redirects ended (section 2.3.1.2)
        rules = rules_for_status(response.status, response.body, robots_url)
        if rules.temporary:
            logger.warning("%s answers %d: nothing there is fetched for now", robots_url, response.status)
        self._pause(robots_url, rules)
        return rules

    def _without_answer(self, robots_url: str, error: Exception) -> RobotsRules:
        if getattr(error, "reason", "") == "too_many_redirects":  # counts as a missing file (section 2.3.1.2)
            return RobotsRules.allow_all()
        logger.warning("%s gives no answer: nothing there is fetched for now (%s)", robots_url, error)
        return RobotsRules.disallow_all()

    def _pause(self, robots_url: str, rules: RobotsRules) -> None:
        asked = rules.crawl_delay(self._user_agent) or 0.0
        kept = min(asked, self._max_delay)
        if kept < asked:
            logger.warning("%s asks for %g s between requests; kept are %g s", robots_url, asked, kept)
        if self._obey and kept > self._own_delay:
            slow_down(self._downloader(), urlsplit(robots_url).hostname or "", kept)
