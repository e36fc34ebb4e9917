"""Page in, document out: extraction happens in worker processes while the reactor goes on fetching."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.documents import ContentDocument, Page
from contentbot.equipment import Equipment
from contentbot.errors import ExtractionError
from contentbot.extract.rules import ExtractRules
from contentbot.extract.workers import ExtractionPool
from contentbot.frontier import Frontier
from contentbot.pipelines.shared import Shared
from contentbot.runs import Tally
from contentbot.sources.models import WebsiteSource

START_SECONDS = 120.0  # for the first page of all; a worker takes about two to start
_NO_WORKERS = (
    "no extraction worker has answered: their processes cannot start. A script that crawls has to be a file, and to do "
    "so below `if __name__ == '__main__':`"
)

logger = logging.getLogger(__name__)


@dataclass
class Workers:
    """The extraction workers of this process; `answered` once one of them has."""

    # the pool blocks its caller when too many pages wait: the semaphore keeps below that, and waits without blocking
    pool: ExtractionPool
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(64))
    answered: bool = False

    @classmethod
    def start(cls, count: int) -> "Workers":
        """Start a pool of so many processes; 0 means one per CPU."""
        return cls(ExtractionPool(count))


WORKERS = Shared[Workers](lambda workers: workers.pool.close())


class ExtractPipeline:
    """Extracts every page in a worker process.

    Args:
        source: whose rules apply.
        tally: told about every page that gives no document.
        frontier: told under which address a page turned out to live.
        stop: ends the run for a reason.
        workers: worker processes of the whole program; 0 means one per CPU.
        start_seconds: how long the first page of all may take, until the workers count as dead.
    """

    def __init__(
        self,
        source: WebsiteSource,
        tally: Tally,
        frontier: Frontier,
        stop: Callable[[str], Awaitable[None]],
        *,
        workers: int = 0,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self._rules, self._tally, self._frontier, self._count = ExtractRules(source), tally, frontier, workers
        self._stop, self._start_seconds = stop, start_seconds
        self._workers: Workers | None = None
        self._stopping: asyncio.Future[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ExtractPipeline":
        """Take the spider's source, CONTENTBOT_EXTRACT_WORKERS and CONTENTBOT_EXTRACT_START_SECONDS."""
        equipment, settings = Equipment.of(crawler), crawler.settings

        async def stop(reason: str) -> None:
            await crawler.engine.close_spider_async(reason=reason)

        return cls(
            equipment.source,
            equipment.tally,
            equipment.frontier,
            stop,
            workers=settings.getint("CONTENTBOT_EXTRACT_WORKERS"),
            start_seconds=settings.getfloat("CONTENTBOT_EXTRACT_START_SECONDS"),
        )

    async def open_spider(self) -> None:
        """Start the workers, or join those of another crawl of this process."""
        self._workers = WORKERS.acquire(self._count, lambda: Workers.start(self._count))

    def close_spider(self) -> None:
        """Leave the workers; the last crawl stops them."""
        if self._workers:
            WORKERS.release(self._count)

    async def process_item(self, item: Page) -> ContentDocument:
        """Return the page's document; raises `DropItem` with the counted reason when it gives none."""
        try:
            document = await self._extract(item)
        except ExtractionError as error:
            self._tally.skip(item.url, error.reason, error.detail)
            raise DropItem(f"{item.url}: {error}") from error
        except TimeoutError as error:
            self._give_up(item)
            raise DropItem(f"{item.url}: no worker") from error
        self._tally.count("extracted")
        self._frontier.claim(document.url)
        return document

    async def _extract(self, page: Page) -> ContentDocument:
        if self._workers is None:
            raise RuntimeError("the pipeline was not opened")
        workers = self._workers
        async with workers.room:
            outcome = asyncio.wrap_future(workers.pool.submit(page, self._rules))
            if not workers.answered:
                # it may wait behind many others: what counts is that any page of this process came back
                await asyncio.wait({outcome}, timeout=self._start_seconds)
                workers.answered |= outcome.done()
                if not workers.answered:
                    outcome.cancel()
                    raise TimeoutError
            return await outcome

    def _give_up(self, page: Page) -> None:
        """End the run: without workers it would fetch a site, and wait for ever."""
        self._tally.skip(page.url, "extraction_failed")
        if self._stopping is None:
            logger.critical(_NO_WORKERS)
            self._tally.fail("extraction_failed", _NO_WORKERS)
            self._stopping = asyncio.ensure_future(self._stop("extraction_failed"))
