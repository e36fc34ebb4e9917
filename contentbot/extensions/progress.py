"""Tells how far a crawl is: as events for a display, as log lines where there is none."""

import logging
import time
from dataclasses import dataclass

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from contentbot.equipment import Equipment
from contentbot.runs import Tally
from contentbot.runs.signals import progressed

logger = logging.getLogger(__name__)

EVENT_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the crawl of one source is.

    `known` grows while sitemaps and links are read; `listing_done` says that it will not any more. `rate` is pages a
    second since the start.
    """

    source: str
    done: int
    known: int
    indexed: int
    skipped: int
    rate: float
    url: str
    listing_done: bool
    finished: bool


class ProgressReporter:
    """Sends `progressed` a few times a second, and writes a line to the log every so often.

    Args:
        source: the source's id.
        tally: what is counted.
        log_seconds: between two log lines; 0 means none.
    """

    def __init__(self, source: str, tally: Tally, log_seconds: float) -> None:
        self._source, self._tally, self._log_seconds = source, tally, log_seconds
        self._started = self._logged = time.monotonic()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ProgressReporter":
        """Report on the spider's tally; CONTENTBOT_PROGRESS_SECONDS says how often the log is told."""
        equipment, seconds = Equipment.of(crawler), crawler.settings.getfloat("CONTENTBOT_PROGRESS_SECONDS")
        reporter = cls(equipment.source.id, equipment.tally, seconds)
        ticking = create_looping_call(lambda: reporter.tick(crawler))
        crawler.signals.connect(lambda: ticking.start(EVENT_SECONDS), signal=signals.spider_opened, weak=False)
        crawler.signals.connect(lambda: reporter.close(crawler, ticking), signal=signals.spider_closed, weak=False)
        return reporter

    def tick(self, crawler: Crawler) -> None:
        """Send an event, and log when it is time."""
        progress = self.progress()
        crawler.signals.send_catch_log(progressed, progress=progress)
        if self._log_seconds and time.monotonic() - self._logged >= self._log_seconds:
            self._logged = time.monotonic()
            logger.info("%s", describe(progress))

    def close(self, crawler: Crawler, ticking: object) -> None:
        """Send the last event."""
        if getattr(ticking, "running", False):
            ticking.stop()  # type: ignore[attr-defined]  # either kind of Scrapy's looping calls
        crawler.signals.send_catch_log(progressed, progress=self.progress(finished=True))

    def progress(self, *, finished: bool = False) -> Progress:
        """Return the state of this moment."""
        tally, elapsed = self._tally, max(time.monotonic() - self._started, 0.001)
        return Progress(
            source=self._source,
            done=tally.done,
            known=tally.known,
            indexed=tally.counts["indexed"],
            skipped=tally.done - tally.counts["indexed"],
            rate=tally.done / elapsed,
            url=tally.current_url,
            listing_done=tally.listing_done,
            finished=finished,
        )


def describe(progress: Progress) -> str:
    """Return the progress as one line."""
    known = f"{progress.known} pages" + ("" if progress.listing_done else " known so far")
    skipped = f", {progress.skipped} skipped" if progress.skipped else ""
    return f"{progress.source}: {progress.done} of {known}{skipped}, {progress.rate:.1f} a second"
