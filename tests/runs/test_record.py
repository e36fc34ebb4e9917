"""The record of a run."""

from datetime import UTC, datetime, timedelta

from contentbot.runs import RUNNING, RunRecord

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def _record(**fields: object) -> RunRecord:
    values = {"started": NOON, "finished": NOON, "finish_reason": "finished", "discovery_complete": True, **fields}
    return RunRecord.model_validate({"source": "mill", **values})


def test_a_run_that_was_stopped_did_not_succeed() -> None:
    assert _record().succeeded
    assert not _record(finish_reason="shutdown").succeeded
    assert not _record(error="the index is gone").succeeded


def test_a_run_lasts_from_its_start_to_its_end() -> None:
    assert _record(finished=NOON + timedelta(minutes=2)).seconds == 120
    assert _record(finished=None, finish_reason=RUNNING).seconds == 0
