"""Filters and words as queries of the engine. They are built, never parsed: no text can change their shape."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from contentbot.index.query import And, AnyOf, Between, Equals, Filter, Not, Or
from contentbot.index.question import ParsedQuery
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.vocabulary import Kinship, Relative, Vocabulary, rarity

WEIGHTS = {"title": 1.5, "excerpt": 1.0, "heading": 1.0, "body": 1.0, "labels": 0.5, "parts": 0.3}
EXACTNESS = 0.1
EXACT_TITLE = 1000.0
PHRASE = 2.0
CLOSENESS = {
    Kinship.SAME: 1.0,
    Kinship.SPELLING: 0.9,
    Kinship.CONTINUATION: 0.5,
    Kinship.FOLDED_CONTINUATION: 0.45,
    Kinship.TYPO: 0.4,
    Kinship.TWO_TYPOS: 0.2,
}
_FOLDED_FIELDS = frozenset({"source", "locale", "author", "category", "kind", "allow", "deny"})


@dataclass(frozen=True, slots=True)
class Terms:
    """What the words of a query became: per word, its terms in the ranked fields and their factors.

    `exact` are the words as the exact fields hold them, of the same words; where all words are stop words (`plain`),
    only these can answer. A phrase is a row of words, each in several spellings.
    """

    groups: Sequence[Mapping[str, float]] = ()
    exact: Sequence[Mapping[str, float]] = ()
    phrases: Sequence[Sequence[Sequence[str]]] = ()
    excluded: Sequence[Sequence[Sequence[str]]] = ()
    title: str = ""

    @property
    def has_words(self) -> bool:
        """Words were asked for, beside phrases."""
        return bool(self.exact)

    @property
    def has_any(self) -> bool:
        """There is something to rank by."""
        return bool(self.exact or self.phrases)

    @property
    def plain(self) -> bool:
        """Nothing but stop words was asked for."""
        return not any(self.groups)

    def marked_words(self) -> Iterator[Collection[str]]:
        """Yield the words to mark as they stand; stop words only where nothing else was asked for."""
        for group, words in zip(self.groups, self.exact, strict=True):
            if group or self.plain:
                yield words
        for phrase in self.phrases:
            yield from phrase


def count_of(searcher: tantivy.Searcher, query: Query) -> int:
    """Return how many records match."""
    result: Any = searcher.search(query, limit=1)
    # the library's stubs do not know the attribute
    return int(result.count)


class QueryBuilder:
    """Builds queries for one commit of the index."""

    def __init__(self, schema: tantivy.Schema) -> None:
        self._schema = schema

    def term(self, field_name: str, value: str | int) -> Query:
        """Match one value of a field."""
        return Query.term_query(self._schema, field_name, value, index_option="freq")

    def any_of(self, field_name: str, values: Iterable[str | int]) -> Query:
        """Match any of the values; none matches nothing."""
        listed = list(values)
        return Query.term_set_query(self._schema, field_name, listed) if listed else Query.empty_query()

    def heads(self) -> Query:
        """Match the head record of every document."""
        return self.term("head", 1)

    def filter(self, tree: Filter) -> Query:
        """Compile a filter tree."""
        match tree:
            case Equals(name, value):
                return self.term(name, _value(name, value))
            case AnyOf(name, values):
                return self.any_of(name, (_value(name, value) for value in values))
            case Between(name, low, high):
                return self._between(name, low, high)
            case And(parts):
                return self._all([self.filter(part) for part in parts])
            case Or(parts):
                return either([self.filter(part) for part in parts])
            case Not(part):
                return but_not(Query.all_query(), [self.filter(part)])

    def _between(self, name: str, low: int | None, high: int | None) -> Query:
        smallest, largest = -(1 << 63), (1 << 63) - 1
        low, high = max(smallest if low is None else low, smallest), min(largest if high is None else high, largest)
        if low > high:
            return Query.empty_query()
        return Query.range_query(self._schema, name, FieldType.Integer, low, high)

    def _all(self, parts: Sequence[Query]) -> Query:
        if not parts:
            return Query.all_query()
        return Query.boolean_query([(Occur.Must, part) for part in parts])

    def matching(self, terms: Terms) -> Query:
        """Match the heads of documents with at least one of the words, wherever it stands."""
        if terms.plain:
            return self.any_of("all_words", {word for words in terms.exact for word in words})
        return self.any_of("all", {stem for group in terms.groups for stem in group})

    def scored(self, terms: Terms) -> Query:
        """Match the sections with at least one of the words or phrases, scored."""
        parts = [Query.boost_query(self.phrase("words", phrase), PHRASE) for phrase in terms.phrases]
        if terms.plain:
            parts += [self._best("words", words, 1.0) for words in terms.exact]
        else:
            for group, words in zip(terms.groups, terms.exact, strict=True):
                if group:
                    parts += [self._best(name, group, weight) for name, weight in WEIGHTS.items()]
                    parts.append(self._best("words", words, EXACTNESS))
        if terms.title:
            parts.append(Query.const_score_query(self.term("exact_title", terms.title), EXACT_TITLE))
        return either(parts)

    def _best(self, field_name: str, factors: Mapping[str, float], weight: float) -> Query:
        """Score by the best of several terms, so that a word in two forms does not count twice."""
        terms = [Query.boost_query(self.term(field_name, term), factor * weight) for term, factor in factors.items()]
        return terms[0] if len(terms) == 1 else Query.disjunction_max_query(terms)

    def phrase(self, field_name: str, spellings: Sequence[Sequence[str]]) -> Query:
        """Match words in a row, each in any of its spellings."""
        rows: list[list[str]] = [[]]
        for choices in spellings:
            rows = [[*row, choice] for row in rows for choice in choices][:64]
        if len(spellings) == 1:
            return self.any_of(field_name, (row[0] for row in rows))
        return either([Query.phrase_query(self._schema, field_name, list(row)) for row in rows])


def either(parts: Sequence[Query]) -> Query:
    """Match at least one part; none matches nothing."""
    if not parts:
        return Query.empty_query()
    return parts[0] if len(parts) == 1 else Query.boolean_query([(Occur.Should, part) for part in parts])


def all_of(required: Sequence[Query], scored: Query | None = None) -> Query:
    """Match what all required queries match without a score of theirs; the score is that of `scored`."""
    clauses = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in required]
    if scored is not None:
        clauses.append((Occur.Must, scored))
    return Query.boolean_query(clauses)


def but_not(query: Query, excluded: Sequence[Query]) -> Query:
    """Match the query except for what any of the excluded ones matches."""
    if not excluded:
        return query
    return Query.boolean_query([(Occur.Must, query), *((Occur.MustNot, part) for part in excluded)])


def _value(name: str, value: str) -> str:
    return (
        value.casefold().replace("_", "-")
        if name == "locale"
        else value.casefold()
        if name in _FOLDED_FIELDS
        else value
    )


def read_terms(parsed: ParsedQuery, locale: str, vocabulary: Vocabulary, documents: int) -> Terms:
    """Expand the words of a query into terms."""
    families = (analysis.family_of(locale),) if locale else analysis.FAMILIES
    words = [word for text in parsed.words for word in analysis.split(text)]
    exact, groups = [], []
    for number, word in enumerate(words):
        open_ended = parsed.open_ended and number == len(words) - 1
        factors = _factors(vocabulary.relatives(word, open_ended=open_ended), documents)
        exact.append(factors)
        groups.append(_stemmed(factors, families))
    phrases = [_spelled(phrase, vocabulary) for phrase in parsed.phrases]
    return Terms(
        groups=groups,
        exact=exact,
        phrases=phrases,
        excluded=[_spelled(phrase, vocabulary) for phrase in parsed.excluded],
        title="" if parsed.phrases or parsed.excluded else " ".join(words),
    )


def _stemmed(factors: Mapping[str, float], families: Sequence[str]) -> dict[str, float]:
    group: dict[str, float] = {}
    for word, factor in factors.items():
        for stem in analysis.stems(word, families):
            group[stem] = max(group.get(stem, 0.0), factor)
    return group


def _spelled(phrase: str, vocabulary: Vocabulary) -> list[list[str]]:
    return [vocabulary.spellings(word) for word in analysis.split(phrase)]


def _factors(relatives: Sequence[Relative], documents: int) -> dict[str, float]:
    """Weigh each relative by its closeness, and take away what rarity would give to a rare misspelling."""
    known = [relative for relative in relatives if relative.frequency]
    if not known:
        return {relatives[0].word: 1.0}
    closest = min(relative.kinship for relative in known)
    anchor = max(relative.frequency for relative in known if relative.kinship is closest)
    wanted = rarity(anchor, documents)
    return {
        relative.word: CLOSENESS[relative.kinship] * min(1.0, wanted / rarity(relative.frequency, documents))
        for relative in known
    }
