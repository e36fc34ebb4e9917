"""Documents into the search index, in batches; what the index has not confirmed does not count as indexed."""

import asyncio
import logging
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.access import PUBLIC
from contentbot.delivery import Receipt, deliver, flush, post
from contentbot.documents import ContentDocument
from contentbot.equipment import Equipment
from contentbot.errors import ContentBotError, EngineUnavailable, NotFound, StateError
from contentbot.frontier import SeenUrls
from contentbot.index import Index, open_index
from contentbot.pipelines.batch import Batch, BatchLimits, Waiting
from contentbot.pipelines.item import Extracted
from contentbot.runs.signals import documents_indexed
from contentbot.shared import WRITERS, Writer
from contentbot.state.outbox import Outbox

logger = logging.getLogger(__name__)

ASKED_AGAIN_AFTER = 30.0  # seconds, where the index gave no answer


class IndexPipeline:
    """Writes documents to the index and, once it has confirmed them, their pages to the state.

    An index that gives no answer does not stop the run: documents go to the outbox. What it refuses is set aside there.

    Args:
        index_url: which index, as `open_index` takes it.
        outbox: the file that keeps what could not be delivered.
        crawler: asked to end the run, and to tell who listens what was confirmed.
        limits: when a batch is written.
    """

    def __init__(self, index_url: str, outbox: Path, crawler: Crawler, limits: BatchLimits) -> None:
        self._url, self._outbox_file, self._crawler, self._batch = index_url, outbox, crawler, Batch(limits)
        equipment = Equipment.of(crawler)
        self._equipment, self._tally, self._memory = equipment, equipment.tally, equipment.memory
        self._writing: dict[str, ContentDocument] = {}
        self._written = SeenUrls()
        self._away_until = 0.0
        self._writer: Writer | None = None
        self._outbox: Outbox | None = None
        self._ticker: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "IndexPipeline":
        """Take CONTENTBOT_INDEX_URL, CONTENTBOT_DATA_DIR and CONTENTBOT_BATCH_*."""
        settings = crawler.settings
        limits = BatchLimits(
            settings.getint("CONTENTBOT_BATCH_DOCUMENTS"),
            settings.getint("CONTENTBOT_BATCH_BYTES"),
            settings.getfloat("CONTENTBOT_BATCH_SECONDS"),
        )
        outbox = Path(settings["CONTENTBOT_DATA_DIR"]) / "outbox.db"
        return cls(settings["CONTENTBOT_INDEX_URL"], outbox, crawler, limits)

    async def open_spider(self) -> None:
        """Open the index before anything is requested, and deliver what waits; errors of ours stop the run here."""
        try:
            self._writer = WRITERS.acquire(self._url, lambda: Writer(open_index(self._url)))
            self._outbox = Outbox(self._outbox_file)
            await self._flush_outbox(self._writer, self._outbox)
        except ContentBotError as error:
            self._tally.fail("start_failed", str(error))
            raise
        self._ticker = asyncio.ensure_future(self._flush_old())

    async def _flush_outbox(self, writer: Writer, outbox: Outbox) -> None:
        async with writer.turn:
            deliver_waiting = partial(flush, outbox, writer.index, self._memory.delivered, source=self._memory.source)
            flushed = await asyncio.to_thread(deliver_waiting)
            if flushed.documents:
                self._tally.count("delivered_late", flushed.documents)
            try:
                self._memory.identity = writer.index.settings().identity
                self._memory.distrust_missing(writer.index.keys(self._memory.source))
            except EngineUnavailable as error:
                flushed.unavailable = str(error)
                # until it answers it is taken for the one of the last run: else every page would be sent again
                last = self._equipment.state.runs.last_finished(self._memory.source)
                self._memory.identity = last.index_identity if last else ""
            if flushed.unavailable:
                self._wait_for_it(flushed.unavailable)

    async def process_item(self, item: Extracted) -> ContentDocument:
        """Queue the document; returns when it waits in a batch, or when the batch it filled is confirmed."""
        try:
            document = self._merged(item)
        except EngineUnavailable as error:
            self._wait_for_it(str(error))
            self._equipment.leave(item.url, "index_away", str(error), final_url=item.page.final_url, status=200)
            raise DropItem(f"{item.url}: {error}") from error
        if self._is_known(item, document):
            self._tally.count("unchanged")
            self._memory.same_text(item.page)
            return document
        self._batch.put(self._with_earlier_urls(document, item.page.url), item.page)
        if self._batch.full:
            await self.flush()
        return document

    @property
    def is_away(self) -> bool:
        """Whether the index gave no answer: then what is not urgent waits for the next run."""
        return time.monotonic() < self._away_until or bool(self._tally.counts["kept_for_later"])

    async def correct(self, item: Extracted) -> bool:
        """Write a document that is known by now to have too much or too little text; say whether it differs.

        Raises:
            EngineUnavailable: the index gives no answer.
        """
        known, key = self._memory.recall(item.page.url), item.document.key
        if known is None or known.document_key != key or not self._memory.is_in_index(known):
            # it waits in the outbox, or is not there any more: the next run sees to it
            return False
        if known.content_hash == item.document.content_hash:
            self._memory.same_text(item.page)
            return False
        self._batch.put(self._with_earlier_urls(item.document, item.page.url), item.page)
        if self._batch.full:
            await self.flush()
        return True

    def _is_known(self, item: Extracted, document: ContentDocument) -> bool:
        """Say whether the index has exactly this document: then nothing is written."""
        known = self._memory.recall(item.page.url)
        same = known is not None and (known.document_key, known.content_hash) == (document.key, document.content_hash)
        current = self._memory.same_rules(known) and self._memory.is_in_index(known)
        return same and current and document.key not in self._written

    def _merged(self, item: Extracted) -> ContentDocument:
        """Return one document for a page that is reached in several ways, with all its addresses."""
        document, ours = item.document, True
        known = self._batch.get(document.key) or self._writing.get(document.key)
        if known is None and document.key in self._written:
            known = self._stored(document.key)
        elif known is None and self._memory.has_other_pages(item.page):
            known, ours = self._stored(document.key), False
        if known is None:
            return document
        if ours:
            self._tally.count("duplicate")
            self._tally.withdraw()
        # a page that was read under its own address speaks for itself; else the younger one does
        kept, other = (known, document) if document.additional_urls and not known.additional_urls else (document, known)
        return _with_urls(kept, other.additional_urls)

    def _with_earlier_urls(self, document: ContentDocument, listed: str) -> ContentDocument:
        """Keep the addresses that earlier runs found: to find them again is then no second write."""
        known = self._memory.recall(listed)
        if known is None or known.document_key != document.key or not self._memory.is_in_index(known):
            return document
        stored = self._stored(document.key)
        earlier = stored.additional_urls if stored else []
        return _with_urls(document, [url for url in earlier if not self._is_a_page_of_its_own(url, document.key)])

    def _is_a_page_of_its_own(self, url: str, key: str) -> bool:
        known = self._memory.recall(url)
        return known is not None and known.document_key not in {"", key}

    async def _flush_old(self) -> None:
        """Write what has waited long enough, also while no page arrives."""
        while True:
            await asyncio.sleep(1)
            if self._batch.full:
                await self.flush()

    async def flush(self) -> None:
        """Write what waits."""
        if self._writer is None or self._outbox is None:
            return
        async with self._writer.turn:
            if waiting := self._batch.take():
                self._writing = {one.key: one.document for one in waiting}
                try:
                    await self._write(self._writer.index, self._outbox, waiting)
                except Exception as error:  # whatever it is: what it left undone is fetched again by the next run
                    self._stop(error)
                self._writing = {}

    async def _write(self, index: Index, outbox: Outbox, waiting: Sequence[Waiting]) -> None:
        self._memory.doubt([page.url for one in waiting for page in one.pages])
        if time.monotonic() < self._away_until:
            self._keep(outbox, waiting)
            return
        receipt = await asyncio.to_thread(deliver, index, waiting)
        post(outbox, waiting, receipt)
        for one in waiting:
            if one.key in receipt.refused:
                self._refuse(one, receipt.refused[one.key])
        if receipt.unavailable:
            self._wait_for_it(receipt.unavailable)
            self._tally.count("kept_for_later", len(waiting) - len(receipt.confirmed) - len(receipt.refused))
        await self._confirm(index, outbox, [one for one in waiting if one in receipt.confirmed])

    def _refuse(self, one: Waiting, reason: str) -> None:
        for page in one.pages:
            self._equipment.leave(page.url, "refused_by_index", reason, final_url=page.final_url, status=200)

    async def _confirm(self, index: Index, outbox: Outbox, confirmed: Sequence[Waiting]) -> None:
        if not confirmed:
            return
        outbox.overtaken(self._memory.source, [one.key for one in confirmed])
        self._memory.indexed([page for one in confirmed for page in one.pages], index.settings().identity)
        self._tally.count("indexed", sum(one.key not in self._written for one in confirmed))
        for one in confirmed:
            self._written.add(one.key)
        documents = [one.document for one in confirmed]
        await self._crawler.signals.send_catch_log_async(documents_indexed, documents=documents)

    def _keep(self, outbox: Outbox, waiting: Sequence[Waiting]) -> None:
        post(outbox, waiting, Receipt())
        self._tally.count("kept_for_later", len(waiting))

    def _wait_for_it(self, why: str) -> None:
        logger.error("the search index is away, documents are kept in %s: %s", self._outbox_file, why)
        self._away_until = time.monotonic() + ASKED_AGAIN_AFTER

    def _stop(self, error: Exception) -> None:
        """End the run: going on would fetch a site and keep nothing of it."""
        known = isinstance(error, ContentBotError)
        logger.critical("writing failed, the run ends: %s", error, exc_info=None if known else error)
        if isinstance(error, StateError):
            self._tally.fail("state_failed", str(error))
        else:
            self._tally.fail("index_failed", str(error) or repr(error))
        if self._crawler.crawling:
            closing = self._crawler.engine.close_spider_async(reason=self._tally.finish_reason)
            self._closing = asyncio.ensure_future(closing)

    async def close_spider(self) -> None:
        """Write what waits, add the addresses that were found late, and leave the index."""
        if self._writer is None:
            return
        if self._ticker:
            # not while it writes: what the index then has, and nothing knows of, would be deleted as left behind
            async with self._writer.turn:
                self._ticker.cancel()
        try:
            if not self._tally.error:
                await self.flush()
                await self._add_late_urls()
                self._say_what_waits()
        finally:
            WRITERS.release(self._url)
            if self._outbox:
                self._outbox.close()

    def _say_what_waits(self) -> None:
        if kept := self._tally.counts["kept_for_later"]:
            self._tally.fail(
                "index_away",
                f"the search index gave no answer: {kept} documents wait in {self._outbox_file}; the next run delivers "
                "them, and so does `contentbot flush`",
            )

    async def _add_late_urls(self) -> None:
        """Give documents the addresses that led to them only after they were written."""
        try:
            late = [self._late(url, urls) for url, urls in self._equipment.frontier.aliases.items()]
        except EngineUnavailable as error:
            self._wait_for_it(str(error))
            return
        for document in filter(None, late):
            self._batch.put(document)
            if self._batch.full:
                await self.flush()
        await self.flush()

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
