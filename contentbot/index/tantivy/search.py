"""One question to one commit: what matches, in which order, and the best section of each document."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import tantivy
from tantivy import DocAddress, Order, Query

from contentbot.documents import Chunk, ContentDocument
from contentbot.index.backend import Answer, Match, Question
from contentbot.index.query import Sort
from contentbot.index.question import parse
from contentbot.index.tantivy import analysis, facets
from contentbot.index.tantivy.filters import all_of, any_of, compiled, heads
from contentbot.index.tantivy.marks import Marker
from contentbot.index.tantivy.queries import matching, phrase, scored
from contentbot.index.tantivy.records import read_head, read_section
from contentbot.index.tantivy.storage import Snapshot
from contentbot.index.tantivy.terms import read_terms
from contentbot.sources.languages import Languages

_FIRST_FETCH = 64


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A document's number with its best section; no section where the whole document was asked for."""

    document: int
    score: float
    section: DocAddress | None = None


class Search:
    """Answers one question. The engine ranks sections; documents are counted by their heads."""

    def __init__(self, snapshot: Snapshot, question: Question, languages: Languages) -> None:
        self._searcher, self._question = snapshot.searcher, question
        self._schema = snapshot.schema
        self._parsed = parse(question.query)
        self._terms = read_terms(self._parsed, question.locale, snapshot.vocabulary, self._searcher.num_docs, languages)
        self._markers: dict[str, Marker] = {}
        self._filter = compiled(self._schema, question.filter)

    def answer(self) -> Answer:
        """Run the question."""
        question = self._question
        total, counts = facets.count_values(self._searcher, self._heads, question.facets)
        ranked = self._page() if question.limit and total else []
        return Answer(
            matches=self._matches(ranked),
            total=total,
            facets=counts,
            notices=self._parsed.notices,
        )

    @cached_property
    def _heads(self) -> Query:
        """The head of every document that belongs to the answer."""
        terms = self._terms
        required = [phrase(self._schema, "all_words", words) for words in terms.phrases]
        if terms.has_words and not terms.phrases:
            required.append(matching(self._schema, terms))
        # the words of whole documents stand on heads only
        required += [self._filter] if required else [heads(self._schema), self._filter]
        return all_of(required, excluded=[phrase(self._schema, "all_words", words) for words in terms.excluded])

    def _page(self) -> list[_Ranked]:
        question = self._question
        if question.sort is Sort.RELEVANCE and self._terms.has_any:
            return self._by_relevance()[question.offset : question.offset + question.limit]
        newest = question.sort is not Sort.OLDEST
        hits = self._searcher.search(
            self._heads,
            limit=question.limit,
            offset=question.offset,
            order_by_field="newest" if newest else "oldest",
            order=Order.Desc if newest else Order.Asc,
            count=False,
        ).hits
        numbers = self._numbers("document", [address for _, address in hits])
        return self._with_sections(numbers) if self._terms.has_any else [_Ranked(number, 0.0) for number in numbers]

    def _by_relevance(self) -> list[_Ranked]:
        """Rank documents by their best section until no later section can change the asked page."""
        wanted = self._question.offset + self._question.limit
        query = self._sections(self._restriction())
        limit = max(_FIRST_FETCH, 3 * wanted)
        while True:
            hits = self._searcher.search(query, limit=limit, count=False).hits
            ranked = self._collapsed(hits)
            # equal scores are ordered by date and key: all of the last one's equals have to be there
            if len(hits) < limit or (len(ranked) >= wanted and ranked[wanted - 1].score > hits[-1][0]):
                break
            limit *= 4
        newest = self._numbers("newest", [one.section for one in ranked if one.section])
        order = sorted(zip(ranked, newest, strict=True), key=lambda pair: (-pair[0].score, -pair[1]))
        return [one for one, _ in order]

    def _collapsed(self, hits: Sequence[tuple[float, DocAddress]]) -> list[_Ranked]:
        best: dict[int, _Ranked] = {}
        numbers = self._numbers("document", [address for _, address in hits])
        for number, (score, address) in zip(numbers, hits, strict=True):
            best.setdefault(number, _Ranked(number, score, address))
        return list(best.values())

    def _with_sections(self, numbers: Sequence[int]) -> list[_Ranked]:
        """Find the best section of given documents, keeping their order."""
        query = self._sections([any_of(self._schema, "document", numbers)])
        limit = _FIRST_FETCH * 8
        while True:
            hits = self._searcher.search(query, limit=limit, count=False).hits
            found = {one.document: one for one in self._collapsed(hits)}
            if len(hits) < limit or len(found) == len(numbers):
                return [found.get(number, _Ranked(number, 0.0)) for number in numbers]
            limit *= 4

    def _sections(self, restriction: Sequence[Query]) -> Query:
        return all_of([self._filter, *restriction], scored(self._schema, self._terms))

    def _restriction(self) -> list[Query]:
        """Hold the sections to the documents of the answer where one section cannot tell.

        A phrase may stand in another section than the best one, and so may an excluded word.
        """
        if not self._terms.phrases and not self._terms.excluded:
            return []
        size = max(1, self._searcher.num_docs)
        hits = self._searcher.search(self._heads, limit=size, count=False).hits
        return [any_of(self._schema, "document", self._numbers("document", [address for _, address in hits]))]

    def _numbers(self, field: str, addresses: list[DocAddress]) -> list[int]:
        return [int(value or 0) for value in self._searcher.fast_field_values(field, addresses)] if addresses else []

    def _matches(self, ranked: Sequence[_Ranked]) -> list[Match]:
        if not ranked:
            return []
        numbers = [one.document for one in ranked]
        query = all_of([heads(self._schema), any_of(self._schema, "document", numbers)])
        addresses = [address for _, address in self._searcher.search(query, limit=len(numbers), count=False).hits]
        found = dict(zip(self._numbers("document", addresses), addresses, strict=True))
        return [self._match(one, self._searcher.doc(found[one.document])) for one in ranked]

    def _match(self, ranked: _Ranked, head: tantivy.Document) -> Match:
        document: ContentDocument = read_head(head, whole=False)
        record = self._searcher.doc(ranked.section) if ranked.section else head
        section: Chunk = read_section(record)
        marks = self._marker(document.locale).marks(section.text) if self._terms.has_any else []
        return Match(document, section, ranked.score, marks)

    def _marker(self, locale: str) -> Marker:
        family = analysis.family_of(locale)
        if family not in self._markers:
            self._markers[family] = Marker(self._terms, family)
        return self._markers[family]
