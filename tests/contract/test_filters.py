"""Filters, facets and the values they are made of: literals, whatever characters they hold."""

import string
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentbot.access import (
    PUBLIC,
    PUBLIC_RULE,
    Access,
    AccessRule,
    IdentityType,
    Principal,
    allows,
)
from contentbot.documents import ContentDocument
from contentbot.errors import NotFound
from contentbot.index import Index
from contentbot.index.query import (
    FACET_FIELDS,
    And,
    AnyOf,
    Between,
    Equals,
    Filter,
    Not,
    Or,
    SearchRequest,
    Sort,
)
from tests.contract.documents import document
from tests.contract.test_search import names, search

ODD_VALUES = [
    'Oil & Mill\'s "Old" \\ y',
    "ends with a backslash\\",
    "x' OR source = 'secret",
    'a" OR "b',
    "*",
    "",
    " leading and trailing ",
    "Ünïcödé ß",
    "日本語",
    "a:b/c|d",
    "[TO]",
    "line\nbreak",
    "emoji 🌾",
]


@pytest.mark.parametrize("value", ODD_VALUES)
def test_a_value_is_a_literal_whatever_it_holds(index: Index, value: str) -> None:
    index.upsert([document("odd", categories=[value]), *(document(f"p{n}", categories=["plain"]) for n in range(3))])
    assert names(search(index, "", filter=Equals("category", value))) == ["odd"]
    assert names(search(index, "", filter=AnyOf("category", (value, "absent")))) == ["odd"]
    assert search(index, "", filter=Not(Equals("category", value))).total == 3
    assert index.facets("category", principal=PUBLIC) == {"plain": 3, value: 1}
    assert index.require("category", value, principal=PUBLIC) == value


def test_a_value_that_looks_like_a_filter_finds_nothing(index: Index) -> None:
    index.upsert([document("a", categories=["news"]), document("b", categories=["internal"])])
    for value in ("news' OR kind = 'html", 'news" OR "internal', "news,internal", "n*", "new", "news internal"):
        assert search(index, "", filter=Equals("category", value)).total == 0, value


def test_case_is_ignored_and_counts_are_merged(index: Index) -> None:
    index.upsert(
        [
            document("a", categories=["Java"], author="Ada"),
            document("b", categories=["java"], author="ADA"),
            document("c", categories=["Java", "JAVA"], author="Ada"),
        ]
    )
    assert search(index, "", filter=Equals("category", "jAVA")).total == 3
    assert index.facets("category", principal=PUBLIC) == {"Java": 3}
    assert index.facets("author", principal=PUBLIC) == {"Ada": 3}
    assert index.require("category", "jaVA", principal=PUBLIC) == "Java"


def test_a_language_matches_its_regions_but_not_the_other_way(index: Index) -> None:
    index.upsert([document("us", locale="en-US"), document("en", locale="en"), document("de", locale="de")])
    assert search(index, "", filter=Equals("locale", "en")).total == 2
    assert names(search(index, "", filter=Equals("locale", "EN_us"))) == ["us"]
    assert index.facets("locale", principal=PUBLIC) == {"de": 1, "en": 1, "en-US": 1}


def test_every_author_and_every_address_matches(index: Index) -> None:
    stored = document("page", authors=["Ada", "Grace"], author="Ada", additional_urls=["https://mill.example/old"])
    index.upsert([stored])
    assert search(index, "", filter=Equals("author", "grace")).total == 1
    assert search(index, "", filter=Equals("url", "https://mill.example/old")).total == 1
    assert index.get("https://mill.example/old", principal=PUBLIC) == stored


def test_an_unknown_value_is_refused_with_near_ones(index: Index) -> None:
    index.upsert([document("page", categories=["Hydraulics", "Wood"])])
    with pytest.raises(NotFound) as raised:
        index.require("category", "hydraulic", principal=PUBLIC)
    assert raised.value.near == ("Hydraulics",)
    with pytest.raises(NotFound) as raised:
        index.get("mill:pge", principal=PUBLIC)
    assert raised.value.near == ("mill:page",)


def test_near_addresses_are_those_of_the_same_folder_and_of_the_same_name(index: Index) -> None:
    names = [f"posts/{year}/03/{day:02}/oil-{year}-{day}" for year in (2012, 2024) for day in range(1, 15)]
    index.upsert([document(name) for name in [*names, "posts/2019/07/07/grain-of-the-mill"]])

    def near(name: str) -> tuple[str, ...]:
        with pytest.raises(NotFound) as raised:
            index.get(f"https://mill.example/{name}", principal=PUBLIC)
        return tuple(each.removeprefix("https://mill.example/posts/") for each in raised.value.near)

    assert {each[:7] for each in near("posts/2024/03/02/olive-2012")} == {"2024/03"}
    assert near("posts/2024/03/07/grain-of-a-mill")[0] == "2019/07/07/grain-of-the-mill"


def test_facets_count_documents_of_the_whole_answer(index: Index) -> None:
    body = "\n\n".join(f"## Part {number}\n\nwheel" for number in range(5))
    index.upsert([document(f"p{n}", body=body, categories=[f"c{n % 3}"]) for n in range(30)])
    result = search(index, "wheel", limit=1, facets=("category", "source"))
    assert result.facets == {"category": {"c0": 10, "c1": 10, "c2": 10}, "source": {"mill": 30}}


def test_counts_stay_exact_over_many_batches_and_many_values(index: Index) -> None:
    for batch in range(8):
        index.upsert([document(f"p{batch}-{n}", categories=[f"c{n}", "all"]) for n in range(60)])
    counts = index.facets("category", principal=PUBLIC)
    assert counts == {"all": 480} | {f"c{number}": 8 for number in range(60)}
    assert next(iter(counts)) == "all"


def test_a_facet_has_as_many_values_as_there_are_and_each_as_long_as_it_is(index: Index) -> None:
    long = "Wasserkraft und ihre Geschichte, " * 30
    index.upsert([document("long", categories=[long, long.upper()], body="wheel"), document("short", body="wheel")])
    index.upsert([document(f"p{n}", categories=[f"Category {n}"], body="wheel") for n in range(150)])
    counts = index.facets("category", principal=PUBLIC)
    assert counts == {f"Category {n}": 1 for n in range(150)} | {long: 1}
    assert search(index, "wheel ", facets=("category",), limit=0).facets["category"] == counts
    assert names(search(index, "", filter=Equals("category", long))) == ["long"]
    assert search(index, "", filter=Equals("category", long[:-1])).total == 0


def test_accents_are_letters_of_their_own_in_values(index: Index) -> None:
    index.upsert([document("a", categories=["Resume"]), document("b", categories=["Résumé"])])
    assert index.facets("category", principal=PUBLIC) == {"Resume": 1, "Résumé": 1}
    assert names(search(index, "", filter=Equals("category", "résumé"))) == ["b"]


def test_the_overview_counts_per_source(index: Index) -> None:
    index.upsert(
        [
            document("a", published_date="2024-01-01", fetched_at="2025-05-05T05:05:05+00:00"),
            document("b", locale="de", published_date="2023-01-01"),
            document("c", source="weir", access=[AccessRule(identity="ada", identity_type=IdentityType.USER)]),
        ]
    )
    (mill,) = index.overview(principal=PUBLIC)
    assert (mill.source, mill.documents, mill.locales) == ("mill", 2, {"de": 1, "en": 1})
    assert mill.newest_published == "2024-01-01T00:00:00+00:00"
    assert mill.last_fetched == "2025-05-05T05:05:05+00:00"
    assert [one.source for one in index.overview(principal=Principal("ada"))] == ["mill", "weir"]


def test_keys_and_export_hold_every_document_of_the_source(index: Index) -> None:
    stored = [document(f"p{number}", body=f"text {number}") for number in range(1_100)]
    index.upsert([*stored, document("other", source="weir")])
    assert index.keys("mill") == {one.key for one in stored}
    assert list(index.export("mill", principal=PUBLIC)) == sorted(stored, key=lambda one: one.key)
    assert index.keys("nothing") == set()


# --- against a reference that reads every document -------------------------------------------------------------------

WORDS = ["wheel", "weir", "sluice", "mill", "Mühle", "grain"]
ROLES = ["editors", "Staff"]
rules = st.one_of(
    st.just(PUBLIC_RULE),
    st.builds(
        AccessRule,
        identity=st.sampled_from(["ada", *ROLES]),
        identity_type=st.sampled_from([IdentityType.USER, IdentityType.ROLE, IdentityType.GROUP]),
        access=st.sampled_from(list(Access)),
    ),
)
contents = st.fixed_dictionaries(
    {
        "body": st.lists(st.sampled_from(WORDS), max_size=6).map("\n\n## Part\n\n".join),
        "source": st.sampled_from(["mill", "weir"]),
        "locale": st.sampled_from(["en", "en-US", "de", ""]),
        "categories": st.lists(st.sampled_from(["Wood", "wood", "Iron", '"\\'])),
        "author": st.sampled_from(["", "Ada", "ada"]),
        "published_date": st.sampled_from(["", "2024-01-01", "2024-01-01T23:00:00-05:00", "2020-02-02"]),
        "access": st.lists(rules, max_size=3),
    }
)
leaves = st.one_of(
    st.builds(Equals, st.just("category"), st.sampled_from(["wood", "IRON", '"\\', "none"])),
    st.builds(Equals, st.just("locale"), st.sampled_from(["en", "EN-us", "de"])),
    st.builds(AnyOf, st.just("source"), st.sampled_from([(), ("mill",), ("mill", "weir")])),
    st.builds(Equals, st.just("author"), st.just("ADA")),
    st.builds(
        Between,
        st.just("published"),
        st.sampled_from([None, 1_600_000_000, 1_704_067_200]),
        st.sampled_from([None, 1_704_067_200]),
    ),
)
trees: st.SearchStrategy[Filter] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Or(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=6,
)
principals = st.builds(
    Principal,
    st.sampled_from(["", "ada", "ADA", "eve"]),
    st.frozensets(st.sampled_from(["EDITORS", "staff"])),
)


def holds(tree: Filter, one: ContentDocument) -> bool:
    match tree:
        case And(parts):
            return all(holds(part, one) for part in parts)
        case Or(parts):
            return any(holds(part, one) for part in parts)
        case Not(part):
            return not holds(part, one)
        case Between(_, low, high):
            moment = one.published_timestamp
            return moment is not None and (low is None or low <= moment) and (high is None or moment <= high)
        case AnyOf(field, values):
            return any(holds(Equals(field, value), one) for value in values)
        case Equals(field, value):
            return value.casefold() in values_of(field, one)
    raise AssertionError(tree)


def values_of(field: str, one: ContentDocument) -> set[str]:
    if field == "locale":
        return {one.locale.casefold(), one.locale.casefold().split("-")[0]} - {""}
    shown = {"source": [one.source], "author": [one.author], "category": one.categories, "kind": [one.kind.value]}
    return {value.casefold() for value in shown[field] if value or field == "category"}


def counted(field: str, found: Sequence[ContentDocument]) -> dict[str, int]:
    if field == "locale":
        return dict(Counter(one.locale.casefold() for one in found if one.locale))
    return dict(Counter(value for one in found for value in values_of(field, one)))


EXAMPLES = {"tantivy": 40, "meilisearch": 15}
"""A server needs a second for each."""


def test_totals_facets_and_hits_are_those_of_reading_every_document(index: Index, engine: str) -> None:
    @settings(max_examples=EXAMPLES[engine], deadline=None)
    @given(
        written=st.lists(contents, min_size=1, max_size=12),
        tree=trees,
        principal=principals,
        word=st.sampled_from(["", *WORDS, "muehle"]),
        sort=st.sampled_from(list(Sort)),
    )
    def read(written: list[dict[str, object]], tree: Filter, principal: Principal, word: str, sort: Sort) -> None:
        documents = [document(f"p{number}", title="Name", **each) for number, each in enumerate(written)]  # type: ignore[arg-type]
        rewrite(index, documents)
        found = expected(documents, tree, principal, word)
        request = SearchRequest(f"{word} ", filter=tree, sort=sort, limit=20, facets=FACET_FIELDS)
        result = index.search(request, principal=principal)
        assert result.total == len(found)
        assert {hit.document.key for hit in result.hits} == {one.key for one in found}
        for field in FACET_FIELDS:
            counts = {value.casefold(): count for value, count in result.facets[field].items()}
            assert counts == counted(field, found)

    read()


def rewrite(index: Index, documents: list[ContentDocument]) -> None:
    """Put these documents in the place of all others."""
    index.delete(index.keys("mill") | index.keys("weir"))
    index.upsert(documents[: len(documents) // 2])
    index.upsert(documents[len(documents) // 2 :])


def expected(documents: list[ContentDocument], tree: Filter, principal: Principal, word: str) -> list[ContentDocument]:
    spelled = {"muehle": "mühle"}.get(word, word.casefold())
    return [
        one
        for one in documents
        if holds(tree, one) and allows(one.access, principal) and (not word or spelled in one.body.casefold().split())
    ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(alphabet=st.sampled_from(string.printable + "äßÆ水ก\u0301\u200d\U0001f33e"), max_size=60))
def test_no_query_fails(filled: Index, query: str) -> None:
    result = filled.search(SearchRequest(query, facets=("category",)), principal=PUBLIC)
    for hit in result.hits:
        ends = [end for mark in hit.snippet.marks for end in mark]
        assert ends == sorted(ends)
        assert all(hit.snippet.text[low:high].strip() for low, high in hit.snippet.marks)


@pytest.fixture
def filled(index: Index) -> Index:
    index.upsert([document("a", body="The wheel, a 水車 and getUserName in C++\n\n" * 20), document("b")])
    return index
