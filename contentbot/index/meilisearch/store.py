"""Writing to the two indexes, so that a reader sees no document in half.

The engine works on the tasks of one server one after the other, and a task is visible at once and whole. There is no
task over two indexes, so what a reader may see between two of them is chosen:

- A batch's documents are written before its sections, and deleted after them: whatever a search finds can be read.
- A document that became shorter leaves sections behind. They are overwritten by empty records in the very task that
  writes the new sections, and removed by a later one: no reader finds a document by words that it no longer has, or by
  an access rule that no longer holds, and none misses it in between.
- A writer that dies between the two tasks has confirmed nothing: the batch is sent again, and writing twice does no
  harm. Until then the documents of that batch may be newer than their sections.
- What is too large for one request is sent in several, whole documents in each.
"""

import json
import logging
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from meilisearch.models.task import TaskInfo

from contentbot.errors import EngineRefused
from contentbot.index.backend import Entry
from contentbot.index.meilisearch.address import Names
from contentbot.index.meilisearch.connection import Connection, MissingIndex
from contentbot.index.meilisearch.filters import any_key
from contentbot.index.meilisearch.layout import (
    REINDEXING,
    SCHEMA_VERSION,
    chunk_settings,
    differing,
    document_settings,
)
from contentbot.index.meilisearch.records import chunk_records, document_record, engine_key
from contentbot.sources.languages import Languages

logger = logging.getLogger(__name__)

MAX_PAYLOAD = 16 << 20
"""Bytes of one request; the engine takes 100 MB, what is before it often less."""

IDENTITY = "identity"
"""The id of the record that tells which index this is, and its field."""

PRIMARY_KEYS = ("key", "id")
"""Of documents and sections."""

LARGE = 20_000
"""Documents from which on changed settings do not reindex an index in place: `contentbot reindex` does it aside."""

_KEYS_AT_ONCE = 1_000
_PAGE = 100_000

Record = Mapping[str, Any]
T = TypeVar("T")


class Store:
    """Sets the indexes up, writes and deletes."""

    def __init__(self, connection: Connection, names: Names, languages: Languages) -> None:
        self.connection, self.names, self._languages = connection, names, languages
        self._is_set_up = False

    def identity(self) -> str:
        """Return the identity that both indexes tell; empty if one of them is missing, was wiped or swapped alone.

        Raises:
            EngineRefused: the indexes are of another schema.
        """
        query = {"filter": f"{IDENTITY} EXISTS", "limit": 1}
        try:
            answers = self.connection.search([{"indexUid": name, **query} for name in self._both])
        except MissingIndex:
            return ""
        told = [hit for answer in answers for hit in answer["hits"]]
        for record in told:
            self._check_schema(record)
        identities = {str(record[IDENTITY]) for record in told}
        return identities.pop() if len(told) == len(self._both) and len(identities) == 1 else ""

    def set_up(self) -> None:
        """Make the indexes or bring their settings up to date, and give them an identity if they have none."""
        if not self._is_set_up:
            self._apply(self.names.documents, PRIMARY_KEYS[0], document_settings(self._languages))
            self._apply(self.names.chunks, PRIMARY_KEYS[1], chunk_settings(self._languages))
            self._is_set_up = True
        # asked before every batch: whoever wiped the indexes meanwhile has made new ones of them
        if not self.identity():
            self._identify()

    def make(self) -> None:
        """Make what is missing of the two indexes, and leave the others as they are."""
        for name, primary_key in zip(self._both, PRIMARY_KEYS, strict=True):
            try:
                self.connection.ask(lambda client, name=name: client.index(name).get_settings())  # type: ignore[misc]  # mypy: lambda default
            except MissingIndex:
                self._create(name, primary_key)

    def upsert(self, entries: Sequence[Entry]) -> None:
        """Replace documents with their sections."""
        stale = self._stale_sections(entries)
        documents = ([document_record(entry)] for entry in entries)
        sections = ([*chunk_records(entry), *stale.get(engine_key(entry.document.key), ())] for entry in entries)
        self.connection.finish([*self._add(self.names.documents, documents), *self._add(self.names.chunks, sections)])
        self._remove(self.names.chunks, [record["id"] for records in stale.values() for record in records])

    def delete(self, keys: Collection[str]) -> int:
        """Remove documents with their sections; returns how many there were."""
        wanted = [engine_key(key) for key in dict.fromkeys(keys)]
        try:
            found = [record["key"] for record in self._of_keys(self.names.documents, wanted, ["key"])]
            sections = [record["id"] for record in self._of_keys(self.names.chunks, wanted, ["id"])]
        except MissingIndex:
            return 0
        self._remove(self.names.chunks, sections)
        self._remove(self.names.documents, found)
        return len(found)

    def fetch(self, index: str, where: str, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the records that the filter matches, however many; the order is the engine's own."""
        offset, total = 0, 1
        while offset < total:
            page = self.connection.fetch(
                index, {"filter": where, "fields": list(fields), "offset": offset, "limit": _PAGE}
            )
            yield from page["results"]
            offset, total = offset + _PAGE, page["total"]

    def drop(self) -> None:
        """Delete both indexes."""
        self.connection.finish([self.connection.drop(name) for name in self._both])

    @property
    def _both(self) -> tuple[str, str]:
        return self.names.documents, self.names.chunks

    def _check_schema(self, record: Record) -> None:
        if record.get("schemaVersion") != SCHEMA_VERSION:
            raise EngineRefused(
                f"the index {self.names.documents} on {self.connection.url} has schema {record.get('schemaVersion')}, "
                f"this version reads {SCHEMA_VERSION}: run `contentbot reindex`"
            )

    def _apply(self, name: str, primary_key: str, wanted: Mapping[str, Any]) -> None:
        try:
            told = self.connection.ask(lambda client: client.index(name).get_settings())
        except MissingIndex:
            self._create(name, primary_key)
            told = {}
        changed = differing(wanted, told)
        if told and REINDEXING & changed.keys() and self._holds_many(name):
            logger.warning(
                "%s has other settings (%s); changing them would reindex it in place: run `contentbot reindex`",
                name,
                ", ".join(sorted(changed)),
            )
            return
        if changed:
            task = self.connection.ask(lambda client: client.index(name).update_settings(changed))
            self.connection.finish([task])

    def _create(self, name: str, primary_key: str) -> None:
        try:
            self.connection.finish([self.connection.create(name, primary_key)])
        except EngineRefused as error:
            if "index_already_exists" not in str(error):  # another process was faster
                raise

    def _holds_many(self, name: str) -> bool:
        stats = self.connection.ask(lambda client: client.index(name).get_stats())
        return int(stats.number_of_documents) > LARGE

    def _identify(self) -> None:
        told = {IDENTITY: secrets.token_hex(16), "schemaVersion": SCHEMA_VERSION}
        tasks = self._add(self.names.documents, [[{"key": IDENTITY, **told}]])
        self.connection.finish([*tasks, *self._add(self.names.chunks, [[{"id": IDENTITY, **told}]])])

    def _stale_sections(self, entries: Sequence[Entry]) -> dict[str, list[dict[str, str]]]:
        """Return empty records, by key, for the sections that the documents had and have no more."""
        kept = {engine_key(entry.document.key): len(entry.chunks) for entry in entries}
        stale: dict[str, list[dict[str, str]]] = {}
        for record in self._of_keys(self.names.chunks, list(kept), ["id", "key", "number"]):
            if record["number"] >= kept[record["key"]]:
                stale.setdefault(record["key"], []).append({"id": record["id"]})
        return stale

    def _of_keys(self, index: str, keys: Sequence[str], fields: Sequence[str]) -> list[dict[str, Any]]:
        return [record for part in _slices(keys) for record in self.fetch(index, any_key(part), fields)]

    def _add(self, index: str, groups: Iterable[Sequence[Record]]) -> list[TaskInfo]:
        primary_key = PRIMARY_KEYS[self._both.index(index)]
        return [self.connection.add(index, payload, primary_key) for payload in payloads(groups)]

    def _remove(self, index: str, ids: Sequence[str]) -> None:
        self.connection.finish([self.connection.remove(index, part) for part in _slices(ids)])


def payloads(groups: Iterable[Sequence[Record]], limit: int = MAX_PAYLOAD) -> Iterator[bytes]:
    """Yield requests' bodies (NDJSON) of at most `limit` bytes; a group stays together, unless it alone is larger."""
    body = bytearray()
    for group in groups:
        lines = [json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in group]
        if body and len(body) + sum(map(len, lines)) > limit:
            yield bytes(body)
            body.clear()
        for line in lines:
            if body and len(body) + len(line) > limit:
                yield bytes(body)
                body.clear()
            body += line
    if body:
        yield bytes(body)


def _slices(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[start : start + _KEYS_AT_ONCE] for start in range(0, len(items), _KEYS_AT_ONCE))
