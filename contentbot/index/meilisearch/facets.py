"""Counts per value out of the engine's distributions."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from contentbot.errors import EngineRefused
from contentbot.index.meilisearch.filters import term
from contentbot.index.meilisearch.layout import FACETS, FOLDED, MAX_VALUES
from contentbot.index.meilisearch.records import counted_term, unspelled

Distribution = Mapping[str, Mapping[str, int]]
"""Counts by the engine's field and value."""

Resolve = Callable[[str, str], str]
"""Finds the spelling of a value that is too long to be counted as it is, by field and term."""


def asked(fields: Iterable[str]) -> list[str]:
    """Return the engine's fields to count, for those of ours."""
    return [name for field in fields for name in (FACETS[field], FOLDED[field])]


def counts(distribution: Distribution, fields: Sequence[str], resolve: Resolve) -> dict[str, dict[str, int]]:
    """Return documents per value, commonest first, then by name; spellings that differ in case are one.

    A value is shown in its commonest spelling. A document that carries two of them is counted once.

    Raises:
        EngineRefused: there are more values than the engine counts.
    """
    return {field: _of_field(distribution, field, resolve) for field in fields}


def _of_field(distribution: Distribution, field: str, resolve: Resolve) -> dict[str, int]:
    shown, folded = distribution.get(FACETS[field], {}), distribution.get(FOLDED[field], {})
    if len(shown) >= MAX_VALUES:
        raise EngineRefused(f"{field} has over {MAX_VALUES - 1} values: too many to count exactly, narrow the filter")
    spellings: dict[str, tuple[int, str]] = {}
    for counted, count in shown.items():
        value = unspelled(counted)
        spelling = (-count, resolve(field, counted_term(counted)) if value is None else value)
        key = spelling[1].casefold()
        spellings[key] = min(spellings.get(key, spelling), spelling)
    ordered = sorted((-folded[term(field, key)], spelling) for key, (_, spelling) in spellings.items())
    return {spelling: -count for count, spelling in ordered}
