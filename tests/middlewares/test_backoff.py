"""A host that asks for a pause gets it, and nothing that failed is tried again at once."""

import asyncio
from datetime import UTC, datetime

import pytest
from scrapy import Request
from scrapy.core.downloader import Slot
from scrapy.http import Response

from contentbot.middlewares.backoff import BackOff, HostAway, retry_after
from tests.conftest import Reactor
from tests.middlewares.once import request_all
from tests.site.server import Answer, Website

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (b"30", 30.0),
        (b" 0 ", 0.0),
        (b"Mon, 04 May 2026 12:01:30 GMT", 90.0),
        (b"Monday, 04-May-26 12:01:30 GMT", 90.0),
        (b"Mon, 04 May 2026 11:00:00 GMT", 0.0),
        (b"99999999999999999999", 999999999.0),
        (b"soon", None),
        (b"-5", None),
        (b"1.5", None),
        (b"\xff", None),
        (b"", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: bytes | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


class Host:
    """One host's slot under a clock that only moves when told."""

    def __init__(self, delay: float = 0.5) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        self.slot = Slot(concurrency=8, delay=delay, jitter=0)
        self.slot.lastseen = self.now
        self.backoff = BackOff(lambda: {"shop.example": self.slot}, clock=lambda: self.now, sleep=self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def answers(self, status: int, retry_after: str = "") -> None:
        headers = {"Retry-After": retry_after} if retry_after else {}
        self.backoff.response_downloaded(Response("https://shop.example/", status, headers=headers), self.request())

    def request(self, retries: int = 0) -> Request:
        meta = {"download_slot": "shop.example", **({"retry_times": retries} if retries else {})}
        return Request("https://shop.example/", meta=meta)

    @property
    def silent_for(self) -> float:
        """Seconds until the slot may send its next request, as Scrapy's downloader reckons it."""
        return self.slot.lastseen + self.slot.delay - self.now


@pytest.mark.parametrize("status", [503, 429])
@pytest.mark.parametrize("delay", [0.0, 0.5])
def test_the_slot_is_held_for_as_long_as_the_server_says(status: int, delay: float) -> None:
    host = Host(delay)
    host.answers(status, "30")
    assert host.silent_for >= 30
    assert host.slot.delay > 0, "a slot without delay never looks at the time"


def test_a_success_in_between_does_not_shorten_the_pause() -> None:
    host = Host()
    host.answers(503, "30")
    host.answers(200)
    host.answers(503, "2")
    assert host.silent_for >= 30


def test_without_a_number_the_pause_doubles_from_refusal_to_refusal() -> None:
    host = Host()
    pauses = []
    for _ in range(8):
        host.answers(503)
        pauses.append(round(host.silent_for - host.slot.delay, 3))
        host.now += 1000
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    host.answers(200)
    host.answers(503)
    assert host.silent_for - host.slot.delay == 1


def test_refusals_that_come_together_count_once() -> None:
    host = Host()
    for _ in range(8):
        host.answers(503)
    assert host.silent_for - host.slot.delay == 1


def test_other_answers_hold_nothing() -> None:
    host = Host()
    for status in (200, 301, 404, 500):
        host.answers(status, "30")
    assert host.silent_for == 0.5


def test_a_host_that_asks_for_more_than_a_run_waits_is_not_asked_again() -> None:
    host = Host()
    host.answers(503, "7200")
    with pytest.raises(HostAway, match=r"shop\.example asked for a pause of 7200 s"):
        asyncio.run(host.backoff.process_request(host.request()))
    asyncio.run(host.backoff.process_request(Request("https://other.example/")))


def test_a_retry_waits_twice_as_long_each_time() -> None:
    host = Host()
    for retries in range(9):
        asyncio.run(host.backoff.process_request(host.request(retries)))
    assert host.slept == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_served_host_is_left_alone_until_its_time_is_up(website: Website, reactor: Reactor) -> None:
    for number in range(2, 5):
        website.page(f"/{number}")
    website.answer("/1", Answer(status=503, headers={"Retry-After": "1"}), Answer(b"here"))
    urls = [f"{website.origin}/{number}" for number in range(1, 5)]
    throttle = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.05, "DOWNLOAD_DELAY": 0.05}
    outcome = request_all(reactor, urls, CONCURRENT_REQUESTS_PER_DOMAIN=1, **throttle)
    assert outcome.results == dict.fromkeys(urls, 200)
    paths = [asked.path for asked in website.asked]
    refused = paths.index("/1")
    assert website.asked[refused + 1].at - website.asked[refused].at > 0.9


def test_a_served_host_that_asks_for_too_much_gets_no_further_request(website: Website, reactor: Reactor) -> None:
    website.answer("/1", Answer(status=503, headers={"Retry-After": "9000"}))
    website.page("/2")
    urls = [f"{website.origin}/{number}" for number in (1, 2)]
    outcome = request_all(reactor, urls, CONCURRENT_REQUESTS=1)
    assert outcome.results == dict.fromkeys(urls, "retry_later")
    assert [asked.path for asked in website.asked] == ["/robots.txt", "/1"]
