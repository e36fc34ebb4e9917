"""Keeps what a run did: counted, named, and written when it ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from contentbot.documents import ContentDocument
from contentbot.equipment import Equipment
from contentbot.errors import StateError
from contentbot.extensions.prune import Pruner
from contentbot.runs import RUNNING, RunRecord
from contentbot.runs.checks import Thresholds, suspicions
from contentbot.runs.signals import run_finished

COMPARED_RUNS = 50  # how far back a run is looked for that read enough documents to compare fields with

logger = logging.getLogger(__name__)


class RunRecorder:
    """Writes the run to the state when it begins and when it ends, prunes in between, and logs how it went.

    Args:
        equipment: the run's id, its counts and where it is written.
        pruner: deletes what is gone once everything else has been done.
        stop: ends the run for a reason.
        keep: how many runs of a source the history keeps.
    """

    def __init__(
        self, equipment: Equipment, pruner: Pruner, stop: Callable[[str], Awaitable[None]], keep: int = 500
    ) -> None:
        self._equipment, self._tally, self._pruner = equipment, equipment.tally, pruner
        self._stop, self._kept = stop, keep
        self._stopping: asyncio.Future[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RunRecorder":
        """Record the spider's run; CONTENTBOT_KEEP_RUNS says how many are kept."""
        keep = crawler.settings.getint("CONTENTBOT_KEEP_RUNS")

        async def stop(reason: str) -> None:
            await crawler.engine.close_spider_async(reason=reason)

        recorder = cls(Equipment.of(crawler), Pruner.from_crawler(crawler), stop, keep)
        connect = crawler.signals.connect
        connect(recorder.spider_opened, signal=signals.spider_opened)
        connect(recorder.item_scraped, signal=signals.item_scraped)
        connect(recorder.spider_error, signal=signals.spider_error)
        connect(recorder.item_error, signal=signals.item_error)
        connect(recorder.spider_closed, signal=signals.spider_closed)
        return recorder

    def spider_opened(self) -> None:
        """Write that the run has begun."""
        self._equipment.state.runs.put(self.record(RUNNING))

    def item_scraped(self, item: ContentDocument) -> None:
        """Note which fields the document has."""
        self._tally.read(item.title, date=bool(item.published_date), author=bool(item.authors))

    def spider_error(self, failure: Failure, response: Response | None) -> None:
        """Count a page that met a fault of ours; without a page it is the run's."""
        if self._is_of_the_state(failure):
            return
        if response is None:
            self._tally.fail("start_failed", failure.getErrorMessage())
        else:
            self._equipment.leave(_listed(response), "internal_error", failure.getErrorMessage())

    def item_error(self, item: Any, failure: Failure) -> None:
        """Count an item that met a fault of ours."""
        if self._is_of_the_state(failure):
            return
        self._equipment.leave(str(getattr(item, "url", "")), "internal_error", failure.getErrorMessage())

    def _is_of_the_state(self, failure: Failure) -> bool:
        """End the run where the state cannot be written: it would fetch a site and remember nothing."""
        if not isinstance(failure.value, StateError):
            return False
        self._tally.fail("state_failed", str(failure.value))
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop("state_failed"))
        return True

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Prune, write the record, log its summary, tell who listens, and give back what the run held."""
        with self._equipment.resources:
            await self._pruner.prune(self._tally.finish_reason or reason)
            self._remember()
            record = self._checked(self.record(reason))
            self._keep(record)
        level = logging.ERROR if not record.succeeded else logging.WARNING if record.suspect else logging.INFO
        logger.log(level, "%s", summary(record))
        spider.crawler.signals.send_catch_log(run_finished, record=record)

    def _remember(self) -> None:
        """Keep what was surveyed, without the documents that are deleted."""
        repetition = self._equipment.repetition
        try:
            repetition.flush()
            if self._tally.counts["deleted"]:
                repetition.forget_gone()
        except StateError as error:
            logger.error("what repeats in this source could not be noted: %s", error)  # noqa: TRY400 - it says all

    def _checked(self, record: RunRecord) -> RunRecord:
        source = self._equipment.source
        thresholds = Thresholds(source.suspect_errors, source.suspect_loss, source.suspect_fields)
        try:
            history = self._equipment.state.runs.latest(source.id, COMPARED_RUNS)
        except StateError as error:
            logger.error("this run could not be compared with those before: %s", error)  # noqa: TRY400 - it says all
            return record
        return record.model_copy(update={"suspect": suspicions(record, history, thresholds)})

    def _keep(self, record: RunRecord) -> None:
        runs = self._equipment.state.runs
        try:
            runs.put(record)
            runs.trim(record.source, self._kept)
        except StateError as error:
            logger.error("the record of this run could not be written: %s", error)  # noqa: TRY400 - it says all

    def record(self, reason: str) -> RunRecord:
        """Return what the run did so far."""
        tally = self._tally
        return RunRecord(
            id=self._equipment.memory.run,
            source=self._equipment.source.id,
            started=self._equipment.started,
            finished=None if reason == RUNNING else datetime.now(UTC),
            finish_reason=tally.finish_reason or reason,
            error=tally.error,
            discovery_complete=tally.discovery_complete and reason == "finished",
            counts=dict(tally.counts),
            skipped=dict(tally.skipped),
            skipped_pages=list(tally.skipped_pages),
            failed_sitemaps=list(tally.failed_sitemaps),
            fields=dict(tally.fields),
            documents=tally.documents,
            index_identity=self._equipment.memory.identity,
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
    lines += [f"  suspect: {sentence}" for sentence in record.suspect]
    lines += [f"  not read: {one.url}: {one.reason} {one.detail}".rstrip() for one in record.failed_sitemaps]
    return "\n".join(lines)
