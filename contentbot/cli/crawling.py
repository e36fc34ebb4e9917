"""Runs Scrapy for one or many sources inside this process."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings as ScrapySettings

from contentbot.cli.console import err
from contentbot.extensions.progress import Progress
from contentbot.runs import RunRecord
from contentbot.runs.signals import progressed, run_finished
from contentbot.sources.models import Source
from contentbot.spiderloader import spider_for
from contentbot.spiders.setup import quieten_scrapy

logger = logging.getLogger("contentbot.cli")


@dataclass(frozen=True, slots=True)
class Job:
    """One source to crawl, and the arguments of `scrapy crawl -a` for it."""

    source: Source
    arguments: Mapping[str, str] = field(default_factory=dict)


class CrawlProcess(AsyncCrawlerProcess):
    """Crawls jobs side by side, but those of one host one after the other: its rate limit holds for all of them.

    Args:
        settings: Scrapy's, the project's included.
        jobs: what to crawl.
        on_progress: told a few times a second.
    """

    def __init__(self, settings: ScrapySettings, jobs: Iterable[Job], on_progress: Callable[[Progress], None]) -> None:
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
        await super().stop()

    async def _work_off(self, lane: Sequence[Job]) -> None:
        for job in lane:
            if self._stopping:
                self.records[job.source.id] = _never_ran(job, "shutdown", "stopped before it began")
                continue
            try:
                await self._crawl_one(job)
            except Exception as error:
                logger.debug("%s could not be crawled", job.source.id, exc_info=error)
                self.records.setdefault(job.source.id, _never_ran(job, "start_failed", str(error)))

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
    """Return the jobs by the host that they are fetched from."""
    by_host: dict[str, list[Job]] = {}
    for job in jobs:
        host = urlsplit(job.arguments.get("base_url", job.source.base_url)).netloc.removeprefix("www.")
        by_host.setdefault(host, []).append(job)
    return list(by_host.values())


def run_jobs(
    jobs: Iterable[Job], changes: Mapping[str, Any], *, on_progress: Callable[[Progress], None]
) -> dict[str, RunRecord]:
    """Crawl, and return the record of every job by source id; blocks, and works once in a process.

    Args:
        jobs: what to crawl.
        changes: Scrapy settings beside the project's, such as another index.
        on_progress: told a few times a second.
    """
    settings = ScrapySettings()
    settings.setmodule("contentbot.settings", priority="project")
    settings.update({"LOG_INSTALL_ROOT_HANDLER": False, **changes}, priority="cmdline")
    process = CrawlProcess(settings, jobs, on_progress)
    process.start()
    return process.records


def log_to_stderr(*, verbose: bool, debug: bool) -> None:
    """Send log lines to stderr, above the progress display where there is one."""
    handler: logging.Handler
    if err.is_terminal:
        handler = RichHandler(console=err, show_path=False, markup=False, highlighter=NullHighlighter())
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"))
    # on the handler: Scrapy opens the root logger for every level
    handler.setLevel(logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING)
    logging.basicConfig(handlers=[handler], force=True)
    quieten_scrapy("DEBUG" if debug else "INFO")


def _never_ran(job: Job, reason: str, error: str) -> RunRecord:
    now = datetime.now(UTC)
    return RunRecord(
        source=job.source.id, started=now, finished=now, finish_reason=reason, error=error, discovery_complete=False
    )
