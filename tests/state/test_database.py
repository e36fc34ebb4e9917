import multiprocessing
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from contentbot.errors import ConfigError, StateUnavailable
from contentbot.runs import RunRecord
from contentbot.state import PageState, PageStatus, State, open_state, reading_state
from contentbot.state.database import MIGRATIONS
from contentbot.state.runs import run_id
from contentbot.state.schema import metadata

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
RUN = RunRecord(
    id="r1",
    source="mill",
    started=START,
    finish_reason="running",
    discovery_complete=False,
    counts={"indexed": 3},
    skipped_pages=[{"url": "https://mill.example/a", "reason": "timeout"}],
)


def changed(**values: object) -> RunRecord:
    return RUN.model_copy(update=values)


def test_migrations_build_exactly_the_declared_tables(state: State):
    with state.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_opening_twice_changes_nothing(opened: Callable[[], State]):
    opened().runs.put(RUN)
    assert [run.id for run in opened().runs.latest("mill")] == ["r1"]


def test_processes_that_start_at_once_agree_on_one_schema(database_url: str):
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert pool.map(open_and_count, [database_url] * 8) == [0] * 8


def open_and_count(url: str) -> int:
    with open_state(url) as state:
        return state.pages.documents("mill")


def test_database_of_a_newer_version_is_left_alone(opened: Callable[[], State], database_url: str):
    with opened().engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StateUnavailable, match="newer version"):
        open_state(database_url)


@pytest.mark.parametrize("url", ["nonsense", "mysterydb://host/name", "sqlite+nodriver:///x"])
def test_bad_url_names_the_setting_and_a_right_form(url: str):
    with pytest.raises(ConfigError, match=r"CONTENTBOT_DATABASE_URL.*sqlite:///"):
        open_state(url)


def test_reading_gives_nothing_where_no_run_was_recorded_and_creates_nothing(database_url: str, tmp_path: Path):
    before = sorted(tmp_path.iterdir())
    with reading_state(database_url) as state:
        assert state is None
    assert sorted(tmp_path.iterdir()) == before


def test_reader_sees_what_a_writer_has_written_and_cannot_write(opened: Callable[[], State], database_url: str):
    opened().runs.put(RUN)
    with reading_state(database_url) as state:
        assert state is not None
        assert state.runs.latest("mill") == [RUN]
        with pytest.raises(StateUnavailable):
            state.runs.trim("mill", 0)
    assert opened().runs.latest("mill") == [RUN]


def test_database_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    url = f"sqlite:///{tmp_path}/state.db"
    with open_state(url) as state:
        state.runs.put(RUN)
    # root may write everywhere
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    with reading_state(url) as state:
        assert state is not None
        assert state.runs.latest("mill") == [RUN]
        assert [file.name for file in tmp_path.iterdir()] == ["state.db"]


@pytest.mark.parametrize(("version", "message"), [("0001", "older version"), ("9999", "newer version")])
def test_reading_another_schema_is_refused_and_changes_nothing(
    opened: Callable[[], State], database_url: str, version: str, message: str
):
    with opened().engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
    with pytest.raises(StateUnavailable, match=message), reading_state(database_url):
        pass


def test_absent_server_is_reported_without_its_password():
    with pytest.raises(StateUnavailable) as raised:
        open_state("postgresql://ada:sesame@127.0.0.1:1/mill?connect_timeout=2")
    assert "127.0.0.1" in str(raised.value)
    assert "sesame" not in str(raised.value)


def test_run_is_running_until_it_has_finished(state: State):
    state.runs.put(RUN)
    assert state.runs.last_finished("mill") is None
    ended = changed(finished=START + timedelta(minutes=2), finish_reason="finished", discovery_complete=True)
    state.runs.put(ended)
    assert state.runs.last_finished("mill") == ended
    assert state.runs.latest("mill") == [ended]


def test_history_is_newest_first_and_can_be_trimmed(state: State):
    for day in range(5):
        state.runs.put(changed(id=f"r{day}", started=START + timedelta(days=day)))
    state.runs.put(changed(id="other", source="barn"))
    assert state.runs.sources() == ["barn", "mill"]
    assert [run.id for run in state.runs.latest("mill", limit=2)] == ["r4", "r3"]
    assert state.runs.trim("mill", keep=3) == 2
    assert [run.id for run in state.runs.latest("mill")] == ["r4", "r3", "r2"]
    assert [run.id for run in state.runs.latest("barn")] == ["other"]


def test_the_last_run_that_came_to_its_end_survives_any_number_of_failures(state: State):
    state.runs.put(changed(id="done", finish_reason="finished"))
    for day in range(1, 6):
        state.runs.put(changed(id=f"r{day}", started=START + timedelta(days=day), finish_reason="start_failed"))
    assert state.runs.trim("mill", keep=2) == 3
    assert [run.id for run in state.runs.latest("mill")] == ["r5", "r4", "done"]


def test_run_names_sort_by_time():
    names = [run_id("mill", START + timedelta(seconds=seconds)) for seconds in (0, 0.000001, 61, 86_400)]
    assert names == sorted(names)
    assert names[0] == "mill-20260501T120000.000000Z"


def test_pages_of_the_first_schema_are_dated_by_the_last_look_at_them(opened: Callable[[], State], database_url: str):
    engine = opened().engine
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    opened().pages.put(
        [PageState("mill", "https://mill.example/", PageStatus.FAILED, reason="timeout", last_seen=START)]
    )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    with open_state(database_url) as state:
        page = state.pages.get("mill", "https://mill.example/")
    assert page is not None
    assert (page.since, page.reason) == (START, "timeout")
