"""The production engine behind the backend protocol."""

import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from contentbot.documents import ContentDocument
from contentbot.errors import EngineRefused, EngineUnavailable, SearchIndexError
from contentbot.index.backend import Answer, Entry, IndexSettings, Question, SourceCount
from contentbot.index.meilisearch import facets
from contentbot.index.meilisearch.address import Names
from contentbot.index.meilisearch.connection import TASK_SECONDS, Connection, HiddenTask, MissingIndex
from contentbot.index.meilisearch.filters import MOMENTS, any_key, expression
from contentbot.index.meilisearch.layout import PLACES, SCHEMA_VERSION
from contentbot.index.meilisearch.records import HEAD_FIELDS, read_document
from contentbot.index.meilisearch.search import Search, resolve
from contentbot.index.meilisearch.store import Store
from contentbot.index.query import EVERYTHING, And, Equals, Filter
from contentbot.index.question import parse
from contentbot.index.tantivy.analysis import split
from contentbot.sources.languages import NO_LANGUAGES, Languages

logger = logging.getLogger(__name__)

_WHOLE = [*HEAD_FIELDS, "body", "plainText"]
_BATCH = 200
_QUERIES_AT_ONCE = 90
_MOST_NEAR = 100
_ABANDONED = timedelta(days=1)
_POLL = 0.1


class MeilisearchBackend:
    """The two indexes of one name on one server. Nothing is asked before the first call.

    Reading takes a key that may search; only `keys` and `scan`, which are not bound by what a search may return, also
    take `documents.get`.

    Args:
        connection: the server.
        names: the indexes.
        languages: the operator's word lists.
        read_only: refuse every write.
    """

    def __init__(
        self, connection: Connection, names: Names, *, languages: Languages = NO_LANGUAGES, read_only: bool = False
    ) -> None:
        self._languages = languages
        self._connection, self._names, self._read_only = connection, names, read_only
        self._store = Store(connection, names, self._languages)
        self._is_staged = False

    def upsert(self, entries: Sequence[Entry]) -> None:
        """See `Backend.upsert`; the last of several entries with one key counts.

        The documents are there before their sections, and a batch over `MAX_PAYLOAD` bytes is written in several steps:
        see `store`.
        """
        self._check_writable()
        newest = {entry.document.key: entry for entry in entries}
        if newest:
            self._store.set_up()
            self._store.upsert(list(newest.values()))

    def delete(self, keys: Collection[str]) -> int:
        """See `Backend.delete`."""
        self._check_writable()
        return self._store.delete(keys)

    def search(self, question: Question) -> Answer:
        """See `Backend.search`."""
        try:
            return Search(self._connection, self._names, question, self._languages).answer()
        except MissingIndex:
            return Answer(facets={name: {} for name in question.facets}, notices=parse(question.query).notices)

    def get(self, where: Filter) -> ContentDocument | None:
        """See `Backend.get`."""
        query = self._query(where) | {"limit": 1, "sort": ["key:asc"], "attributesToRetrieve": _WHOLE}
        hits = [hit for answer in self._asked([query]) for hit in answer["hits"]]
        return read_document(hits[0]) if hits else None

    def scan(self, where: Filter) -> Iterator[ContentDocument]:
        """See `Backend.scan`; a document that is deleted while this runs may be left out."""
        keys = sorted(self._keys(where))
        for start in range(0, len(keys), _BATCH):
            part = keys[start : start + _BATCH]
            found = self._store.fetch(self._names.documents, any_key(part), _WHOLE)
            yield from (read_document(record) for record in sorted(found, key=lambda record: str(record["key"])))

    def facets(self, field: str, where: Filter) -> Mapping[str, int]:
        """See `Backend.facets`."""
        return self._counted([field], [where])[0][field]

    def overview(self, where: Filter) -> Sequence[SourceCount]:
        """See `Backend.overview`."""
        documents = self._counted(["source"], [where])[0]["source"]
        sources = sorted(documents)
        inside = [And((where, Equals("source", source))) for source in sources]
        locales = self._counted(["locale"], inside)
        newest = {name: self._newest(name, inside) for name in MOMENTS}
        return [
            SourceCount(source, documents[source], locale["locale"], published, fetched)
            for source, locale, published, fetched in zip(
                sources, locales, newest["published"], newest["fetched"], strict=True
            )
        ]

    def near(self, reference: str, where: Filter) -> Sequence[ContentDocument]:
        """See `Backend.near`."""
        words = list(dict.fromkeys(split(reference)))[-16:]
        shared = self._query(where) | {"attributesToSearchOn": list(PLACES), "attributesToRetrieve": HEAD_FIELDS}
        answers = self._asked([shared | {"q": f"{word} ", "limit": _MOST_NEAR} for word in words])
        found = {hit["key"]: hit for answer in answers for hit in answer["hits"]}
        return [read_document(hit) for hit in found.values()]

    def count(self, where: Filter) -> int:
        """See `Backend.count`."""
        answers = self._asked([self._query(where) | {"hitsPerPage": 0}])
        return int(answers[0]["totalHits"]) if answers else 0

    def keys(self, where: Filter = EVERYTHING) -> set[str]:
        """See `Backend.keys`."""
        return set(self._keys(where).values())

    def settings(self) -> IndexSettings:
        """See `Backend.settings`."""
        return IndexSettings(self._store.identity(), SCHEMA_VERSION, f"{self._connection.url} {self._names.documents}")

    def staging(self) -> "MeilisearchBackend":
        """See `Backend.staging`; indexes that were staged over a day ago and never swapped in are deleted."""
        self._check_writable()
        self._drop_abandoned()
        staged = MeilisearchBackend(self._connection, self._names.staged(), languages=self._languages)
        staged._is_staged = True
        staged._store.set_up()
        return staged

    def swap(self, staged: "MeilisearchBackend") -> None:
        """See `Backend.swap`; what was here has moved to the names of the staged indexes, and is deleted there."""
        self._check_writable()
        self._store.make()
        ours, theirs = self._names, staged._names
        pairs: list[Mapping[str, list[str] | bool]] = [
            {"indexes": [ours.documents, theirs.documents]},
            {"indexes": [ours.chunks, theirs.chunks]},
        ]
        wanted = staged._store.identity()
        try:
            # a second request would swap back
            task = self._connection.ask(lambda client: client.swap_indexes(pairs), repeatable=False)
            self._connection.finish([task])
        except HiddenTask:
            self._await_identity(wanted)
        except EngineUnavailable:
            if not self._is_now(wanted):
                raise
        self._drop_replaced(staged._store)
        staged._names, staged._store, staged._is_staged = ours, self._store, False

    def discard(self) -> None:
        """See `Backend.discard`."""
        if self._is_staged:
            self._is_staged = False
            self._store.drop()

    def close(self) -> None:
        """See `Backend.close`."""
        self._connection.close()

    def _await_identity(self, wanted: str) -> None:
        """Wait until the indexes of our names are those of an identity: what tells that a swap is done."""
        deadline = time.monotonic() + TASK_SECONDS
        while not self._is_now(wanted):
            if time.monotonic() > deadline:
                raise EngineUnavailable(
                    f"Meilisearch at {self._connection.url} has not swapped within {TASK_SECONDS:g} s"
                )
            time.sleep(_POLL)

    def _is_now(self, identity: str) -> bool:
        try:
            return self._store.identity() == identity
        except EngineRefused:  # one of another schema
            return False

    def _query(self, where: Filter) -> dict[str, Any]:
        return {"indexUid": self._names.documents, "filter": expression(where)}

    def _asked(self, queries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers of any number of searches; none where there is no index."""
        parts = (queries[start : start + _QUERIES_AT_ONCE] for start in range(0, len(queries), _QUERIES_AT_ONCE))
        try:
            return [answer for part in parts for answer in self._connection.search(part)]
        except MissingIndex:
            return []

    def _counted(self, fields: Sequence[str], filters: Sequence[Filter]) -> list[dict[str, dict[str, int]]]:
        more = {"hitsPerPage": 0, "facets": facets.asked(fields)}
        answers = self._asked([self._query(where) | more for where in filters])
        found = [answer.get("facetDistribution", {}) for answer in answers] or [{} for _ in filters]
        return [
            facets.counts(each, fields, lambda *value: resolve(self._connection, self._names, *value)) for each in found
        ]

    def _newest(self, name: str, filters: Sequence[Filter]) -> list[int | None]:
        field = MOMENTS[name]
        more = {"limit": 1, "sort": [f"{field}:desc"], "attributesToRetrieve": [field]}
        answers = self._asked([self._query(where) | more for where in filters])
        return [next((hit.get(field) for hit in answer["hits"]), None) for answer in answers] or [None for _ in filters]

    def _keys(self, where: Filter) -> dict[str, str]:
        """Return the real keys by those of the engine."""
        try:
            found = list(self._store.fetch(self._names.documents, expression(where), ["key", "originalKey"]))
        except MissingIndex:
            return {}
        return {record["key"]: record.get("originalKey", record["key"]) for record in found}

    def _drop_replaced(self, store: Store) -> None:
        try:
            store.drop()
        except SearchIndexError as error:  # the swap is done; the next staging tidies up
            logger.warning("what was replaced is left in %s: %s", store.names.documents, error)

    def _drop_abandoned(self) -> None:
        oldest = datetime.now(UTC).replace(tzinfo=None) - _ABANDONED
        indexes = self._connection.ask(lambda client: client.get_indexes({"limit": 1_000}))["results"]
        for index in indexes:
            updated = index.updated_at and index.updated_at.replace(tzinfo=None)
            if self._names.is_staged_beside(index.uid) and updated and updated < oldest:
                self._connection.finish([self._connection.drop(index.uid)])

    def _check_writable(self) -> None:
        if self._read_only:
            raise EngineRefused(f"the index on {self._connection.url} was opened read-only")
