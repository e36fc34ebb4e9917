"""Crawls from Python: what `contentbot crawl` and the demo run. `scrapy crawl` does the same, one source at a time."""

import asyncio
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings
from scrapy.utils.log import configure_logging
from scrapy.utils.ossignal import install_shutdown_handlers
from scrapy.utils.reactor import install_reactor

from contentbot.errors import ContentBotError
from contentbot.extensions.progress import Progress
from contentbot.runs import RunRecord
from contentbot.runs.signals import progressed, run_finished
from contentbot.sources.models import Source
from contentbot.spiderloader import spider_for

OnProgress = Callable[[Progress], object]


def run(
    sources: Sequence[Source],
    *,
    arguments: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    on_progress: OnProgress | None = None,
) -> list[RunRecord]:
    """Crawl the sources, and return what each run did, in their order.

    Sources of different sites are crawled at the same time, those that share a host one after the other. Ctrl-C ends
    the crawls in order, a second one at once. The reactor runs once in a process, so this can be called once.

    Args:
        arguments: as those of `-a`, for every source: `{"base_url": "http://127.0.0.1:8801", "rate_limit": "off"}`.
        settings: Scrapy settings over those of the project.
        on_progress: told a few times a second how far each source is.

    Raises:
        ConfigError: an argument is wrong; nothing was requested.
    """
    chosen = project_settings(settings)
    install_reactor(chosen["TWISTED_REACTOR"])
    configure_logging(chosen)
    reactor = _reactor()
    crawls = Crawls(AsyncCrawlerRunner(chosen), arguments or {}, on_progress)
    outcome: list[RunRecord | BaseException] = []

    async def main() -> None:
        try:
            outcome.extend(await crawls.run(sources))
        except BaseException as error:
            outcome.append(error)
        finally:
            reactor.stop()

    reactor.callWhenRunning(lambda: _hold(asyncio.ensure_future(main())))
    _stop_on_signals(crawls, reactor)
    reactor.run(installSignalHandlers=False)
    return [_returned(each) for each in outcome]


def project_settings(changes: Mapping[str, Any] | None = None) -> Settings:
    """Return the project's Scrapy settings with these changes, whatever the working directory is."""
    settings = Settings()
    settings.setmodule(importlib.import_module("contentbot.settings"), priority="project")
    settings.setdict(dict(changes or {}), priority="cmdline")
    return settings


class Crawls:
    """The crawls of several sources in one running reactor.

    Args:
        runner: starts crawlers with the settings that all of them share.
        arguments: as those of `-a`, for every source.
        on_progress: told how far each source is.
    """

    def __init__(
        self, runner: AsyncCrawlerRunner, arguments: Mapping[str, str], on_progress: OnProgress | None = None
    ) -> None:
        self._runner, self._arguments, self._on_progress = runner, arguments, on_progress
        self._stopped = False

    async def run(self, sources: Sequence[Source]) -> list[RunRecord]:
        """Crawl the sources; returns their records in the same order. An interrupted run leaves out those not begun."""
        groups = await asyncio.gather(*(self._in_turn(group) for group in by_site(sources)))
        records = {record.source: record for group in groups for record in group}
        return [records[source.id] for source in sources if source.id in records]

    async def stop(self) -> None:
        """End the running crawls in order; what they have is written."""
        self._stopped = True
        await self._runner.stop()

    async def _in_turn(self, sources: Iterable[Source]) -> list[RunRecord]:
        return [await self._crawl(source) for source in sources if not self._stopped]

    async def _crawl(self, source: Source) -> RunRecord:
        crawler = self._runner.create_crawler(spider_for(source))
        records: list[RunRecord] = []
        crawler.signals.connect(_appending_to(records), signal=run_finished, weak=False)
        if self._on_progress:
            crawler.signals.connect(_telling(self._on_progress), signal=progressed, weak=False)
        started = datetime.now(UTC)
        try:
            await self._runner.crawl(crawler, **self._arguments)
        except ContentBotError as error:
            return _not_started(source, started, error)
        return records[0]


def by_site(sources: Sequence[Source]) -> list[list[Source]]:
    """Group the sources that share a host: one host is spoken to by one crawl at a time."""
    groups: list[tuple[set[str], list[Source]]] = []
    for source in sources:
        hosts, members = _hosts(source), [source]
        for group in [group for group in groups if not group[0].isdisjoint(hosts)]:
            groups.remove(group)
            hosts, members = hosts | group[0], group[1] + members
        groups.append((hosts, members))
    return [members for _, members in groups]


def _hosts(source: Source) -> set[str]:
    named = [urlsplit(source.base_url).hostname or "", *(host.partition(":")[0] for host in source.hosts)]
    return {host.lower().removeprefix("www.") for host in named}


def _appending_to(records: list[RunRecord]) -> Callable[..., None]:
    def append(record: RunRecord) -> None:
        records.append(record)

    return append


def _telling(told: OnProgress) -> Callable[..., None]:
    def tell(progress: Progress) -> None:
        told(progress)

    return tell


def _not_started(source: Source, started: datetime, error: ContentBotError) -> RunRecord:
    return RunRecord(
        source=source.id,
        started=started,
        finished=datetime.now(UTC),
        finish_reason="start_failed",
        error=str(error),
        discovery_complete=False,
    )


def _returned(outcome: RunRecord | BaseException) -> RunRecord:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _reactor() -> Any:
    from twisted.internet import reactor  # noqa: PLC0415 - importing it chooses one, so it has to be installed before

    return reactor


_held: set["asyncio.Future[None]"] = set()


def _hold(task: "asyncio.Future[None]") -> None:
    # the event loop keeps weak references only
    _held.add(task)
    task.add_done_callback(_held.discard)


def _stop_on_signals(crawls: Crawls, reactor: Any) -> None:
    def stop(_signum: int, _frame: object) -> None:
        install_shutdown_handlers(kill)
        reactor.callFromThread(lambda: _hold(asyncio.ensure_future(crawls.stop())))

    def kill(_signum: int, _frame: object) -> None:
        reactor.callFromThread(reactor.stop)

    install_shutdown_handlers(stop)
