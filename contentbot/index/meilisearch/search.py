"""One question: what belongs to the answer, in which order, and the best section of each document.

`content_documents` says which documents belong to the answer, how many they are and what values they have: there every
document is one record, so the union of several queries is exact. `content_chunks` ranks. Each is asked once, and the
documents of the page are fetched by key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from contentbot.documents import Chunk
from contentbot.index.backend import Answer, Match, Question
from contentbot.index.meilisearch import facets
from contentbot.index.meilisearch.address import Names
from contentbot.index.meilisearch.connection import Connection
from contentbot.index.meilisearch.filters import any_key, both, expression, term
from contentbot.index.meilisearch.layout import (
    COMPOUNDS,
    CUTOFF_MS,
    DOCUMENT_COMPOUNDS,
    DOCUMENT_STEMS,
    DOCUMENT_TEXTS,
    GERMAN,
    ORDER,
    STEMS,
    TEXTS,
)
from contentbot.index.meilisearch.marks import Marks
from contentbot.index.meilisearch.records import HEAD_FIELDS, SECTION, read_document, read_section
from contentbot.index.meilisearch.words import MAX_RANKED, Channel, Part, Words
from contentbot.index.query import MAX_WINDOW, Sort
from contentbot.index.question import parse
from contentbot.index.values import shown_values
from contentbot.sources.languages import Languages

_OF_DOCUMENTS = {
    Channel.TYPED: DOCUMENT_TEXTS,
    Channel.STEMS: DOCUMENT_STEMS,
    Channel.COMPOUNDS: DOCUMENT_COMPOUNDS,
}
_OF_SECTIONS = {Channel.TYPED: TEXTS, Channel.STEMS: STEMS, Channel.COMPOUNDS: COMPOUNDS}
_OLDEST = [ORDER[0].replace(":desc", ":asc"), *ORDER[1:]]

_FEW = 1_000
"""Up to so many documents every word is asked for at once: that costs little, and spares a second request."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Members:
    """What belongs to the answer: how many documents, their values, and the records that were asked for."""

    total: int
    distribution: facets.Distribution
    records: Sequence[Record]


@dataclass(slots=True)
class _Watch:
    """Remembers whether the engine ran out of time: it says so nowhere but in how long it took."""

    cut: bool = False

    def seen(self, answer: Record) -> Record:
        """Take note of an answer."""
        self.cut = self.cut or answer.get("processingTimeMs", 0) >= CUTOFF_MS
        return answer


@dataclass
class Search:
    """Answers one question."""

    connection: Connection
    names: Names
    question: Question
    languages: Languages
    _watch: _Watch = field(default_factory=_Watch)

    def answer(self) -> Answer:
        """Run the question."""
        members = self._members()
        matches = self._matches(members) if self.question.limit and members.total else []
        return Answer(
            matches=matches,
            total=members.total,
            facets=facets.counts(members.distribution, self.question.facets, self._resolve),
            notices=self._notices(members),
        )

    @cached_property
    def words(self) -> Words:
        """The question's words."""
        return Words(parse(self.question.query), self.question.locale, self.languages)

    @cached_property
    def _where(self) -> str:
        return expression(self.question.filter)

    @property
    def _is_listed(self) -> bool:
        """The order is that of the documents, not of what they say."""
        return self.question.sort is not Sort.RELEVANCE or not self.words.has_any

    def _members(self) -> _Members:
        parts = self.words.membership()
        if self._is_listed:
            page, size, skipped = window(self.question.offset, self.question.limit)
            found = self._documents(parts, page, size, HEAD_FIELDS)
            records = found.records[skipped : skipped + self.question.limit]
            return _Members(found.total, found.distribution, records)
        if self.words.spans_sections:
            return self._documents(parts, 1, MAX_WINDOW, ["key"])
        return self._documents(parts, 1, 0, ["key"])

    def _documents(self, parts: Sequence[Part], page: int, size: int, fields: Sequence[str]) -> _Members:
        paging = {"page": page, "hitsPerPage": size}
        counted = facets.asked(self.question.facets)
        asked = [self._document_query(part, fields) for part in parts]
        if len(asked) == 1:
            (answer,) = self.connection.search([asked[0] | paging | {"facets": counted}])
            distribution = answer.get("facetDistribution", {})
        else:
            by_index = {self.names.documents: counted}
            answer = self.connection.federated(asked, paging | ({"facetsByIndex": by_index} if counted else {}))
            distribution = answer.get("facetsByIndex", {}).get(self.names.documents, {}).get("distribution", {})
        self._watch.seen(answer)
        return _Members(answer["totalHits"], distribution, answer["hits"])

    def _document_query(self, part: Part, fields: Sequence[str]) -> dict[str, Any]:
        query = self._query(self.names.documents, part, fields, _OF_DOCUMENTS[part.channel])
        query |= {"filter": self._where, "matchingStrategy": "all"}
        if self._is_listed:
            query["sort"] = _OLDEST if self.question.sort is Sort.OLDEST else list(ORDER)
        return query

    def _matches(self, members: _Members) -> list[Match]:
        if self._is_listed:
            keys = [record["key"] for record in members.records]
            sections = self._sections_of(keys)
            return [self._match(record, sections.get(record["key"])) for record in members.records]
        ranked = self._ranked(members)
        found = self._heads([section["key"] for section in ranked])
        return [self._match(found[section["key"]], section) for section in ranked if section["key"] in found]

    def _ranked(self, members: _Members) -> Sequence[Record]:
        """Return the best section of each document of the page."""
        where = self._where
        if self.words.spans_sections:
            where = both(where, any_key(record["key"] for record in members.records))
        question = self.question
        if members.total > _FEW:
            ranked = self._sections(self.words.ranking(), where, question.offset, question.limit)
            if len(ranked) >= min(question.limit, members.total - question.offset):
                return ranked
        return self._sections(self.words.finding(), where, question.offset, question.limit)

    def _sections_of(self, keys: Sequence[str]) -> dict[str, Record]:
        """Return the best section of each of these documents, the first one where the words are in none."""
        found: dict[str, Record] = {}
        if keys and self.words.has_any:
            ranked = self._sections(self.words.finding(), any_key(keys), 0, len(keys))
            found = {each["key"]: each for each in ranked}
        missing = [key for key in keys if key not in found]
        return found | self._first_sections(missing)

    def _sections(self, parts: Sequence[Part], where: str, offset: int, limit: int) -> Sequence[Record]:
        queries = [self._section_query(part, where) for part in parts]
        answer = self.connection.federated(queries, {"offset": offset, "limit": limit, "distinct": "key"})
        return list(self._watch.seen(answer)["hits"])

    def _section_query(self, part: Part, where: str) -> dict[str, Any]:
        query = self._query(self.names.chunks, part, SECTION, _OF_SECTIONS[part.channel])
        return query | {
            "filter": where,
            "matchingStrategy": "frequency",
            "showMatchesPosition": True,
            "federationOptions": {"weight": part.weight},
        }

    def _query(self, index: str, part: Part, fields: Sequence[str], searched: Sequence[str]) -> dict[str, Any]:
        query = {"indexUid": index, "q": part.text, "attributesToRetrieve": list(fields)}
        if part.text.strip():
            query["attributesToSearchOn"] = list(searched)
        return query | ({"locales": [GERMAN]} if part.channel is Channel.COMPOUNDS else {})

    def _first_sections(self, keys: Sequence[str]) -> dict[str, Record]:
        if not keys:
            return {}
        where = both(any_key(keys), "number = 0")
        query = {"indexUid": self.names.chunks, "filter": where, "limit": len(keys), "attributesToRetrieve": SECTION}
        (answer,) = self.connection.search([query])
        return {record["key"]: record for record in answer["hits"]}

    def _heads(self, keys: Sequence[str]) -> dict[str, Record]:
        """Return documents by key, without their texts; only those that the filter still lets through."""
        if not keys:
            return {}
        where = both(self._where, any_key(keys))
        query = {"indexUid": self.names.documents, "filter": where, "limit": len(keys)}
        (answer,) = self.connection.search([query | {"attributesToRetrieve": HEAD_FIELDS}])
        return {record["key"]: record for record in answer["hits"]}

    @cached_property
    def _marks(self) -> Marks:
        return Marks(self.words)

    def _match(self, head: Record, section: Record | None) -> Match:
        document = read_document(head)
        if section is None:  # written in this moment
            return Match(document, Chunk(document_key=document.key, number=0, line_start=1, line_end=1, text=""), 0.0)
        chunk = read_section(section).model_copy(update={"document_key": document.key})
        positions = section.get("_matchesPosition", {}).get("text", [])
        marks = self._marks.of(chunk.text, positions, document.locale) if self.words.has_any else []
        score = 0.0 if self._is_listed else float(section["_federation"]["weightedRankingScore"])
        return Match(document, chunk, score, marks)

    def _resolve(self, name: str, wanted: str) -> str:
        return resolve(self.connection, self.names, name, wanted)

    def _notices(self, members: _Members) -> list[str]:
        notices = list(self.words.parsed.notices)
        if unranked := self.words.unranked:
            notices.append(
                f"Meilisearch ranks by the first {MAX_RANKED} words and phrases of a query; {unranked} more only add "
                "documents"
            )
        if self.words.spans_sections and not self._is_listed and members.total > MAX_WINDOW:
            notices.append(f"only {MAX_WINDOW} of the documents were ranked: narrow the filter, or ask for more words")
        if self._watch.cut:
            notices.append(
                f"Meilisearch stopped ranking after {CUTOFF_MS} ms: further down the order may not be the best"
            )
        return notices


def window(offset: int, limit: int) -> tuple[int, int, int]:
    """Return a page's number (from 1), its size and how many of its first records to skip, to see a window whole.

    Only pages have exact totals; a window may lie across two pages of its own size.
    """
    if not limit:
        return 1, 0, 0
    size = next(size for size in range(limit, offset + limit + 1) if offset // size == (offset + limit - 1) // size)
    return offset // size + 1, size, offset % size


def resolve(connection: Connection, names: Names, field: str, wanted: str) -> str:
    """Return the spelling of a value by its term: that of a document which has it."""
    query = {"indexUid": names.documents, "filter": f"terms = {wanted}", "limit": 1}
    (answer,) = connection.search([query | {"attributesToRetrieve": HEAD_FIELDS}])
    values = (value for record in answer["hits"] for value in shown_values(read_document(record))[field])
    return next((value for value in values if term(field, value.casefold()) == wanted), "")
