"""Slowing down when a server asks for it, and before everything that failed is tried again.

Scrapy retries at once. Here a host that answers 429 or 503 is left alone for as long as its Retry-After says (RFC 9110,
section 10.2.3), or for a pause that doubles each time; and every retry of a page waits, twice as long each time.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

SLOW_DOWN = frozenset({429, 503})
FIRST_PAUSE = 1.0  # seconds; the default of CONTENTBOT_BACKOFF_SECONDS
LONGEST_PAUSE = 300.0  # seconds; the default of CONTENTBOT_MAX_RETRY_AFTER
_LONGEST_GUESS = 60.0  # seconds, where the server does not say how long

logger = logging.getLogger(__name__)


class HostAway(IgnoreRequest):
    """The host asked to be left alone for longer than a run waits."""

    reason = "retry_later"

    def __init__(self, host: str, seconds: float) -> None:
        self.detail = f"{host} asked for a pause of {seconds:g} s"
        super().__init__(self.detail)


class BackOff:
    """Holds a host's download slot, and delays retries.

    Args:
        slots: returns Scrapy's download slots by their keys.
        first: the first pause in seconds where the server does not name one.
        longest: the longest pause in seconds that a run waits. A host that asks for more gets no further request.
        clock: seconds, on the clock of Scrapy's slots.
        sleep: waits that many seconds.
    """

    def __init__(
        self,
        slots: Callable[[], Mapping[str, Slot]],
        *,
        first: float = FIRST_PAUSE,
        longest: float = LONGEST_PAUSE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._slots, self._first, self._longest = slots, first, longest
        self._clock, self._sleep = clock, sleep
        self._in_a_row: dict[str, int] = {}
        self._held_until: dict[str, float] = {}
        self._away: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BackOff":
        """Take CONTENTBOT_BACKOFF_SECONDS and CONTENTBOT_MAX_RETRY_AFTER from the settings."""
        settings = crawler.settings
        middleware = cls(
            lambda: crawler.engine.downloader.slots,
            first=settings.getfloat("CONTENTBOT_BACKOFF_SECONDS", FIRST_PAUSE),
            longest=settings.getfloat("CONTENTBOT_MAX_RETRY_AFTER", LONGEST_PAUSE),
        )
        # a signal, because the slot sends its next request before any middleware has seen the response
        crawler.signals.connect(middleware.response_downloaded, signal=signals.response_downloaded)
        return middleware

    async def process_request(self, request: Request) -> None:
        """Let a retry wait; raises `HostAway` for a host that is not to be asked any more."""
        if retries := request.meta.get("retry_times", 0):
            await self._sleep(self._doubled(retries - 1))
        for key in (request.meta.get("download_slot"), _host(request)):
            if key in self._away:
                raise HostAway(key, self._away[key])

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Hold the host's slot when the answer asks for it."""
        key = request.meta.get("download_slot") or _host(request)
        if response.status not in SLOW_DOWN:
            self._in_a_row.pop(key, None)
            return
        seconds = retry_after(response.headers.get(b"Retry-After"), datetime.now(UTC))
        if seconds is None:
            seconds = self._guess(key)
        if seconds > self._longest:
            self._away[key] = seconds
            logger.warning("%s asks for a pause of %g s, more than a run waits: no further request", key, seconds)
        else:
            self._hold(key, seconds)

    def _guess(self, key: str) -> float:
        # what was under way when the first refusal came says nothing new
        if self._held_until.get(key, 0.0) <= self._clock():
            self._in_a_row[key] = self._in_a_row.get(key, 0) + 1
        return self._doubled(self._in_a_row.get(key, 1) - 1)

    def _doubled(self, times: int) -> float:
        return min(self._first * 2.0 ** min(times, 16), _LONGEST_GUESS)

    def _hold(self, key: str, seconds: float) -> None:
        until = self._clock() + seconds
        self._held_until[key] = max(until, self._held_until.get(key, 0.0))
        if slot := self._slots().get(key):
            # the slot waits for `delay` after `lastseen`; without any delay it would look at neither
            slot.lastseen = max(slot.lastseen, until)
            slot.delay = max(slot.delay, 0.001)
        logger.info("%s asked to slow down: no request for %g s", key, seconds)


def retry_after(header: bytes | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or by a date; None when it says nothing."""
    text = (header or b"").decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def _host(request: Request) -> str:
    return urlsplit(request.url).hostname or ""
