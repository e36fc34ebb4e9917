"""The record of a run on disk."""

from datetime import UTC, datetime
from pathlib import Path

from contentbot.runs import RunRecord, SkippedPage, read_run, read_runs, write_run

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def _record(source: str = "mill", **fields: object) -> RunRecord:
    values = {"started": NOON, "finished": NOON, "finish_reason": "finished", "discovery_complete": True, **fields}
    return RunRecord.model_validate({"source": source, **values})


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    skipped = [SkippedPage(url="https://mill.example/x", reason="http_404")]
    record = _record(counts={"indexed": 2}, skipped={"http_404": 1}, skipped_pages=skipped)
    file = write_run(record, tmp_path)
    assert file == tmp_path / "runs" / "mill.json"
    assert read_run(tmp_path, "mill") == record


def test_writing_leaves_nothing_beside_the_record(tmp_path: Path) -> None:
    for _ in range(3):
        write_run(_record(), tmp_path)
    assert [file.name for file in (tmp_path / "runs").iterdir()] == ["mill.json"]


def test_a_record_that_is_missing_or_broken_is_none(tmp_path: Path) -> None:
    assert read_run(tmp_path, "mill") is None
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "mill.json").write_text('{"source": "mill"')
    assert read_run(tmp_path, "mill") is None


def test_all_records_are_found_by_their_source(tmp_path: Path) -> None:
    assert read_runs(tmp_path) == {}
    write_run(_record("b"), tmp_path)
    write_run(_record("a"), tmp_path)
    assert list(read_runs(tmp_path)) == ["a", "b"]


def test_a_run_that_was_stopped_did_not_succeed() -> None:
    assert _record().succeeded
    assert not _record(finish_reason="shutdown").succeeded
    assert not _record(error="the index is gone").succeeded
