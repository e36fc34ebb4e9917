"""The settings of the indexes, and how they compare with what the engine says."""

from typing import Any

import pytest

from contentbot.errors import EngineRefused
from contentbot.index.meilisearch.facets import asked, counts
from contentbot.index.meilisearch.filters import term
from contentbot.index.meilisearch.layout import MAX_VALUES, chunk_settings, differing, document_settings
from contentbot.index.meilisearch.records import spelled
from contentbot.index.meilisearch.search import window
from contentbot.sources.languages import NO_LANGUAGES, Languages

WANTED = chunk_settings(NO_LANGUAGES)


def test_what_the_engine_adds_is_no_difference() -> None:
    told: dict[str, Any] = {
        **WANTED,
        "stopWords": [],
        "typoTolerance": {**WANTED["typoTolerance"], "disableOnWords": []},
    }
    told["faceting"] = {**WANTED["faceting"], "sortFacetValuesBy": {"*": "alpha"}}
    told["sortableAttributes"] = list(reversed(WANTED["sortableAttributes"]))
    assert differing(WANTED, told) == {}


def test_only_fields_of_german_texts_are_taken_apart() -> None:
    (rule,) = document_settings(NO_LANGUAGES)["localizedAttributes"]
    assert rule["locales"] == ["deu"]
    assert {name.rstrip("01234567") for name in rule["attributePatterns"]} == {"compounds"}


@pytest.mark.parametrize("name", ["searchableAttributes", "rankingRules"])
def test_order_counts_where_it_means_something(name: str) -> None:
    assert differing(WANTED, {**WANTED, name: list(reversed(WANTED[name]))}) == {name: WANTED[name]}


def test_only_what_differs_is_told() -> None:
    assert differing(WANTED, {**WANTED, "searchCutoffMs": None}) == {"searchCutoffMs": 1_500}
    assert differing(WANTED, {}) == {name: value for name, value in WANTED.items() if value}


def test_synonyms_come_from_the_word_lists() -> None:
    languages = Languages(synonyms={"fr": {"auto": frozenset({"voiture"})}})
    assert document_settings(languages)["synonyms"] == {"auto": ["voiture"]}
    assert differing(WANTED, {**WANTED, "synonyms": {"left": ["over"]}}) == {"synonyms": {}}


def test_a_strict_order_by_date_stands_before_every_other_rule() -> None:
    assert WANTED["rankingRules"][0] == "sort"
    assert WANTED["rankingRules"][-2:] == ["publishedTimestamp:desc", "key:asc"]


@pytest.mark.parametrize(
    ("offset", "limit", "page"),
    [(0, 10, (1, 10, 0)), (20, 10, (3, 10, 0)), (25, 20, (2, 23, 2)), (3, 2, (2, 3, 0)), (7, 0, (1, 0, 0))],
)
def test_a_window_is_one_page_of_some_size(offset: int, limit: int, page: tuple[int, int, int]) -> None:
    assert window(offset, limit) == page


def test_every_window_lies_in_its_page() -> None:
    for offset in range(60):
        for limit in range(1, 40):
            page, size, skipped = window(offset, limit)
            assert (page - 1) * size + skipped == offset
            assert skipped + limit <= size


def test_counts_are_by_value_whatever_its_case_commonest_first() -> None:
    shown = {spelled("category", name): count for name, count in (("Java", 3), ("JAVA", 2), ("Ada", 4))}
    folded = {term("category", "java"): 4, term("category", "ada"): 4}
    distribution = {"facetCategory": shown, "foldedCategory": folded}
    assert list(counts(distribution, ["category"], lambda *_: "").items()) == [
        ("category", {"Ada": 4, "Java": 4}),
    ]
    assert asked(["category"]) == ["facetCategory", "foldedCategory"]


def test_a_long_value_is_looked_up_by_its_term() -> None:
    long = "Wörter " * 60
    distribution = {
        "facetCategory": {spelled("category", long): 2},
        "foldedCategory": {term("category", long.casefold()): 2},
    }
    assert counts(distribution, ["category"], lambda *_: long) == {"category": {long: 2}}


def test_more_values_than_are_counted_are_refused() -> None:
    shown = {spelled("author", str(number)): 1 for number in range(MAX_VALUES)}
    with pytest.raises(EngineRefused, match="narrow the filter"):
        counts({"facetAuthor": shown}, ["author"], lambda *_: "")
