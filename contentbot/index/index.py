"""The search index as the rest of the project sees it: every read takes a principal."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from types import TracebackType
from typing import Self

from rapidfuzz import fuzz, process

from contentbot.access import Principal, allows, principal_tokens
from contentbot.documents import ContentDocument
from contentbot.errors import NotFound
from contentbot.index.backend import Backend, Entry, IndexSettings, Match, Question
from contentbot.index.chunking import chunks_of
from contentbot.index.query import (
    EVERYTHING,
    And,
    AnyOf,
    Equals,
    Filter,
    Hit,
    Not,
    SearchRequest,
    SearchResult,
    check_facets,
    check_filter,
    check_page,
)
from contentbot.index.snippets import snippet
from contentbot.index.wellformed import well_formed, well_formed_document

logger = logging.getLogger(__name__)

EMPTY = "the index is empty: crawl a source first, with `contentbot crawl`"
_NEAR = 3
_LEAST_LIKENESS = 60.0


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """What a source has for one principal. `newest_published`, `last_fetched` are ISO 8601 in UTC, or empty."""

    source: str
    documents: int
    locales: Mapping[str, int]
    newest_published: str = ""
    last_fetched: str = ""


class Index:
    """A search index. Use it as a context manager, or close it.

    Reads see every batch that any process has finished, without being reopened. What the principal may not read is
    absent from hits, totals, counts, near matches and errors alike.

    Args:
        backend: the engine.
        clean: brings a URL into the form that documents are stored under; ValueError for what is no web address.
    """

    def __init__(self, backend: Backend, *, clean: Callable[[str], str] = str) -> None:
        self._backend, self._clean = backend, clean

    def upsert(self, documents: Sequence[ContentDocument]) -> None:
        """Replace these documents, by key; durable and visible to every process on return."""
        stored = [well_formed_document(document) for document in documents]
        self._backend.upsert([Entry(document, chunks_of(document)) for document in stored])

    def delete(self, keys: Collection[str]) -> int:
        """Remove the documents of these keys; returns how many there were."""
        return self._backend.delete(keys)

    def search(self, request: SearchRequest, *, principal: Principal) -> SearchResult:
        """Answer a question with the documents that match it, each with its best section.

        Raises:
            InvalidQuery: a filter or facet field that does not exist, or a page outside of the window.
        """
        check_filter(request.filter)
        check_facets(request.facets)
        check_page(request.offset, request.limit)
        answer = self._backend.search(
            Question(
                query=well_formed(request.query),
                filter=And((request.filter, _access(principal))),
                locale=request.locale,
                sort=request.sort,
                offset=request.offset,
                limit=request.limit,
                facets=request.facets,
            )
        )
        notices = list(answer.notices)
        if not answer.total and not self._backend.count(EVERYTHING):
            notices.append(EMPTY)
        readable = [match for match in answer.matches if _readable(match.document, principal)]
        return SearchResult(
            hits=[_hit(match, request.snippet_words) for match in readable],
            total=answer.total,
            total_is_exact=answer.total_is_exact,
            facets=answer.facets,
            notices=notices,
        )

    def get(self, reference: str, *, principal: Principal, source: str = "") -> ContentDocument:
        """Return the whole document of an id, a key or a URL (additional ones included), of one source or of any.

        Raises:
            NotFound: there is none, or the principal may not read it; with near matches.
        """
        reference, access = well_formed(reference), _access(principal)
        if source:
            access = And((Equals("source", source), access))
        for way in self._ways(reference):
            document = self._backend.get(And((way, access)))
            if document is not None and _readable(document, principal):
                return document
        raise NotFound("document", reference, self._near(reference, access))

    def facets(self, field: str, *, principal: Principal, filter: Filter = EVERYTHING) -> Mapping[str, int]:  # noqa: A002 - the caller's word
        """Count documents per value of a field, commonest first; spellings that differ in case only are one.

        Raises:
            InvalidQuery: the field's values cannot be counted.
        """
        check_facets([field])
        check_filter(filter)
        return self._backend.facets(field, And((filter, _access(principal))))

    def require(self, field: str, value: str, *, principal: Principal, filter: Filter = EVERYTHING) -> str:  # noqa: A002 - the caller's word
        """Return a value as the index spells it; case is ignored.

        Raises:
            NotFound: no document that the principal may read has it; with near matches.
        """
        value = well_formed(value)
        counts = self.facets(field, principal=principal, filter=filter)
        folded = {each.casefold(): each for each in counts}
        if value.casefold() in folded:
            return folded[value.casefold()]
        raise NotFound(field, value, nearest(value, list(counts)))

    def overview(self, *, principal: Principal) -> Sequence[SourceOverview]:
        """Say what every source has that the principal may read, sorted by source."""
        return [
            SourceOverview(
                source=count.source,
                documents=count.documents,
                locales=count.locales,
                newest_published=_iso(count.newest_published),
                last_fetched=_iso(count.last_fetched),
            )
            for count in self._backend.overview(_access(principal))
        ]

    def sources(self) -> list[str]:
        """Return every source that has documents, whoever may read them, sorted."""
        return [count.source for count in self._backend.overview(EVERYTHING)]

    def keys(self, source: str) -> set[str]:
        """Return the keys of all documents of a source, whoever may read them: for the crawler's book-keeping."""
        return self._backend.keys(Equals("source", source))

    def holds(self, key: str) -> bool:
        """Say whether there is a document of this key, whoever may read it: for the crawler's book-keeping."""
        return bool(self._backend.count(Equals("key", key)))

    def export(self, source: str, *, principal: Principal) -> Iterator[ContentDocument]:
        """Yield every whole document of a source that the principal may read, in the order of the keys."""
        where = And((Equals("source", source), _access(principal)))
        return (document for document in self._backend.scan(where) if _readable(document, principal))

    def stored(self, keys: Collection[str]) -> Iterator[ContentDocument]:
        """Yield the whole documents of these keys, whoever may read them, for whoever fills another index with them."""
        return self._backend.scan(AnyOf("key", tuple(keys)))

    def settings(self) -> IndexSettings:
        """Say which index this is; its identity changes when its content starts anew."""
        return self._backend.settings()

    def staging(self) -> "Index":
        """Open a new, empty index beside this one, to be filled and swapped in."""
        return Index(self._backend.staging(), clean=self._clean)

    def swap(self, staged: "Index") -> None:
        """Put a filled staging index in the place of this one, atomically."""
        self._backend.swap(staged._backend)

    def discard(self) -> None:
        """Delete this staging index, which will not be swapped in; one that was is left alone."""
        self._backend.discard()

    def close(self) -> None:
        """Give back what is held."""
        self._backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ways(self, reference: str) -> Iterator[Filter]:
        """Yield what a reference may mean, most specific first."""
        yield Equals("id", reference)
        yield Equals("key", reference)
        yield Equals("url", reference)
        try:
            cleaned = self._clean(reference)
        except ValueError:
            return
        if cleaned != reference:
            yield Equals("url", cleaned)

    def _near(self, reference: str, access: Filter) -> list[str]:
        found = self._backend.near(reference, access)
        is_address = "://" in reference
        return nearest_places(reference, [document.url if is_address else document.id for document in found])


def nearest(name: str, names: Collection[str]) -> list[str]:
    """Return up to three of the names that are close to one, best first."""
    found = process.extract(name, names, scorer=fuzz.WRatio, processor=str.casefold, limit=20)
    close = [(score, fuzz.ratio(name.casefold(), each.casefold()), each) for each, score, _ in found]
    likely = sorted((one for one in close if one[0] >= _LEAST_LIKENESS), key=lambda one: (-one[0], -one[1], one[2]))
    return [each for *_, each in likely[:_NEAR]]


def nearest_places(place: str, places: Collection[str]) -> list[str]:
    """Return up to three of the ids or addresses that are close to one, best first: by folder and by last part."""
    likely = (each for each in places if fuzz.WRatio(place.casefold(), each.casefold()) >= _LEAST_LIKENESS)
    return sorted(likely, key=lambda each: (-_closeness(place.casefold(), each.casefold()), each))[:_NEAR]


def _closeness(place: str, other: str) -> float:
    # the slash at the end of an address is no part of its own
    (*folders, name), (*others, other_name) = place.rstrip("/").split("/"), other.rstrip("/").split("/")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(folders, others, strict=False)))
    return fuzz.ratio(name, other_name) / 100 + shared / max(len(folders), len(others), 1)


def _access(principal: Principal) -> Filter:
    tokens = tuple(sorted(principal_tokens(principal)))
    return And((AnyOf("allow", tokens), Not(AnyOf("deny", tokens))))


def _readable(document: ContentDocument, principal: Principal) -> bool:
    """Evaluate the access rules in full on what is about to leave; the engine has filtered by them already."""
    if allows(document.access, principal):
        return True
    logger.critical("the engine handed out a document against its access rules; withheld: %s", document.key)
    return False


def _hit(match: Match, words: int) -> Hit:
    section = match.section
    passage = snippet(section.text, match.marks, words)
    if not passage.text:
        passage = snippet(match.document.excerpt, (), words)
    return Hit(
        document=match.document,
        score=match.score,
        heading_path=tuple(section.heading_path),
        anchor=section.anchor,
        line_start=section.line_start,
        line_end=section.line_end,
        snippet=passage,
    )


def _iso(moment: int | None) -> str:
    return "" if moment is None else datetime.fromtimestamp(moment, UTC).isoformat()
