"""The words of a query as queries of the engine: which documents match, and how sections score.

The figures were chosen on questions of both kinds, names and sentences (`benchmarks/retrieval.py` and the recorded
sites): a strong title weight finds names and buries sentences, adding up the fields of one word does the same, and
what decides most is that a word counts more where it stands exactly as it was asked.
"""

from collections.abc import Mapping
from itertools import pairwise

import tantivy
from tantivy import Query

from contentbot.index.tantivy.filters import any_of, either, term
from contentbot.index.tantivy.terms import Phrase, Terms

MINOR = 0.2
"""What a word counts where it is an author, a category or part of an identifier."""

EXACTNESS = 0.8
"""What a word counts, beside its stem, where it stands as it was asked."""

PROXIMITY, PROXIMITY_SLOP, MAX_PAIRS = 0.3, 2, 8
"""What two neighbouring words count where they stand together, with so many words between; the first pairs only."""

PHRASE = 2.0
EXACT_TITLE = 1000.0
"""A title that is the query comes first, whatever else is found."""

_MAX_ROWS = 64


def matching(schema: tantivy.Schema, terms: Terms) -> Query:
    """Match the heads of documents with at least one of the words, wherever it stands."""
    if terms.only_stop_words:
        return any_of(schema, "all_words", {word for words in terms.words for word in words})
    return any_of(schema, "all", {stem for stems in terms.stems for stem in stems})


def scored(schema: tantivy.Schema, terms: Terms) -> Query:
    """Match the sections with at least one of the words or phrases, scored."""
    parts = [Query.boost_query(phrase(schema, "words", each), PHRASE) for each in terms.phrases]
    if terms.only_stop_words:
        parts += [_best_term(schema, "words", words, 1.0) for words in terms.words]
    else:
        for stems in filter(None, terms.stems):
            parts += [_best_term(schema, "ranked", stems, 1.0), _best_term(schema, "minor", stems, MINOR)]
        parts += [_best_term(schema, "words", words, EXACTNESS) for words in terms.content_words()]
        parts += _pairs(schema, terms)
    if terms.title:
        parts.append(Query.const_score_query(term(schema, "exact_title", terms.title), EXACT_TITLE))
    return either(parts)


def phrase(schema: tantivy.Schema, field: str, spellings: Phrase) -> Query:
    """Match words in a row, each in any of its spellings."""
    rows: list[list[str]] = [[]]
    for choices in spellings:
        rows = [[*row, choice] for row in rows for choice in choices][:_MAX_ROWS]
    if len(spellings) == 1:
        return either([term(schema, field, row[0]) for row in rows])
    return either([Query.phrase_query(schema, field, list(row)) for row in rows])


def _best_term(schema: tantivy.Schema, field: str, factors: Mapping[str, float], weight: float) -> Query:
    """Score by the best of several terms, so that a word in two forms does not count twice."""
    terms = [Query.boost_query(term(schema, field, one), factor * weight) for one, factor in factors.items()]
    return terms[0] if len(terms) == 1 else Query.disjunction_max_query(terms)


def _pairs(schema: tantivy.Schema, terms: Terms) -> list[Query]:
    closest = [max(words, key=words.__getitem__) for words in terms.content_words()]
    return [
        Query.boost_query(Query.phrase_query(schema, "words", [left, right], PROXIMITY_SLOP), PROXIMITY)
        for left, right in list(pairwise(closest))[:MAX_PAIRS]
    ]
