"""Documents into the search index, in batches; what the index has not confirmed does not count as indexed."""

import asyncio
import logging
import time
from dataclasses import dataclass, field

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.equipment import Equipment
from contentbot.errors import ContentBotError, NotFound, SearchIndexError
from contentbot.frontier import SeenUrls
from contentbot.index import Index, open_index
from contentbot.pipelines.shared import Shared
from contentbot.runs.signals import documents_indexed

logger = logging.getLogger(__name__)


@dataclass
class Writer:
    """The one writer of an index in this process."""

    # an index has one writer: the crawls of a process take turns
    index: Index
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


WRITERS = Shared[Writer](lambda writer: writer.index.close())


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """When a batch is full. Bytes count the text of the documents, seconds the age of the oldest one."""

    documents: int = 100
    text_bytes: int = 4 << 20
    seconds: float = 5.0


class Batch:
    """Documents that wait to be written, at most one of each key."""

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._documents: dict[str, ContentDocument] = {}
        self._bytes, self._since = 0, 0.0

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, key: str) -> ContentDocument | None:
        """Return the waiting document of this key."""
        return self._documents.get(key)

    def put(self, document: ContentDocument) -> None:
        """Add a document, or replace the one of its key."""
        if not self._documents:
            self._since = time.monotonic()
        self._bytes += len(document.body) + len(document.plain_text)
        self._documents[document.key] = document

    @property
    def full(self) -> bool:
        """Whether the batch should be written now."""
        limits, age = self._limits, time.monotonic() - self._since
        over = len(self._documents) >= limits.documents or self._bytes >= limits.text_bytes or age >= limits.seconds
        return bool(self._documents) and over

    def take(self) -> list[ContentDocument]:
        """Return what waits, and start anew."""
        taken, self._documents, self._bytes = list(self._documents.values()), {}, 0
        return taken


class IndexPipeline:
    """Writes documents to the index; an index that fails ends the run with `index_failed`.

    Args:
        index_url: which index, as `open_index` takes it.
        crawler: asked to end the run, and to tell who listens what was confirmed.
        limits: when a batch is written.
    """

    def __init__(self, index_url: str, crawler: Crawler, limits: BatchLimits) -> None:
        self._url, self._crawler, self._batch = index_url, crawler, Batch(limits)
        equipment = Equipment.of(crawler)
        self._tally, self._frontier = equipment.tally, equipment.frontier
        self._writing: dict[str, ContentDocument] = {}
        self._written = SeenUrls()
        self._writer: Writer | None = None
        self._ticker: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "IndexPipeline":
        """Take CONTENTBOT_INDEX_URL and CONTENTBOT_BATCH_*."""
        settings = crawler.settings
        limits = BatchLimits(
            settings.getint("CONTENTBOT_BATCH_DOCUMENTS"),
            settings.getint("CONTENTBOT_BATCH_BYTES"),
            settings.getfloat("CONTENTBOT_BATCH_SECONDS"),
        )
        return cls(settings["CONTENTBOT_INDEX_URL"], crawler, limits)

    async def open_spider(self) -> None:
        """Open the index before anything is requested; its errors stop the run here."""
        try:
            self._writer = WRITERS.acquire(self._url, lambda: Writer(open_index(self._url)))
        except ContentBotError as error:
            self._tally.fail("start_failed", str(error))
            raise
        self._ticker = asyncio.ensure_future(self._flush_old())

    async def process_item(self, item: ContentDocument) -> ContentDocument:
        """Queue the document; returns when it waits in a batch, or when the batch it filled is confirmed."""
        if self._tally.error:
            self._tally.skip(item.url, "index_failed")
            raise DropItem(f"{item.url}: the index failed before")
        self._batch.put(self._merged(item))
        if self._batch.full:
            await self._flush()
        return item

    def _merged(self, document: ContentDocument) -> ContentDocument:
        """Return one document for a page that was reached twice at the same time, with all its addresses."""
        known = self._batch.get(document.key) or self._writing.get(document.key)
        if known is None and document.key in self._written:
            known = self._stored(document.key)
        if known is None:
            return document
        self._tally.count("duplicate")
        self._tally.withdraw()
        # a page that was read under its own address speaks for itself; else the younger one does
        kept, other = (known, document) if document.additional_urls and not known.additional_urls else (document, known)
        return _with_urls(kept, other.additional_urls)

    async def _flush_old(self) -> None:
        """Write what has waited long enough, also while no page arrives."""
        while True:
            await asyncio.sleep(1)
            if self._batch.full:
                await self._flush()

    async def _flush(self) -> None:
        if self._writer is None:
            return
        async with self._writer.turn:
            await self._write(self._writer.index, self._batch.take())

    async def _write(self, index: Index, documents: list[ContentDocument]) -> None:
        if not documents or self._tally.error:
            return
        self._writing = {document.key: document for document in documents}
        try:
            await asyncio.to_thread(index.upsert, documents)
        except Exception as error:  # whatever it is: nothing of this batch is in the index
            self._stop(error, documents)
            return
        self._tally.count("indexed", sum(document.key not in self._written for document in documents))
        for key in self._writing:
            self._written.add(key)
        self._writing = {}
        await self._crawler.signals.send_catch_log_async(documents_indexed, documents=documents)

    def _stop(self, error: Exception, documents: list[ContentDocument]) -> None:
        """End the run: going on would fetch a site and keep nothing of it."""
        known = isinstance(error, SearchIndexError)
        logger.critical("the search index failed, the run ends: %s", error, exc_info=None if known else error)
        self._tally.fail("index_failed", str(error))
        for document in documents:
            self._tally.skip(document.url, "index_failed", str(error))
        if self._crawler.crawling:
            self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async(reason="index_failed"))

    async def close_spider(self) -> None:
        """Write what waits, add the addresses that were found late, and leave the index."""
        if self._writer is None:
            return
        if self._ticker:
            self._ticker.cancel()
        try:
            if not self._tally.error:
                await self._flush()
                await self._add_late_urls()
        finally:
            WRITERS.release(self._url)

    async def _add_late_urls(self) -> None:
        """Give documents the addresses that led to them only after they were written."""
        late = [self._late(url, urls) for url, urls in self._frontier.aliases.items()]
        for document in filter(None, late):
            self._batch.put(document)
            if self._batch.full:
                await self._flush()
        await self._flush()

    def _late(self, url: str, urls: list[str]) -> ContentDocument | None:
        document = self._stored(url)
        merged = _with_urls(document, urls) if document else None
        return None if merged == document else merged

    def _stored(self, reference: str) -> ContentDocument | None:
        try:
            return self._writer.index.get(reference, principal=PUBLIC) if self._writer else None
        except NotFound:
            return None


def _with_urls(document: ContentDocument, urls: list[str]) -> ContentDocument:
    merged = [url for url in dict.fromkeys([*document.additional_urls, *urls]) if url != document.url]
    return document.model_copy(update={"additional_urls": merged}) if merged != document.additional_urls else document
