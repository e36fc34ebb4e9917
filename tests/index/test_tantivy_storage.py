"""The embedded engine's files: who may write them, which version they are, what is left behind."""

import fcntl
import json
import os
from pathlib import Path

import pytest

from contentbot.access import PUBLIC
from contentbot.errors import ConfigError, EngineRefused, EngineUnavailable
from contentbot.index import Index, open_index
from contentbot.index.query import SearchRequest
from contentbot.index.tantivy import TantivyBackend
from contentbot.index.tantivy.schema import SCHEMA_VERSION
from tests.contract.documents import document


def test_a_held_lock_is_named_with_its_holder_and_the_way_out(tmp_path: Path) -> None:
    index = Index(TantivyBackend(tmp_path, lock_timeout=0.05))
    index.upsert([document("a")])
    path = tmp_path / "write.lock"
    with path.open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(EngineUnavailable, match=rf"process {os.getpid()} .*write\.lock.*end that process"):
            index.upsert([document("b")])
    index.upsert([document("b")])


def test_a_lock_file_of_a_dead_process_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "write.lock").write_text("999999999 and something longer")
    index = Index(TantivyBackend(tmp_path, lock_timeout=0.05))
    index.upsert([document("a")])
    assert (tmp_path / "write.lock").read_text() == str(os.getpid())


def test_an_index_of_another_schema_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with open_index(str(tmp_path)) as index:
        index.upsert([document("a")])
    pointer = json.loads((tmp_path / "CURRENT").read_text())
    (tmp_path / "CURRENT").write_text(json.dumps(pointer | {"schema_version": 99}))
    with open_index(str(tmp_path), read_only=True) as index, pytest.raises(EngineRefused, match=r"99.*crawl again"):
        index.search(SearchRequest("a"), principal=PUBLIC)


@pytest.mark.parametrize(
    "pointer", ["", "{", "[]", '{"schema_version": 1}', '{"generation": "../up", "schema_version": 1}']
)
def test_a_damaged_pointer_is_refused_by_name(tmp_path: Path, pointer: str) -> None:
    (tmp_path / "CURRENT").write_text(pointer)
    with open_index(str(tmp_path), read_only=True) as index, pytest.raises(EngineRefused, match="CURRENT"):
        index.search(SearchRequest("a"), principal=PUBLIC)


def test_a_lost_generation_is_told_from_an_empty_index(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text(
        json.dumps({"generation": "generation-0123456789abcdef", "schema_version": SCHEMA_VERSION})
    )
    with open_index(str(tmp_path), read_only=True) as index, pytest.raises(EngineUnavailable):
        index.search(SearchRequest("a"), principal=PUBLIC)


def test_a_swap_leaves_one_generation_and_spares_one_that_is_being_filled(tmp_path: Path) -> None:
    with open_index(str(tmp_path)) as index:
        index.upsert([document("a")])
        abandoned = index.staging()
        abandoned.close()
        staged = index.staging()
        other = index.staging()
        staged.upsert([document("b")])
        index.swap(staged)
        assert len(list(tmp_path.glob("generation-*"))) == 2
        other.upsert([document("c")])
        index.swap(other)
        assert len(list(tmp_path.glob("generation-*"))) == 1
        assert index.get("mill:c", principal=PUBLIC).id == "mill:c"


def test_opening_makes_nothing(tmp_path: Path) -> None:
    with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
        assert index.search(SearchRequest("a"), principal=PUBLIC).total == 0
    with open_index(f"tantivy:{tmp_path / 'index'}") as index:
        assert index.keys("mill") == set()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["", "tantivy:"])
def test_a_url_of_no_engine_is_a_configuration_error(url: str) -> None:
    with pytest.raises(ConfigError, match="tantivy:"):
        open_index(url)
