"""Real parts for the tests: a served website, a running reactor, and crawls of the one in the other."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.reactor import install_reactor

from contentbot.crawling import project_settings
from contentbot.documents import ContentDocument
from contentbot.errors import ConfigError
from contentbot.extensions.progress import Progress
from contentbot.rendering import require
from contentbot.runs import RunRecord
from contentbot.runs.signals import documents_indexed, progressed, run_finished
from contentbot.sources.models import SOURCE_TYPES, Source
from contentbot.spiderloader import spider_for
from tests.site.server import Website

OWN = "https://mill.example"

# how long an example takes says how busy the machine is
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def website() -> Iterator[Website]:
    """A website on loopback without pages."""
    with Website() as site:
        yield site


class Reactor:
    """Twisted's reactor in a thread of its own: it can be started only once in a process."""

    def __init__(self) -> None:
        ready: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=self._run, args=[ready], daemon=True, name="reactor")
        self._thread.start()
        self._loop = ready.result(10)

    @staticmethod
    def _run(ready: "Future[asyncio.AbstractEventLoop]") -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
        from twisted.internet import reactor  # noqa: PLC0415 - the one that was installed just now

        reactor.callWhenRunning(lambda: ready.set_result(loop))
        reactor.run(installSignalHandlers=False)

    def result(self, work: Coroutine[Any, Any, Any], seconds: float = 60) -> Any:
        """Run a coroutine in the reactor, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def stop(self) -> None:
        from twisted.internet import reactor  # noqa: PLC0415

        reactor.callFromThread(reactor.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture(scope="session")
def reactor() -> Iterator[Reactor]:
    """The reactor of this test process, with extraction workers that outlive a single crawl."""
    from contentbot.pipelines.extract import WORKERS, Workers  # noqa: PLC0415 - only where something is crawled

    running = Reactor()
    WORKERS.acquire(1, lambda: Workers.start(1))
    yield running
    WORKERS.release(1)
    running.stop()


@dataclass
class Crawled:
    """What a crawl did."""

    record: RunRecord
    documents: dict[str, ContentDocument] = field(default_factory=dict)
    progress: list[Progress] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def urls(self) -> list[str]:
        """The documents' addresses, sorted."""
        return sorted(self.documents)

    def reason(self, url: str) -> str:
        """Why this address gave no document."""
        return next(page.reason for page in self.record.skipped_pages if page.url == url)


Crawl = Callable[..., Crawled]


@pytest.fixture
def crawl(website: Website, reactor: Reactor, tmp_path: Path) -> Crawl:
    """Crawl the website as https://mill.example, by the keys of a source file, and return what came of it."""

    def crawl(settings: dict[str, Any] | None = None, arguments: dict[str, str] | None = None, **keys: Any) -> Crawled:
        declared: dict[str, Any] = {"id": "mill", "type": "website", "base-url": OWN, "rate-limit": 0, **keys}
        model = SOURCE_TYPES[declared["type"]]
        source = model.model_validate({name.replace("_", "-"): value for name, value in declared.items()})
        given = {"base_url": website.origin} if arguments is None else arguments
        return reactor.result(crawl_once(source, given, {**crawl_settings(tmp_path), **(settings or {})}))  # type: ignore[no-any-return]

    return crawl


def crawl_settings(folder: Path) -> dict[str, Any]:
    """Return settings that keep everything below the folder."""
    return {
        "CONTENTBOT_DATA_DIR": str(folder / "data"),
        "CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}",
        "CONTENTBOT_EXTRACT_WORKERS": 1,
        "RETRY_TIMES": 1,
        "CONTENTBOT_BACKOFF_SECONDS": 0.01,
    }


async def crawl_once(source: Source, arguments: dict[str, str], settings: dict[str, Any]) -> Crawled:
    """Crawl a source in the running reactor."""
    crawler = AsyncCrawlerRunner(project_settings(settings)).create_crawler(spider_for(source))
    records: list[RunRecord] = []
    documents: dict[str, ContentDocument] = {}
    progress: list[Progress] = []
    listen = crawler.signals.connect
    listen(_appending_record_to(records), signal=run_finished, weak=False)
    listen(_adding_to(documents), signal=documents_indexed, weak=False)
    listen(_appending_to(progress), signal=progressed, weak=False)
    await crawler.crawl_async(**arguments)
    return Crawled(records[0], documents, progress, crawler.stats.get_stats())


def _adding_to(found: dict[str, ContentDocument]) -> Callable[..., None]:
    def add(documents: list[ContentDocument]) -> None:
        found.update((document.url, document) for document in documents)

    return add


def _appending_to(found: list[Progress]) -> Callable[..., None]:
    def append(progress: Progress) -> None:
        found.append(progress)

    return append


def _appending_record_to(found: list[RunRecord]) -> Callable[..., None]:
    def append(record: RunRecord) -> None:
        found.append(record)

    return append


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser that renders pages; a machine without one says in each skipped test what it lacks."""
    try:
        return require()
    except ConfigError as error:
        pytest.skip(str(error))
