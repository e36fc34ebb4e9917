"""One source into the staging index, batch by batch: the next one is being read while one is written."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from contentbot.delivery import deliver
from contentbot.documents import ContentDocument
from contentbot.errors import EngineUnavailable, ExtractionError, RebuildFailed
from contentbot.frontier import SeenUrls
from contentbot.index import Index
from contentbot.reindexing.making import Attempt, Known, Made, Maker, with_urls
from contentbot.reindexing.report import Rebuilt
from contentbot.state import PageStore
from contentbot.state.surveys import SurveyStore

BATCH = 100
"""Documents that are read, written and noted together."""


@dataclass(frozen=True, slots=True)
class Stores:
    """Where a rebuild reads and writes: the index as it is, the new one, what is known of pages, and what will be.

    `surveys` tells what repeats in a source.

    `index` is None where this version cannot read what is there.
    """

    index: Index | None
    staged: Index
    pages: PageStore
    notes: PageStore
    surveys: SurveyStore


class Filling:
    """Brings everything of one source into the new index.

    Args:
        source: its id.
        stores: from where, and to where.
        maker: reads stored pages anew; without one, the index's documents are taken as they are.
    """

    def __init__(self, source: str, stores: Stores, maker: Maker | None) -> None:
        self._stores, self._maker = stores, maker
        # what the index has and the new one has not yet
        self._left = stores.index.keys(source) if stores.index else set()
        self._source, self.rebuilt = source, Rebuilt(source)
        self._written = SeenUrls()
        self.total = max(len(self._left), stores.pages.documents(source) if maker else 0)

    def run(self) -> Iterator[None]:
        """Fill, and stop after every batch.

        Raises:
            EngineUnavailable: the engine gave no answer.
            RebuildFailed: it refuses a document that it had until now.
        """
        if self._maker:
            yield from self._read_anew(self._maker)
        for keys in _batched(sorted(self._left), BATCH):
            self._write([Made(document, anew=False) for document in self._indexed(keys)])
            yield

    def _read_anew(self, maker: Maker) -> Iterator[None]:
        ahead: list[Attempt] = []
        for batch in self._known():
            begun = [maker.begin(known) for known in batch]
            self._settle(maker, ahead)
            ahead = begun
            yield
        self._settle(maker, ahead)
        yield

    def _known(self) -> Iterator[list[Known]]:
        for batch in self._stores.pages.by_document(self._source, BATCH):
            indexed = {one.key: one for one in self._indexed(batch.keys() & self._left)}
            yield [Known(key, pages, indexed.get(key)) for key, pages in batch.items()]

    def _indexed(self, keys: Collection[str]) -> Iterator[ContentDocument]:
        return self._stores.index.stored(keys) if self._stores.index and keys else iter(())

    def _settle(self, maker: Maker, attempts: Sequence[Attempt]) -> None:
        """Write what a batch of documents has come to."""
        made: dict[str, Made] = {}
        for attempt in attempts:
            for one in self._outcome(maker, attempt):
                made[one.document.key] = self._merged(one, made)
        self._write(list(made.values()), {attempt.known.key: attempt.known for attempt in attempts})

    def _outcome(self, maker: Maker, attempt: Attempt) -> list[Made]:
        known, made = attempt.known, list[Made]()
        try:
            made.extend(maker.finish(attempt))
        except ExtractionError as error:
            # whether the document goes is for a crawl to judge
            self.rebuilt.failed[error.reason] += 1
        if made:
            self._left.discard(known.key)
        elif known.indexed is None:
            self.rebuilt.missing += 1
        return made

    def _merged(self, one: Made, batch: Mapping[str, Made]) -> Made:
        """Join a document with what another page has made of it already."""
        key, before = one.document.key, batch.get(one.document.key)
        if before is None and key in self._written:
            before = next((Made(document) for document in self._stores.staged.stored([key])), None)
        if before is None:
            return one
        urls = [before.document.url, *before.document.additional_urls]
        return Made(with_urls(one.document, urls), (*before.pages, *one.pages))

    def _write(self, batch: Sequence[Made], known: Mapping[str, Known] | None = None) -> None:
        receipt = deliver(self._stores.staged, batch)
        if receipt.unavailable:
            raise EngineUnavailable(receipt.unavailable)
        for one in batch:
            if reason := receipt.refused.get(one.document.key):
                self._refused(one, reason, (known or {}).get(one.document.key))
            else:
                self._confirmed(one)
        settled = [one for one in batch if one.document.key not in receipt.refused]
        self._stores.notes.put(page for one in settled for page in one.pages)

    def _confirmed(self, one: Made) -> None:
        again = one.document.key in self._written
        self._written.add(one.document.key)
        self._left.discard(one.document.key)
        self.rebuilt.made += one.anew and not again
        self.rebuilt.copied += not one.anew

    def _refused(self, one: Made, reason: str, known: Known | None) -> None:
        """Take the document as it was instead of one that the engine does not want."""
        url = one.document.url
        if not one.anew:
            raise RebuildFailed(f"{url}: the engine refuses what it had until now, so nothing was swapped: {reason}")
        self.rebuilt.refused[url] = reason
        if known and known.indexed:
            self._left.add(one.document.key)


def _batched(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))
