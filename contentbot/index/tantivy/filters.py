"""The building blocks of the engine's queries, and filter trees made of them.

Queries are built, never parsed: no text can change their shape.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from contentbot.index.query import And, AnyOf, Between, Equals, Filter, Not, Or
from contentbot.index.values import stored_form

# a set reads every document of every value before the first answer; single terms skip to those that matter, one by one
_MANY = 256
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1


def term(schema: tantivy.Schema, field: str, value: str | int) -> Query:
    """Match one value of a field."""
    return Query.term_query(schema, field, value, index_option="freq")


def any_of(schema: tantivy.Schema, field: str, values: Iterable[str | int]) -> Query:
    """Match any of the values; none matches nothing."""
    listed = list(dict.fromkeys(values))
    if len(listed) > _MANY:
        return Query.term_set_query(schema, field, listed)
    return either([term(schema, field, value) for value in listed])


def heads(schema: tantivy.Schema) -> Query:
    """Match the head record of every document."""
    return term(schema, "head", 1)


def either(parts: Sequence[Query]) -> Query:
    """Match at least one part; none matches nothing."""
    if not parts:
        return Query.empty_query()
    return parts[0] if len(parts) == 1 else Query.boolean_query([(Occur.Should, part) for part in parts])


def all_of(required: Sequence[Query], scored: Query | None = None, *, excluded: Sequence[Query] = ()) -> Query:
    """Match what all required queries match and no excluded one does; the score is that of `scored` alone."""
    clauses = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in required]
    if scored is not None:
        clauses.append((Occur.Must, scored))
    if not clauses:
        clauses.append((Occur.Must, Query.all_query()))
    return Query.boolean_query([*clauses, *((Occur.MustNot, part) for part in excluded)])


def compiled(schema: tantivy.Schema, tree: Filter) -> Query:
    """Compile a filter tree; it matches records of every kind."""
    match tree:
        case Equals(field, value):
            return term(schema, field, stored_form(field, value))
        case AnyOf(field, values):
            return any_of(schema, field, (stored_form(field, value) for value in values))
        case Between(field, low, high):
            return _between(schema, field, low, high)
        case And():
            parts = list(_parts(tree))
            required = [compiled(schema, part) for part in parts if not isinstance(part, Not)]
            return all_of(required, excluded=[compiled(schema, part.part) for part in parts if isinstance(part, Not)])
        case Or(parts):
            return either([compiled(schema, part) for part in parts])
        case Not(part):
            return all_of([], excluded=[compiled(schema, part)])


def _parts(tree: And) -> Iterator[Filter]:
    """Yield the parts of an intersection and of those right inside of it: a flat query is a fast one."""
    for part in tree.parts:
        if isinstance(part, And):
            yield from _parts(part)
        else:
            yield part


def _between(schema: tantivy.Schema, field: str, low: int | None, high: int | None) -> Query:
    least = _SMALLEST if low is None else max(low, _SMALLEST)
    most = _LARGEST if high is None else min(high, _LARGEST)
    if least > most:
        return Query.empty_query()
    return Query.range_query(schema, field, FieldType.Integer, least, most)


def count_of(searcher: tantivy.Searcher, query: Query) -> int:
    """Return how many records match."""
    result: Any = searcher.search(query, limit=1)
    # the library's stubs do not know the attribute
    return int(result.count)
