"""The narrow protocol between the front (`Index`) and an engine.

A backend knows nothing of principals: access arrives as part of the filter, compiled from tokens, on the two fields
`allow` and `deny` that only the front may name.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from contentbot.documents import Chunk, ContentDocument
from contentbot.index.query import Filter, Sort


@dataclass(frozen=True, slots=True)
class Entry:
    """A document with the sections it is searched by, at least one."""

    document: ContentDocument
    chunks: Sequence[Chunk]


@dataclass(frozen=True, slots=True)
class Question:
    """A checked search request: the filter holds the caller's access, the page is inside the window."""

    query: str
    filter: Filter
    locale: str = ""
    sort: Sort = Sort.RELEVANCE
    offset: int = 0
    limit: int = 10
    facets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """One document of the answer, without `body` and `plain_text`, and its best section.

    `marks` are the half-open character ranges of `section.text` that matched.
    """

    document: ContentDocument
    section: Chunk
    score: float
    marks: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The asked page of documents, in order, and what is true of all of them."""

    matches: Sequence[Match] = ()
    total: int = 0
    total_is_exact: bool = True
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notices: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SourceCount:
    """What one source has in the index. The moments are Unix seconds, None when no document carries one."""

    source: str
    documents: int
    locales: Mapping[str, int]
    newest_published: int | None
    last_fetched: int | None


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Which index this is: the identity changes whenever its content starts anew (created, wiped, swapped).

    An index that nothing was ever written to has an empty identity and does not exist.
    """

    identity: str
    schema_version: int
    location: str


class Backend(Protocol):
    """What an engine has to do. All methods are safe to call from several threads.

    Raises:
        EngineUnavailable: the engine gave no answer, or another process holds its lock.
        EngineRefused: the engine said no, such as to a schema it does not read.
    """

    def upsert(self, entries: Sequence[Entry]) -> None:
        """Replace the documents and all of their chunks, by key, at once.

        When it returns they are durable and every other process sees them.
        """

    def delete(self, keys: Collection[str]) -> int:
        """Remove the documents of these keys with their chunks; returns how many documents there were."""

    def search(self, question: Question) -> Answer:
        """Answer a question; an empty query lists by the filter alone."""

    def get(self, where: Filter) -> ContentDocument | None:
        """Return the whole document that the filter matches, the one of the lowest key if there are several."""

    def scan(self, where: Filter) -> Iterator[ContentDocument]:
        """Yield every whole document that the filter matches, in the order of the keys, as of this moment."""

    def facets(self, field: str, where: Filter) -> Mapping[str, int]:
        """Count the documents per value of a facet field, commonest first; spellings that differ in case are one."""

    def overview(self, where: Filter) -> Sequence[SourceCount]:
        """Count the documents per source, sorted by source."""

    def near(self, reference: str, where: Filter) -> Sequence[ContentDocument]:
        """Return documents (without body) whose id or address has words in common with the reference."""

    def count(self, where: Filter) -> int:
        """Count the documents that the filter matches."""

    def keys(self, where: Filter) -> set[str]:
        """Return the keys of the documents that the filter matches."""

    def settings(self) -> IndexSettings:
        """Say which index this is."""

    def staging(self) -> Self:
        """Open a new, empty index beside this one, to be filled and then swapped in."""

    def swap(self, staged: Self) -> None:
        """Put a filled staging index in the place of this one, atomically; what was here is gone."""

    def discard(self) -> None:
        """Delete a staging index that will not be swapped in; one that was is left alone."""

    def close(self) -> None:
        """Give back what is held; calling it twice is no error."""
