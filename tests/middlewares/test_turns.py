"""The pause of a host holds as the server sees it, and from one crawl to the next."""

import asyncio
from itertools import pairwise
from typing import Any

from scrapy import Request
from scrapy.core.downloader import Slot

from contentbot.middlewares.turns import HostTurns
from tests.conftest import Crawl, Reactor
from tests.middlewares.once import SETTINGS, request_all
from tests.site.server import Answer, Website

HOST = "shop.example"
WITH_TURNS = {
    "DOWNLOADER_MIDDLEWARES": {**SETTINGS["DOWNLOADER_MIDDLEWARES"], "contentbot.middlewares.turns.HostTurns": 550}  # type: ignore[dict-item]
}


class Process:
    """Crawls of one host under a clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        self.free_from: dict[str, float] = {}

    def crawl(self, delay: float = 0.5, asked_for: float = 0.0) -> tuple[HostTurns, Slot]:
        slot = Slot(concurrency=8, delay=delay, jitter=0)
        slot.lastseen = self.now
        settings: dict[str, dict[str, Any]] = {HOST: {"delay": asked_for}} if asked_for else {}
        turns = HostTurns(
            lambda: {HOST: slot},
            lambda: settings,
            free_from=self.free_from,
            clock=lambda: self.now,
            sleep=self.sleep,
        )
        return turns, slot

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def request(host: str = HOST) -> Request:
    return Request(f"https://{host}/", meta={"download_slot": host})


def test_a_pause_that_was_asked_for_begins_with_the_answer() -> None:
    process = Process()
    turns, slot = process.crawl(delay=10, asked_for=10)
    process.now += 3
    turns.response_downloaded(request())
    assert slot.lastseen + slot.delay == process.now + 10


def test_a_rate_limit_begins_with_the_request() -> None:
    process = Process()
    turns, slot = process.crawl()
    process.now += 3
    turns.response_downloaded(request())
    assert slot.lastseen == 1000.0


def test_the_first_request_of_the_next_crawl_waits_for_the_rest_of_the_pause() -> None:
    process = Process()
    turns, _ = process.crawl(delay=10)
    process.now += 4
    turns.request_left_downloader(request())
    following, _ = process.crawl(delay=10)
    asyncio.run(following.process_request(request("other.example")))
    assert process.slept == []
    asyncio.run(following.process_request(request()))
    asyncio.run(following.process_request(request()))
    assert process.slept == [6.0], "once; then its own slot keeps the pause"


def test_the_crawl_delay_is_kept_as_the_server_counts(website: Website, reactor: Reactor) -> None:
    website.answer("/robots.txt", Answer(b"User-agent: *\nCrawl-delay: 0.25\n", content_type="text/plain", delay=0.2))
    for number in range(4):
        website.page(f"/{number}", delay=0.1 if number % 2 else 0.0)
    urls = [f"{website.origin}/{number}" for number in range(4)]
    request_all(reactor, urls, **WITH_TURNS)
    gaps = [later.at - earlier.at for earlier, later in pairwise(website.asked)]
    assert len(gaps) == 4
    assert min(gaps) >= 0.25


def test_sources_of_one_host_share_its_pause(website: Website, crawl: Crawl) -> None:
    website.answer("/robots.txt", Answer(b"User-agent: *\nCrawl-delay: 0.3\n", content_type="text/plain"))
    website.sitemap("/s.xml", "/a")
    website.page("/a")
    for name in ("mill", "twin"):
        crawled = crawl(arguments={}, id=name, base_url=website.origin, sitemaps="/s.xml")
        assert len(crawled.urls) == 1
    assert [asked.path for asked in website.asked] == ["/robots.txt", "/s.xml", "/a"] * 2
    assert min(later.at - earlier.at for earlier, later in pairwise(website.asked)) >= 0.3
