"""The pause between two requests to a host, where Scrapy's slots do not keep it.

A slot counts from the moment a request was sent, and ends with its crawl. A server counts what arrives: after a slow
connection the next request comes sooner than it was to. And where sources of one host are crawled one after the other,
the first request of one follows the last of another.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler

_FREE_FROM: dict[str, float] = {}


class HostTurns:
    """Counts a Crawl-delay from the last answer, and lets the first request of a crawl wait for its turn.

    Args:
        slots: returns Scrapy's download slots by host.
        delays: returns what single hosts asked for: their settings by host, `delay` in seconds among them.
        free_from: when each host may be asked again; one for all crawls of the process.
        clock: seconds, on the clock of Scrapy's slots.
        sleep: waits that many seconds.
    """

    def __init__(
        self,
        slots: Callable[[], Mapping[str, Slot]],
        delays: Callable[[], Mapping[str, Mapping[str, Any]]],
        *,
        free_from: MutableMapping[str, float],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._slots, self._delays, self._free_from = slots, delays, free_from
        self._clock, self._sleep = clock, sleep
        self._begun: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "HostTurns":
        """Share one account of all hosts with the other crawls of this process."""
        turns = cls(
            lambda: crawler.engine.downloader.slots,  # the engine comes after the middlewares
            lambda: crawler.engine.downloader.per_slot_settings,
            free_from=_FREE_FROM,
        )
        crawler.signals.connect(turns.response_downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(turns.request_left_downloader, signal=signals.request_left_downloader)
        return turns

    async def process_request(self, request: Request) -> None:
        """Hold the first requests to a host until what the crawl before owes it is over."""
        host = request.meta.get("download_slot") or urlsplit(request.url).hostname or ""
        if host in self._begun:
            return
        if (rest := self._free_from.get(host, 0.0) - self._clock()) > 0:
            await self._sleep(rest)
        self._begun.add(host)

    def response_downloaded(self, request: Request) -> None:
        """Count the pause that a host asked for from its answer: by then it has seen the request for certain."""
        host = request.meta.get("download_slot", "")
        if (slot := self._slots().get(host)) and self._delays().get(host, {}).get("delay"):
            slot.lastseen = max(slot.lastseen, self._clock())

    def request_left_downloader(self, request: Request) -> None:
        """Note for the next crawl when the host may be asked again."""
        host = request.meta.get("download_slot", "")
        if slot := self._slots().get(host):
            self._free_from[host] = max(self._free_from.get(host, 0.0), slot.lastseen + slot.delay)
