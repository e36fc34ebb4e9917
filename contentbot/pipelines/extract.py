"""Page in, document out: extraction happens in worker processes while the reactor goes on fetching."""

import asyncio
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


@dataclass
class Workers:
    """The extraction workers of this process."""

    # the pool blocks its caller when too many pages wait: the semaphore keeps below that, and waits without blocking
    pool: ExtractionPool
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(64))

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
        workers: worker processes of the whole program; 0 means one per CPU.
    """

    def __init__(self, source: WebsiteSource, tally: Tally, frontier: Frontier, workers: int = 0) -> None:
        self._rules, self._tally, self._frontier, self._count = ExtractRules(source), tally, frontier, workers
        self._workers: Workers | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ExtractPipeline":
        """Take the spider's source, and CONTENTBOT_EXTRACT_WORKERS."""
        equipment, workers = Equipment.of(crawler), crawler.settings.getint("CONTENTBOT_EXTRACT_WORKERS")
        return cls(equipment.source, equipment.tally, equipment.frontier, workers)

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
        self._tally.count("extracted")
        self._frontier.claim(document.url)
        return document

    async def _extract(self, page: Page) -> ContentDocument:
        if self._workers is None:
            raise RuntimeError("the pipeline was not opened")
        async with self._workers.room:
            return await asyncio.wrap_future(self._workers.pool.submit(page, self._rules))
