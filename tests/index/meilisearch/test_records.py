"""Documents and sections as records, and back."""

import re

from hypothesis import given
from hypothesis import strategies as st

from contentbot.index.backend import Entry
from contentbot.index.chunking import chunks_of
from contentbot.index.meilisearch.layout import SECTION_FIELDS
from contentbot.index.meilisearch.records import (
    chunk_records,
    counted_term,
    document_record,
    engine_key,
    read_document,
    read_section,
    spelled,
    stems_of,
    unspelled,
)
from contentbot.index.meilisearch.store import payloads
from tests.contract.documents import document

TAKEN = re.compile(r"[A-Za-z0-9_-]{1,511}")
PAGE = document(
    "page",
    "A title",
    "# One\n\nüber\n\n## Two\n\nwheel",
    categories=["Wood", "wood"],
    author="Ada",
    published_date="2024-01-01",
    preview_image="https://mill.example/a.png",
)


def entry(page=PAGE) -> Entry:
    return Entry(page, chunks_of(page))


def test_a_document_comes_back_as_it_was_stored() -> None:
    assert read_document(document_record(entry())) == PAGE


def test_sections_come_back_as_they_were_stored() -> None:
    assert [read_section(record) for record in chunk_records(entry())] == chunks_of(PAGE)


def test_a_missing_date_has_no_field_so_that_it_is_sorted_last_both_ways() -> None:
    assert document_record(entry())["publishedTimestamp"] == 1_704_067_200
    assert "publishedTimestamp" not in document_record(entry(document("none")))
    assert all("publishedTimestamp" not in record for record in chunk_records(entry(document("none"))))


@given(st.text())
def test_any_key_has_an_id_that_the_engine_takes_and_its_own(key: str) -> None:
    assert TAKEN.fullmatch(engine_key(key))
    assert engine_key(key) != engine_key(f"{key}x")


def test_our_keys_are_the_engines_keys() -> None:
    assert document_record(entry())["key"] == PAGE.key
    assert [record["id"] for record in chunk_records(entry())] == [f"{PAGE.key}-0", f"{PAGE.key}-1"]


def test_another_key_is_kept_beside_its_id() -> None:
    odd = document("odd", key="a b")
    record = document_record(entry(odd))
    assert record["key"] == engine_key("a b") != "a b"
    assert read_document(record) == odd


@given(st.text())
def test_a_counted_value_is_short_in_plain_letters_and_tells_its_spelling_or_term(value: str) -> None:
    counted = spelled("category", value)
    assert re.fullmatch("[a-z2-7]+|h[0-9a-f]{32}", counted)
    assert unspelled(counted) in {value, None}


def test_a_value_too_long_to_be_counted_is_known_by_its_term() -> None:
    counted = spelled("category", "ü" * 200)
    assert len(counted) < 468
    assert unspelled(counted) is None
    assert counted_term(counted) == counted_term(spelled("category", "Ü" * 200))


def test_a_very_long_document_is_spread_over_fields_that_the_engine_reads_whole() -> None:
    long = document("long", body="\n\n".join("word " * 390 for _ in range(300)))
    record = document_record(entry(long))
    filled = [name for name in SECTION_FIELDS if name in record]
    assert len(filled) == 3
    assert sum(len(record[name]) for name in filled) == len(chunks_of(long))
    assert all(sum(len(text.split()) + 8 for text in record[name]) < 65_535 for name in filled)


def test_stems_meet_whatever_the_spelling() -> None:
    assert len({stems_of(name, "de") for name in ("Müller", "Mueller", "Muller")}) == 1
    assert stems_of("Häuser", "de") == stems_of("Haus", "de")
    assert {"getusernam", "user"} <= set(stems_of("getUserName", "en").split())


def test_the_stems_of_a_document_are_listed_once() -> None:
    stems = document_record(entry(document("a", body="wheel wheels wheel")))["stems"].split()
    assert stems.count("wheel") == 1


@given(st.lists(st.lists(st.text(max_size=30), max_size=5)), st.integers(40, 200))
def test_payloads_keep_their_order_and_their_size(texts: list[list[str]], limit: int) -> None:
    groups = [[{"id": text} for text in group] for group in texts]
    bodies = list(payloads(groups, limit))
    lines = [line for body in bodies for line in body.split(b"\n")[:-1]]
    assert len(lines) == sum(map(len, groups))
    assert b"".join(bodies) == b"".join(payloads(groups))
    assert all(len(body) <= limit or body.count(b"\n") == 1 for body in bodies)


def test_a_document_is_not_divided_where_it_fits() -> None:
    groups = [[{"id": f"{group}-{number}"} for number in range(3)] for group in range(10)]
    for body in payloads(groups, 100):
        assert body.count(b"\n") % 3 == 0
