from datetime import UTC, datetime

import pytest

from contentbot.config import state_file
from contentbot.errors import EngineUnavailable
from contentbot.index import open_index
from contentbot.runs import RunRecord
from contentbot.state import open_state
from mcp_server.configured import ConfiguredSources
from mcp_server.health import readiness
from mcp_server.history import RecordedRuns
from tests.mcp_server.library import document


def test_a_server_whose_sources_are_all_filled_is_ready(index):
    state = readiness(index, lambda: {"mill": "The mill", "guide": ""})

    assert state == {
        "ready": True,
        "reasons": [],
        "sources": [
            {"id": "guide", "state": "ready", "documents": 1},
            {"id": "mill", "state": "ready", "documents": 13},
        ],
    }


def test_an_empty_index_is_not_ready_even_where_no_source_is_set_up(tmp_path):
    with open_index(f"tantivy:{tmp_path}") as empty:
        state = readiness(empty, dict)
        assert state["ready"] is False
        assert "contentbot crawl" in state["reasons"][0]

        empty.upsert([document("wheel", "The wheel", "The wheel turns.")])
        assert readiness(empty, dict)["ready"] is True


def test_an_index_that_cannot_be_read_is_not_ready_and_says_why(index, monkeypatch):
    def unavailable(*_args, **_others):
        raise EngineUnavailable("the lock is held")

    monkeypatch.setattr(type(index), "overview", unavailable)

    assert readiness(index, dict) == {"ready": False, "reasons": ["the lock is held"], "sources": []}


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_only_enabled_sources_are_listed_and_a_broken_folder_is_logged_once(tmp_path, caplog, enabled):
    file = tmp_path / "mill.yaml"
    file.write_text(f"id: mill\ntitle: The mill\ntype: website\nenabled: {enabled}\nbase-url: https://mill.example\n")
    listed = ConfiguredSources(tmp_path)
    assert listed() == ({"mill": "The mill"} if enabled == "true" else {})

    file.write_text("id: mill\ntype: website\nbase-urll: https://mill.example\n")
    assert listed() == listed() == {}
    assert caplog.text.count("base-urll") == 1


BOTH = {"guide": "", "mill": ""}


def run(source, reason, *, identity="", hour=12):
    begun = datetime(2026, 11, 30, hour, tzinfo=UTC)
    return RunRecord(
        id=f"{source}-{reason}-{hour}",
        source=source,
        started=begun,
        finish_reason=reason,
        discovery_complete=True,
        index_identity=identity,
    )


@pytest.fixture
def recorded(tmp_path):
    """A state database: give it runs, and get what readiness reads of it."""

    def record(*runs):
        with open_state(state_file(tmp_path)) as state:
            for one in runs:
                state.runs.put(one)
        return RecordedRuns(state_file(tmp_path))

    return record


def test_a_server_is_ready_when_every_source_has_once_been_crawled_to_the_end(index, recorded):
    identity = index.settings().identity
    finished = recorded(run("mill", "finished", identity=identity), run("guide", "running"))
    state = readiness(index, lambda: BOTH, finished)
    assert state["ready"] is False
    assert state["reasons"] == ["source guide was never crawled to the end: run `contentbot crawl guide`"]

    finished = recorded(run("guide", "finished", identity=identity), run("mill", "shutdown", hour=13))
    assert readiness(index, lambda: BOTH, finished)["ready"] is True


def test_a_source_that_was_crawled_and_has_no_documents_does_not_keep_the_server_from_being_ready(index, recorded):
    identity = index.settings().identity
    finished = recorded(*(run(name, "finished", identity=identity) for name in ("attic", "mill")))
    assert readiness(index, lambda: {"attic": "", "mill": ""}, finished)["ready"] is True


def test_a_source_that_was_crawled_into_an_index_that_is_gone_is_missing(index, recorded):
    finished = recorded(run("mill", "finished", identity="the old one"), run("guide", "finished"))
    assert readiness(index, lambda: BOTH, finished)["reasons"] == [
        "source mill was not crawled into this index: run `contentbot crawl mill`"
    ]


def test_without_a_history_readiness_goes_by_documents_and_nothing_is_created(index, tmp_path):
    finished = RecordedRuns(state_file(tmp_path / "nowhere"))
    assert readiness(index, lambda: BOTH, finished)["ready"] is True
    assert readiness(index, lambda: {"attic": ""}, finished)["ready"] is False
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_cannot_be_read_is_logged_once_and_keeps_nobody_from_searching(index, tmp_path, caplog):
    (tmp_path / "state.db").write_bytes(b"no database at all, but a file of some length" * 20)
    finished = RecordedRuns(state_file(tmp_path))
    assert readiness(index, lambda: BOTH, finished)["ready"] is True
    assert readiness(index, lambda: BOTH, finished)["ready"] is True
    assert caplog.text.count("Readiness goes by documents") == 1
