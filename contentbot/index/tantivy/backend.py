"""The embedded engine behind the backend protocol."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from tantivy import IndexWriter, Query

from contentbot.documents import ContentDocument
from contentbot.errors import EngineRefused
from contentbot.index.backend import Answer, Entry, IndexSettings, Question, SourceCount
from contentbot.index.query import EVERYTHING, AnyOf, Filter
from contentbot.index.question import parse
from contentbot.index.tantivy import analysis, facets
from contentbot.index.tantivy.filters import all_of, any_of, compiled, count_of, either, heads, term
from contentbot.index.tantivy.records import read_head, records
from contentbot.index.tantivy.schema import SCHEMA_VERSION
from contentbot.index.tantivy.search import Search
from contentbot.index.tantivy.storage import Snapshot, Storage
from contentbot.sources.languages import NO_LANGUAGES, Languages

_BATCH = 500
_MOST_NEAR = 100


class TantivyBackend:
    """One index in a folder.

    Args:
        folder: where it lives; made by the first write.
        read_only: refuse every write.
        lock_timeout: how many seconds a write waits for the batch of another process.
        languages: the operator's word lists.
    """

    def __init__(
        self, folder: Path, *, read_only: bool = False, lock_timeout: float = 60.0, languages: Languages = NO_LANGUAGES
    ) -> None:
        self._languages = languages
        self._storage = Storage(folder, lock_timeout=lock_timeout)
        self._read_only = read_only

    def upsert(self, entries: Sequence[Entry]) -> None:
        """See `Backend.upsert`; the last of several entries with one key counts."""
        newest = {entry.document.key: entry for entry in entries}
        if not newest:
            return
        with self._writing() as writer:
            for key, entry in newest.items():
                writer.delete_documents_by_term("key", key)
                for record in records(entry):
                    writer.add_document(record)

    def delete(self, keys: Collection[str]) -> int:
        """See `Backend.delete`."""
        self._check_writable()
        found = self.keys(AnyOf("key", tuple(keys)))
        if found:
            with self._writing() as writer:
                for key in found:
                    writer.delete_documents_by_term("key", key)
        return len(found)

    def search(self, question: Question) -> Answer:
        """See `Backend.search`."""
        snapshot = self._storage.snapshot()
        if snapshot is None:
            return Answer(facets={name: {} for name in question.facets}, notices=parse(question.query).notices)
        return Search(snapshot, question, self._languages).answer()

    def get(self, where: Filter) -> ContentDocument | None:
        """See `Backend.get`."""
        if (snapshot := self._storage.snapshot()) is None:
            return None
        keys = sorted(_keys(snapshot, where))
        return next(_read(snapshot, keys[:1]), None) if keys else None

    def scan(self, where: Filter) -> Iterator[ContentDocument]:
        """See `Backend.scan`."""
        if (snapshot := self._storage.snapshot()) is None:
            return
        keys = sorted(_keys(snapshot, where))
        for start in range(0, len(keys), _BATCH):
            yield from _read(snapshot, keys[start : start + _BATCH])

    def facets(self, field: str, where: Filter) -> Mapping[str, int]:
        """See `Backend.facets`."""
        if (snapshot := self._storage.snapshot()) is None:
            return {}
        query = all_of([heads(snapshot.schema), compiled(snapshot.schema, where)])
        return facets.count_values(snapshot.searcher, query, (field,))[1][field]

    def overview(self, where: Filter) -> Sequence[SourceCount]:
        """See `Backend.overview`."""
        if (snapshot := self._storage.snapshot()) is None:
            return []
        return facets.count_sources(
            snapshot.searcher, all_of([heads(snapshot.schema), compiled(snapshot.schema, where)])
        )

    def near(self, reference: str, where: Filter) -> Sequence[ContentDocument]:
        """See `Backend.near`."""
        words = dict.fromkeys(analysis.split(reference)[-16:])
        if (snapshot := self._storage.snapshot()) is None or not words:
            return []
        alike = [term(snapshot.schema, "address", word) for word in words]
        alike += [Query.fuzzy_term_query(snapshot.schema, "address", word, 1) for word in words if len(word) > 4]
        query = all_of([heads(snapshot.schema), compiled(snapshot.schema, where)], either(alike))
        hits = snapshot.searcher.search(query, limit=_MOST_NEAR).hits
        return [read_head(snapshot.searcher.doc(address), whole=False) for _, address in hits]

    def count(self, where: Filter) -> int:
        """See `Backend.count`."""
        if (snapshot := self._storage.snapshot()) is None:
            return 0
        return count_of(snapshot.searcher, all_of([heads(snapshot.schema), compiled(snapshot.schema, where)]))

    def keys(self, where: Filter = EVERYTHING) -> set[str]:
        """See `Backend.keys`."""
        snapshot = self._storage.snapshot()
        return _keys(snapshot, where) if snapshot else set()

    def settings(self) -> IndexSettings:
        """See `Backend.settings`."""
        return IndexSettings(self._storage.identity(), SCHEMA_VERSION, str(self._storage.folder))

    def staging(self) -> "TantivyBackend":
        """See `Backend.staging`."""
        self._check_writable()
        staged = TantivyBackend(self._storage.folder, languages=self._languages)
        staged._storage = self._storage.stage()
        return staged

    def swap(self, staged: "TantivyBackend") -> None:
        """See `Backend.swap`."""
        self._check_writable()
        self._storage.replace_with(staged._storage)

    def discard(self) -> None:
        """See `Backend.discard`."""
        self._storage.discard()

    def close(self) -> None:
        """See `Backend.close`."""
        self._storage.close()

    def _writing(self) -> AbstractContextManager[IndexWriter]:
        self._check_writable()
        return self._storage.writing()

    def _check_writable(self) -> None:
        if self._read_only:
            raise EngineRefused(f"the index in {self._storage.folder} was opened read-only")


def _keys(snapshot: Snapshot, where: Filter) -> set[str]:
    matching = all_of([heads(snapshot.schema), compiled(snapshot.schema, where)])
    return {key for key, _ in snapshot.searcher.terms_with_prefix("key", "", filter_query=matching)}


def _read(snapshot: Snapshot, keys: Sequence[str]) -> Iterator[ContentDocument]:
    """Yield whole documents in the order of their keys."""
    query = all_of([heads(snapshot.schema), any_of(snapshot.schema, "key", keys)])
    hits = snapshot.searcher.search(query, limit=len(keys), count=False).hits
    found = (read_head(snapshot.searcher.doc(address), whole=True) for _, address in hits)
    yield from sorted(found, key=lambda document: document.key)
