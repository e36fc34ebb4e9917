"""Filter trees as expressions: whatever a value holds, it cannot change the shape of one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.index.meilisearch.filters import EVERY, NONE, any_key, both, expression, term
from contentbot.index.query import EVERYTHING, TEXT_FIELDS, And, AnyOf, Between, Equals, Filter, Not, Or

NEWS = term("category", "news")
SAFE = re.compile(
    r"[0-9a-f]{32}|(?:published|fetched)Timestamp|terms|AND|OR|NOT|IN|EXISTS|>=|<=|=|\(|\)|\[|\]|,|-?\d+",
)


@pytest.mark.parametrize(
    ("tree", "compiled"),
    [
        (EVERYTHING, f"({EVERY})"),
        (Or(()), f"({NONE})"),
        (Equals("category", "News"), f"terms = {NEWS}"),
        (AnyOf("category", ("news", "x'\\")), f"terms IN [{NEWS}, {term('category', chr(120) + chr(39) + chr(92))}]"),
        (AnyOf("category", ()), "terms IN []"),
        (Not(Equals("category", "news")), f"(NOT terms = {NEWS})"),
        (Between("published", low=5), f"(publishedTimestamp >= 5 AND publishedTimestamp <= {1 << 53})"),
        (
            Or((Equals("category", "news"), Between("fetched", high=-1))),
            f"(terms = {NEWS} OR (fetchedTimestamp >= {-(1 << 53)} AND fetchedTimestamp <= -1))",
        ),
    ],
)
def test_each_kind_of_filter_is_compiled(tree: Filter, compiled: str) -> None:
    assert expression(tree) == f"{EVERY} AND {compiled}"


def test_a_locale_is_compared_in_one_spelling() -> None:
    assert expression(Equals("locale", "EN_us")) == expression(Equals("locale", "en-US"))


def test_a_value_is_that_of_its_field_only() -> None:
    assert term("allow", "public") != term("deny", "public")


leaves = st.one_of(
    st.builds(Equals, st.sampled_from(TEXT_FIELDS), st.text()),
    st.builds(AnyOf, st.sampled_from(TEXT_FIELDS), st.lists(st.text()).map(tuple)),
    st.builds(Between, st.sampled_from(["published", "fetched"]), st.none() | st.integers(), st.none() | st.integers()),
)
trees: st.SearchStrategy[Filter] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner).map(lambda parts: And(tuple(parts))),
        st.lists(inner).map(lambda parts: Or(tuple(parts))),
        inner.map(Not),
    ),
)


@given(trees)
def test_an_expression_holds_nothing_of_a_value(tree: Filter) -> None:
    compiled = expression(tree)
    assert SAFE.sub("", compiled).strip() == ""
    assert compiled.count("(") == compiled.count(")")


def test_parts_are_joined_as_wholes() -> None:
    assert both("a = 1 OR b = 2", any_key(["k1", "k2"])) == "(a = 1 OR b = 2) AND (key IN [k1, k2])"
