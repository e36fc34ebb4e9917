"""When every page was read: what repeats is learned, and documents that were written too early are written again."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, DropItem

from contentbot.documents import Page
from contentbot.equipment import Equipment
from contentbot.errors import ContentBotError, ExtractionError
from contentbot.middlewares.stored import StoredPages
from contentbot.pipelines.extract import ExtractPipeline
from contentbot.pipelines.index import IndexPipeline
from contentbot.pipelines.rules import RulesPipeline
from contentbot.pipelines.validate import ValidatePipeline
from contentbot.repetition import Correction
from contentbot.sources.models import WebsiteSource

Pipeline = TypeVar("Pipeline")

logger = logging.getLogger(__name__)

TOGETHER = 32
"""Pages that are read again at the same time."""


class Corrections:
    """Keeps a run from ending until its documents are as what repeats in their source wants them.

    No page is asked for: it is read from the cache. A run that met nothing new ends at once.

    Args:
        crawler: whose run it is.
        equipment: what repeats, and who is told how many documents were corrected.
        cache: the file with the source's responses.
    """

    def __init__(self, crawler: Crawler, equipment: Equipment, cache: Path) -> None:
        self._crawler, self._equipment, self._cache = crawler, equipment, cache
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def connected(cls, crawler: Crawler, equipment: Equipment) -> "Corrections":
        """Watch for the end of a crawl; CONTENTBOT_DATA_DIR has the cache."""
        cache = Path(crawler.settings["CONTENTBOT_DATA_DIR"]) / "cache" / f"{equipment.source.id}.db"
        corrections = cls(crawler, equipment, cache)
        crawler.signals.connect(corrections.idle, signal=signals.spider_idle)
        return corrections

    def idle(self) -> None:
        """Hold the run while there is something to correct."""
        if self._task is None and not self._equipment.tally.error and self._equipment.repetition.is_stale:
            self._task = asyncio.ensure_future(self._run())
        if self._task is not None and not self._task.done():
            raise DontCloseSpider

    async def _run(self) -> None:
        try:
            await self._correct_all()
        except ContentBotError as error:
            # the documents are right but for what repeats; the next run tries again
            logger.warning("repeated text could not be taken out of every document: %s", error)
        except Exception:
            logger.exception("repeated text could not be taken out of every document")
        finally:
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        # or the run would end with the next beat of the engine, seconds later
        if (slot := self._crawler.engine._slot) is not None:
            slot.nextcall.schedule()

    async def _correct_all(self) -> None:
        repetition, index = self._equipment.repetition, self._pipeline(IndexPipeline)
        await index.flush()
        if index.is_away:
            return
        self._equipment.memory.flush()
        corrections = await asyncio.to_thread(repetition.learn)
        if corrections:
            await self._read_again(corrections)
            await index.flush()
            self._equipment.memory.flush()
        if not self._equipment.tally.error and not index.is_away:
            repetition.settle()

    async def _read_again(self, corrections: Sequence[Correction]) -> None:
        source = self._equipment.source
        if not isinstance(source, WebsiteSource):
            return
        with StoredPages(self._cache, source, self._equipment.copy) as stored:
            for start in range(0, len(corrections), TOGETHER):
                pages = [self._page(stored, one) for one in corrections[start : start + TOGETHER]]
                await asyncio.gather(*(self._correct(page) for page in pages if page is not None))
                if self._pipeline(IndexPipeline).is_away:
                    return

    def _page(self, stored: StoredPages, correction: Correction) -> Page | None:
        known = self._equipment.memory.recall(correction.url)
        # a page of other rules is read anew for their sake
        if known is None or not self._equipment.memory.is_current(known):
            return None
        page = stored.page(known)
        return replace(page, published=correction.published) if page else None

    async def _correct(self, page: Page) -> None:
        try:
            item = await self._pipeline(ExtractPipeline).read_again(page)
            item = self._pipeline(ValidatePipeline).process_item(item)
            item = self._pipeline(RulesPipeline).process_item(item)
        except (ExtractionError, DropItem, TimeoutError) as error:
            logger.debug("%s is not corrected: %s", page.url, error)
            return
        if await self._pipeline(IndexPipeline).correct(item):
            self._equipment.tally.count("corrected")

    def _pipeline(self, kind: type[Pipeline]) -> Pipeline:
        found = self._crawler.get_item_pipeline(kind)
        if found is None:
            raise RuntimeError(f"{kind.__name__} is not among the pipelines of this crawl")
        return found
