"""Keeps what a run did: counted, named, and written when it ends."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from contentbot.equipment import Equipment
from contentbot.runs import RunRecord, Tally, write_run
from contentbot.runs.signals import run_finished

logger = logging.getLogger(__name__)


class RunRecorder:
    """Writes `<data_dir>/runs/<source>.json` when the spider closes, and says in the log how it went.

    Args:
        source: the source's id.
        tally: what was counted.
        data_dir: where runs are kept.
    """

    def __init__(self, source: str, tally: Tally, data_dir: Path) -> None:
        self._source, self._tally, self._data_dir = source, tally, data_dir
        self._started = datetime.now(UTC)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RunRecorder":
        """Record the spider's run below CONTENTBOT_DATA_DIR."""
        equipment = Equipment.of(crawler)
        recorder = cls(equipment.source.id, equipment.tally, Path(crawler.settings["CONTENTBOT_DATA_DIR"]))
        connect = crawler.signals.connect
        connect(recorder.spider_error, signal=signals.spider_error)
        connect(recorder.item_error, signal=signals.item_error)
        connect(recorder.spider_closed, signal=signals.spider_closed)
        return recorder

    def spider_error(self, failure: Failure, response: Response | None) -> None:
        """Count a page that met a fault of ours; without a page it is the run's."""
        if response is None:
            self._tally.fail("start_failed", failure.getErrorMessage())
        else:
            self._tally.skip(_listed(response), "internal_error", failure.getErrorMessage())

    def item_error(self, item: Any, failure: Failure) -> None:
        """Count an item that met a fault of ours."""
        self._tally.skip(str(getattr(item, "url", "")), "internal_error", failure.getErrorMessage())

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """Write the record, log its summary, and tell who listens."""
        record = self.record(reason)
        try:
            write_run(record, self._data_dir)
        except OSError as error:
            logger.error("the record of this run could not be written: %s", error)  # noqa: TRY400 - it says all
        logger.log(logging.INFO if record.succeeded else logging.ERROR, "%s", summary(record))
        spider.crawler.signals.send_catch_log(run_finished, record=record)

    def record(self, reason: str) -> RunRecord:
        """Return what the run did so far."""
        tally = self._tally
        return RunRecord(
            source=self._source,
            started=self._started,
            finished=datetime.now(UTC),
            finish_reason=tally.finish_reason or reason,
            error=tally.error,
            discovery_complete=tally.discovery_complete and reason == "finished",
            counts=dict(tally.counts),
            skipped=dict(tally.skipped),
            skipped_pages=list(tally.skipped_pages),
            failed_sitemaps=list(tally.failed_sitemaps),
        )


def _listed(response: Response) -> str:
    visit = response.meta.get("visit")
    return visit.listed if visit else response.url


def summary(record: RunRecord) -> str:
    """Return the run in a line, and a line for everything that was not as it should be."""
    counts, skipped = record.counts, ", ".join(f"{n} {reason}" for reason, n in sorted(record.skipped.items()))
    lines = [
        f"{record.source}: {record.finish_reason} after {record.seconds:.1f} s: {counts.get('indexed', 0)} documents "
        f"from {counts.get('listed', 0)} listed addresses" + (f"; left out: {skipped}" if skipped else "")
    ]
    lines += [f"  error: {record.error}"] if record.error else []
    lines += [f"  sitemap not read: {one.url}: {one.reason} {one.detail}".rstrip() for one in record.failed_sitemaps]
    return "\n".join(lines)
