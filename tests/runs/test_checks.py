"""What makes a run suspect, and what does not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contentbot.runs import RunRecord
from contentbot.runs.checks import Thresholds, suspicions

WHOLE = {"documents": 20, "title": 20, "date": 20, "author": 10}


def run(number: int = 9, *, finish: str = "finished", error: str = "", **values: Any) -> RunRecord:
    started = datetime(2026, 5, 1, 6, tzinfo=UTC) + timedelta(hours=number)
    values.setdefault("counts", {"unchanged": 20})
    return RunRecord(
        id=f"mill-{number}", source="mill", started=started, finish_reason=finish, error=error,
        discovery_complete=True, **values,
    )  # fmt: skip


def found(this: RunRecord, *earlier: RunRecord, **thresholds: float) -> list[str]:
    return suspicions(this, earlier, Thresholds(**thresholds))


def test_a_run_like_the_one_before_is_not_suspect() -> None:
    assert found(run(fields=WHOLE), run(8, fields=WHOLE)) == []


@pytest.mark.parametrize(("failed", "suspect"), [(4, False), (6, True)])
def test_many_failed_pages_are_suspect(failed: int, suspect: bool) -> None:
    skipped = {"http_500": failed - 1, "timeout": 1, "excluded": 400, "noindex": 50, "duplicate": 9}
    told = found(run(counts={"indexed": 10, "unchanged": 10}, skipped=skipped), run(8))
    if suspect:
        assert told == ["6 of 26 pages failed, most often http_500 (5); suspect-errors is 20%"]
    else:
        assert told == []


def test_one_failed_page_of_a_tiny_site_is_not_suspect() -> None:
    assert found(run(counts={"unchanged": 3}, skipped={"timeout": 1}), run(8, counts={"unchanged": 4})) == []


@pytest.mark.parametrize(("living", "suspect"), [(14, False), (13, True), (0, True), (50, False)])
def test_pages_that_lost_their_documents_are_suspect(living: int, suspect: bool) -> None:
    told = found(run(counts={"unchanged": living}), run(8))
    assert told == ([f"{living} pages have a document, 20 had one after the run before; suspect-loss is 30%"] * suspect)


def test_it_is_compared_with_the_newest_run_that_came_to_its_end() -> None:
    killed, failed = run(8, finish="running", counts={}), run(7, error="no answer", counts={})
    assert len(found(run(counts={"indexed": 5}), killed, failed, run(6), run(5, counts={"indexed": 5}))) == 1


def test_documents_that_wait_for_the_index_are_not_lost() -> None:
    assert found(run(counts={"kept_for_later": 20}), run(8)) == []


@pytest.mark.parametrize("finish", ["closespider_itemcount", "shutdown"])
def test_a_run_that_was_stopped_is_not_compared(finish: str) -> None:
    assert found(run(finish=finish, counts={"indexed": 1}, fields={"documents": 20}), run(8, fields=WHOLE)) == []


def test_a_run_without_a_document_is_suspect_and_so_is_the_next() -> None:
    assert found(run(counts={})) == ["no page gave a document"]
    assert found(run(counts={}), run(8, counts={})) == ["no page gave a document"]
    assert found(run(counts={}), run(8, counts={}), loss=1) == []
    assert found(run(counts={"indexed": 1})) == []


@pytest.mark.parametrize(
    ("field", "words"), [("title", "a title of their own"), ("date", "a date"), ("author", "an author")]
)
def test_a_field_that_most_documents_lost_is_suspect(field: str, words: str) -> None:
    before = {**WHOLE, field: 20}
    (told,) = found(run(fields={**before, field: 1}), run(8, fields={"documents": 2}), run(7, fields=before))
    assert told.startswith(f"1 of 20 documents that were read have {words}, 100% had in the run of 2026-05-01 13:00")
    assert found(run(fields={**before, field: 15}), run(7, fields=before)) == []


def test_a_field_that_was_always_rare_is_not_suspect() -> None:
    rare = {**WHOLE, "author": 0}
    assert found(run(fields=rare), run(8, fields=rare)) == []


def test_two_new_pages_say_nothing_about_fields() -> None:
    assert found(run(fields={"documents": 2}), run(8, fields=WHOLE)) == []


def test_a_check_can_be_turned_off() -> None:
    broken = run(counts={"indexed": 1}, skipped={"timeout": 99}, fields={"documents": 20})
    assert len(found(broken, run(8, fields=WHOLE))) == 5
    assert found(broken, run(8, fields={**WHOLE, "author": 20}), errors=1, loss=1, fields=1) == []
