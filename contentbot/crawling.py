"""Crawls from Python, many sources in one process: what `contentbot crawl`, the demo and the benchmarks run."""

import asyncio
import importlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from contentbot.errors import ContentBotError
from contentbot.extensions.progress import Progress
from contentbot.runs import RunRecord
from contentbot.runs.signals import progressed, run_finished
from contentbot.sources.models import Source
from contentbot.sources.scope import hosts_spoken_to
from contentbot.spiderloader import spider_for

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """One source to crawl, and the arguments of `scrapy crawl -a` for it."""

    source: Source
    arguments: Mapping[str, str] = field(default_factory=dict)


def run_jobs(
    jobs: Iterable[Job],
    changes: Mapping[str, Any] | None = None,
    *,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> dict[str, RunRecord]:
    """Crawl, and return the record of every job by source id; blocks, and works once in a process.

    Ctrl-C ends the running crawls in order, a second one at once. Logging is the caller's: no handler is installed.

    Args:
        jobs: what to crawl.
        changes: Scrapy settings over the project's, such as another index.
        on_progress: told a few times a second.
    """
    settings = project_settings({"LOG_INSTALL_ROOT_HANDLER": False, **(changes or {})})
    process = CrawlProcess(settings, jobs, on_progress)
    process.start()
    return process.records


def project_settings(changes: Mapping[str, Any] | None = None) -> Settings:
    """Return the project's Scrapy settings with these changes, whatever the working directory is."""
    settings = Settings()
    settings.setmodule(importlib.import_module("contentbot.settings"), priority="project")
    settings.setdict(dict(changes or {}), priority="cmdline")
    return settings


class CrawlProcess(AsyncCrawlerProcess):
    """Crawls jobs side by side, but those of one host one after the other: its rate limit holds for all of them.

    Args:
        settings: Scrapy's, the project's included.
        jobs: what to crawl.
        on_progress: told a few times a second.
    """

    def __init__(self, settings: Settings, jobs: Iterable[Job], on_progress: Callable[[Progress], None]) -> None:
        super().__init__(settings)
        self._lanes, self._on_progress = lanes(jobs), on_progress
        self._stopping = False
        self.records: dict[str, RunRecord] = {}

    async def join(self) -> None:
        """Complete when every job has ended."""
        await asyncio.gather(*(self._work_off(lane) for lane in self._lanes))

    async def stop(self) -> None:
        """End the running jobs in order, and start no other."""
        self._stopping = True
        if self.crawlers:  # Scrapy stops a process that has come to its end, too
            logger.warning("ending what is under way; interrupt once more to stop at once")
        await super().stop()

    async def _work_off(self, lane: Sequence[Job]) -> None:
        for job in lane:
            if self._stopping:
                self.records[job.source.id] = _never_ran(job, "shutdown", "stopped before it began")
                continue
            try:
                await self._crawl_one(job)
            except Exception as error:
                # one of ours says in its message what to do; any other is a fault that needs its traceback
                logger.log(_level(error), "%s could not be crawled", job.source.id, exc_info=error)
                self.records.setdefault(job.source.id, _never_ran(job, "start_failed", str(error) or repr(error)))

    async def _crawl_one(self, job: Job) -> None:
        crawler = self.create_crawler(spider_for(job.source))
        crawler.signals.connect(self._progressed, signal=progressed)
        crawler.signals.connect(self._finished, signal=run_finished)
        await self.crawl(crawler, **job.arguments)
        if job.source.id not in self.records:
            self.records[job.source.id] = _never_ran(job, "start_failed", "it ended before it began; see the log")

    def _progressed(self, progress: Progress) -> None:
        self._on_progress(progress)

    def _finished(self, record: RunRecord) -> None:
        self.records[record.source] = record


def lanes(jobs: Iterable[Job]) -> list[list[Job]]:
    """Group the jobs that speak to a common host, directly or through a third one; `www.` makes no other host."""
    found: list[tuple[set[str], list[Job]]] = []
    for job in jobs:
        hosts, members, place = hosts_spoken_to(job.source, job.arguments.get("base_url", "")), [job], len(found)
        for lane in [lane for lane in reversed(found) if not lane[0].isdisjoint(hosts)]:
            place = found.index(lane)
            del found[place]
            hosts, members = hosts | lane[0], lane[1] + members
        found.insert(place, (hosts, members))
    return [members for _, members in found]


def _level(error: Exception) -> int:
    return logging.DEBUG if isinstance(error, ContentBotError) else logging.ERROR


def _never_ran(job: Job, reason: str, error: str) -> RunRecord:
    now = datetime.now(UTC)
    return RunRecord(
        source=job.source.id, started=now, finished=now, finish_reason=reason, error=error, discovery_complete=False
    )
