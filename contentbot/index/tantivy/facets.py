"""Exact counts over the heads of documents."""

from collections.abc import Mapping, Sequence
from typing import Any

import tantivy
from tantivy import Query

from contentbot.errors import EngineRefused
from contentbot.index.backend import SourceCount
from contentbot.index.tantivy.filters import count_of

# the engine keeps the commonest values of each segment only, unless both bounds are over what can occur
_MOST_VALUES = 60_000
_TOTAL = "total"


def _terms(field: str, **inside: Any) -> dict[str, Any]:
    terms = {"terms": {"field": field, "size": _MOST_VALUES, "segment_size": _MOST_VALUES}}
    return terms | ({"aggs": inside} if inside else {})


def _buckets(result: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    if result["doc_count_error_upper_bound"] or result["sum_other_doc_count"]:
        raise EngineRefused(f"{field} has over {_MOST_VALUES} values: too many to count exactly, narrow the filter")
    return list(result["buckets"])


def count_values(
    searcher: tantivy.Searcher, query: Query, fields: Sequence[str]
) -> tuple[int, dict[str, dict[str, int]]]:
    """Count documents, and documents per value, commonest first, then by name, in one pass.

    Values that differ in case only are one, shown in their commonest spelling.
    """
    if not fields:
        return count_of(searcher, query), {}
    request = {field: _terms(f"shown_{field}") for field in fields}
    result = searcher.aggregate(query, {_TOTAL: {"value_count": {"field": "head"}}, **request})
    counted = {field: _buckets(result[field], field) for field in fields}
    mixed = [field for field in fields if _has_variants(counted[field])]
    exact = searcher.aggregate(query, {field: _terms(field) for field in mixed}) if mixed else {}
    return int(result[_TOTAL]["value"]), {
        field: _merged(counted[field], _buckets(exact[field], field) if field in exact else None) for field in fields
    }


def _has_variants(buckets: Sequence[Mapping[str, Any]]) -> bool:
    return len({bucket["key"].casefold() for bucket in buckets}) < len(buckets)


def _merged(shown: Sequence[Mapping[str, Any]], folded: Sequence[Mapping[str, Any]] | None) -> dict[str, int]:
    spellings: dict[str, tuple[int, str]] = {}
    for bucket in shown:
        spelling = (-int(bucket["doc_count"]), str(bucket["key"]))
        key = spelling[1].casefold()
        spellings[key] = min(spellings.get(key, spelling), spelling)
    # a document may carry two spellings of one value: only the folded field counts it once
    counts = {key: -spelling[0] for key, spelling in spellings.items()}
    if folded is not None:
        counts = {str(bucket["key"]): int(bucket["doc_count"]) for bucket in folded if bucket["key"] in spellings}
    ordered = sorted(((-count, spellings[key][1]) for key, count in counts.items()))
    return {spelling: -count for count, spelling in ordered}


def count_sources(searcher: tantivy.Searcher, query: Query) -> list[SourceCount]:
    """Count documents and locales per source, with the newest dates."""
    inside = {
        "locales": _terms("shown_locale"),
        "published": {"max": {"field": "published"}},
        "fetched": {"max": {"field": "fetched"}},
    }
    result = searcher.aggregate(query, {"sources": _terms("shown_source", **inside)})
    counts = [
        SourceCount(
            source=bucket["key"],
            documents=int(bucket["doc_count"]),
            locales=_merged(_buckets(bucket["locales"], "locale"), None),
            newest_published=_moment(bucket["published"]["value"]),
            last_fetched=_moment(bucket["fetched"]["value"]),
        )
        for bucket in _buckets(result["sources"], "source")
    ]
    return sorted(counts, key=lambda count: count.source)


def _moment(value: float | None) -> int | None:
    return None if value is None else int(value)
