"""A crawl of a few addresses with the middlewares of this package alone, in the running reactor."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Response
from twisted.python.failure import Failure

from tests.conftest import Reactor

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_DELAY_JITTER": 0,
    "HTTPERROR_ALLOW_ALL": True,
    "CONTENTBOT_BACKOFF_SECONDS": 0.01,
    "USER_AGENT": "TeaBot/2.0 (+https://tea.example)",
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "contentbot.middlewares.robots.RobotsMiddleware": 100,
        "contentbot.middlewares.backoff.BackOff": 560,
    },
    "EXTENSIONS": {
        "scrapy.extensions.throttle.AutoThrottle": None,
        "contentbot.extensions.throttle.PoliteThrottle": 0,
    },
}


@dataclass
class Outcome:
    """What came of the requests: the status or the reason of every URL, the delay of every slot, the statistics."""

    results: dict[str, int | str] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    stats: dict[str, Any] = field(default_factory=dict)


class Once(Spider):
    """Requests every URL, all at once."""

    name = "once"

    def __init__(self, urls: Sequence[str], outcome: Outcome) -> None:
        super().__init__()
        self._urls, self._outcome = urls, outcome

    async def start(self) -> AsyncIterator[Request]:
        for url in self._urls:
            yield Request(url, self.parse, errback=self.failed, dont_filter=True, cb_kwargs={"asked": url})

    def parse(self, response: Response, asked: str) -> None:
        self._outcome.results[asked] = response.status

    def failed(self, failure: Failure) -> None:
        reason = getattr(failure.value, "reason", "") or type(failure.value).__name__
        self._outcome.results[failure.request.cb_kwargs["asked"]] = reason


def request_all(reactor: Reactor, urls: Sequence[str], **settings: Any) -> Outcome:
    """Request the URLs with these settings on top of those above."""
    return reactor.result(_request_all(urls, {**SETTINGS, **settings}))  # type: ignore[no-any-return]


async def _request_all(urls: Sequence[str], settings: dict[str, Any]) -> Outcome:
    outcome = Outcome()
    crawler = AsyncCrawlerRunner(settings).create_crawler(Once)

    def idle() -> None:
        slots = crawler.engine.downloader.slots
        outcome.delays.update({key: slot.delay for key, slot in slots.items()})

    crawler.signals.connect(idle, signal=signals.spider_idle)
    await crawler.crawl_async(urls=urls, outcome=outcome)
    outcome.stats = crawler.stats.get_stats()
    return outcome
