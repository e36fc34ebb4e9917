"""Page in, document out: extraction happens in worker processes while the reactor goes on fetching."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.documents import Page
from contentbot.equipment import Equipment
from contentbot.errors import ExtractionError, NeedsScripts
from contentbot.extract import Extraction, extract_surveyed
from contentbot.extract.rules import ExtractRules
from contentbot.extract.workers import ExtractionPool
from contentbot.pipelines.item import Extracted, extracted
from contentbot.rendering.crawling import Renderer, renderer_of
from contentbot.shared import Shared

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
        equipment: the rules of the source, and who is told about a page that gives no document.
        stop: ends the run for a reason.
        workers: worker processes of the whole program; 0 means one per CPU.
        start_seconds: how long the first page of all may take, until the workers count as dead.
        renderer: runs the scripts of pages; None where the source wants none of it.
    """

    def __init__(
        self,
        equipment: Equipment,
        stop: Callable[[str], Awaitable[None]],
        *,
        workers: int = 0,
        start_seconds: float = START_SECONDS,
        renderer: Renderer | None = None,
    ) -> None:
        self._equipment, self._rules, self._count = equipment, ExtractRules(equipment.source), workers
        self._repetition = equipment.repetition
        self._fingerprint = self._rules.fingerprint
        self._stop, self._start_seconds = stop, start_seconds
        self._renderer = renderer
        self._workers: Workers | None = None
        self._stopping: asyncio.Future[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ExtractPipeline":
        """Take the spider's source, CONTENTBOT_EXTRACT_WORKERS and CONTENTBOT_EXTRACT_START_SECONDS."""
        equipment, settings = Equipment.of(crawler), crawler.settings

        async def stop(reason: str) -> None:
            await crawler.engine.close_spider_async(reason=reason)

        return cls(
            equipment,
            stop,
            workers=settings.getint("CONTENTBOT_EXTRACT_WORKERS"),
            start_seconds=settings.getfloat("CONTENTBOT_EXTRACT_START_SECONDS"),
            renderer=renderer_of(crawler, equipment),
        )

    async def close_spider(self) -> None:
        """Leave the workers, if any page needed them, and the browser; the last crawl stops the workers."""
        if self._renderer:
            await self._renderer.close()
        if self._workers:
            WORKERS.release(self._count)

    async def process_item(self, item: Page) -> Extracted:
        """Return the page's document; raises `DropItem` with the counted reason when it gives none."""
        try:
            done = await self._document_of(item)
        except ExtractionError as error:
            self._equipment.leave(item.url, error.reason, error.detail, final_url=item.final_url, status=200)
            raise DropItem(f"{item.url}: {error}") from error
        except TimeoutError as error:
            self._give_up(item)
            raise DropItem(f"{item.url}: no worker") from error
        self._equipment.tally.count("extracted")
        self._equipment.frontier.claim(done.document.url)
        return done

    async def read_again(self, page: Page) -> Extracted:
        """Return the document of a page that may have been read before.

        Raises:
            ExtractionError: the page gives none.
            TimeoutError: no worker has answered.
        """
        return await self._document_of(page)

    async def _document_of(self, page: Page) -> Extracted:
        page, made = await self._read(page)
        self._repetition.note(made, page.published)
        done = extracted(page, made.document, self._fingerprint, dropped=made.dropped)
        if page.rendered and self._renderer:
            return replace(done, page=replace(done.page, expires=self._renderer.expires))
        return done

    async def _read(self, page: Page) -> tuple[Page, Extraction]:
        """Return what was extracted, and the page that it is from: rendered where the source has it so."""
        renderer = None if page.inline else self._renderer
        if renderer and renderer.always:
            page = await renderer.render(page)
        try:
            return page, await self._extract(page)
        except NeedsScripts:
            if renderer is None or page.rendered:
                raise
        page = await renderer.render(page)
        return page, await self._extract(page)

    async def _extract(self, page: Page) -> Extraction:
        # started by the first page: a run that finds nothing new has no use for them
        if self._workers is None:
            self._workers = WORKERS.acquire(self._count, lambda: Workers.start(self._count))
        workers = self._workers
        rules = replace(self._rules, template=self._repetition.template)
        async with workers.room:
            outcome = asyncio.wrap_future(workers.pool.run(extract_surveyed, page, rules))
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
        self._equipment.leave(page.url, "extraction_failed")
        if self._stopping is None:
            logger.critical(_NO_WORKERS)
            self._equipment.tally.fail("extraction_failed", _NO_WORKERS)
            self._stopping = asyncio.ensure_future(self._stop("extraction_failed"))
