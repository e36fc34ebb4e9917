"""How the two indexes are set up, and how that compares with what the engine says it is.

Both hold the same words. `content_documents` has one record for each document: whole, with everything it can be listed,
counted and sorted by. `content_chunks` has one for each section, which is what a question is answered from.

The engine has no stems and no rule for ü and ue, so each text is indexed twice: as it stands, for the engine's own
typos and beginnings, and in a field of stems (`stem…`) that are made outside, as for the embedded engine. German texts
are indexed once more where the engine takes compounds apart (`compounds…`). It could find out itself which texts are
German, but is wrong about short ones and about queries, and then takes English words apart.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from contentbot.index.query import FACET_FIELDS
from contentbot.sources.languages import Languages

SCHEMA_VERSION = 1
"""Raised whenever the meaning of the stored fields changes: an index of another version is refused."""

TEXTS = ("title", "excerpt", "headings", "text", "labels")
"""What a section is searched by, most important first; `labels` are authors and categories."""

STEMS = ("stemTitle", "stemExcerpt", "stemHeadings", "stemText", "stemLabels")

SECTION_FIELDS = tuple(f"sections{number}" for number in range(8))
"""The texts of a document's sections. The engine reads 65,535 words of a field: a long one goes on in the next."""

DOCUMENT_TEXTS = ("title", "excerpt", "headings", *SECTION_FIELDS, "labels")
DOCUMENT_STEMS = ("stems",)

COMPOUNDS = ("compounds",)
DOCUMENT_COMPOUNDS = tuple(f"compounds{number}" for number in range(len(SECTION_FIELDS)))
PLACES = ("id", "url")
"""What `near` looks in."""

FACETS = {name: f"facet{name.title()}" for name in FACET_FIELDS}
"""The fields whose values are counted, spelled so that the engine neither folds nor cuts them."""

FOLDED = {name: f"folded{name.title()}" for name in FACET_FIELDS}
"""The same values as terms, in which spellings that differ in case are one."""

ORDER = ("publishedTimestamp:desc", "key:asc")
"""Newest first, what has no date last, equals by key; `sort` stands before all other rules, and may turn it round."""

GERMAN = "deu"
"""The engine's name of the language whose compounds it takes apart; it answers in these."""

REINDEXING = frozenset({"searchableAttributes", "filterableAttributes", "sortableAttributes", "localizedAttributes"})
"""Settings whose change makes the engine read every document again."""

CUTOFF_MS = 1_500
MAX_VALUES = 60_000
"""Values of one facet that can be counted."""

_MAX_HITS = 1_000_000_000  # the engine would cut totals, too
_PLAIN = ("source", "locale", "author", "authors", "categories", "kind", "allow", "deny")
_RULES = ("sort", "words", "typo", "proximity", "attributeRank", "exactness", "wordPosition", *ORDER)


def document_settings(languages: Languages) -> dict[str, Any]:
    """Return the settings of `content_documents`."""
    return {
        **_shared(languages),
        "searchableAttributes": [*DOCUMENT_TEXTS, *DOCUMENT_STEMS, *DOCUMENT_COMPOUNDS, *PLACES],
        "filterableAttributes": [*_filterable(), _equality(*_PLAIN, searched=True)],
        "localizedAttributes": _localized(DOCUMENT_COMPOUNDS),
        "typoTolerance": _typos((*DOCUMENT_STEMS, *DOCUMENT_COMPOUNDS)),
    }


def chunk_settings(languages: Languages) -> dict[str, Any]:
    """Return the settings of `content_chunks`."""
    return {
        **_shared(languages),
        "searchableAttributes": [*TEXTS, *STEMS, *COMPOUNDS],
        "filterableAttributes": [*_filterable(), _equality("number")],
        "localizedAttributes": _localized(COMPOUNDS),
        "typoTolerance": _typos((*STEMS, *COMPOUNDS)),
    }


def differing(wanted: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the engine's own answer does not hold; order counts only where it means something."""
    return {name: value for name, value in wanted.items() if not _same(name, value, told.get(name))}


def _shared(languages: Languages) -> dict[str, Any]:
    return {
        "displayedAttributes": ["*"],
        "sortableAttributes": sorted(rule.split(":")[0] for rule in (*ORDER, "fetchedTimestamp:desc")),
        "rankingRules": list(_RULES),
        "pagination": {"maxTotalHits": _MAX_HITS},
        "faceting": {"maxValuesPerFacet": MAX_VALUES},
        "searchCutoffMs": CUTOFF_MS,
        "synonyms": languages.all_synonyms(),
    }


def _filterable() -> list[dict[str, Any]]:
    moments = {"attributePatterns": ["publishedTimestamp", "fetchedTimestamp"], "features": _features(ranges=True)}
    return [_equality("terms", "key", "identity", *FACETS.values(), *FOLDED.values()), moments]


def _equality(*names: str, searched: bool = False) -> dict[str, Any]:
    return {"attributePatterns": list(names), "features": _features(searched=searched)}


def _features(*, searched: bool = False, ranges: bool = False) -> dict[str, Any]:
    return {"facetSearch": searched, "filter": {"equality": True, "comparison": ranges}}


def _localized(fields: Sequence[str]) -> list[dict[str, Any]]:
    return [{"attributePatterns": list(fields), "locales": [GERMAN]}]


def _typos(exact: Sequence[str]) -> dict[str, Any]:
    """One typo from five letters, two from nine; none in numbers nor in what words were made into."""
    return {
        "enabled": True,
        "minWordSizeForTypos": {"oneTypo": 5, "twoTypos": 9},
        "disableOnNumbers": True,
        "disableOnAttributes": list(exact),
    }


def _same(name: str, wanted: Any, told: Any) -> bool:
    if isinstance(wanted, Mapping):
        if name == "synonyms":
            return bool(wanted == (told or {}))
        return isinstance(told, Mapping) and all(_same("", value, told.get(key)) for key, value in wanted.items())
    if name in {"searchableAttributes", "rankingRules"}:
        return bool(list(wanted) == told)
    if isinstance(wanted, list):
        return sorted(map(repr, wanted)) == sorted(map(repr, told or []))
    return bool(wanted == told)
