"""The command that makes API keys, and the server that refuses one that may write."""

import json
import logging
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from contentbot import cli
from contentbot.errors import ConfigError, EngineRefused
from contentbot.index import open_index
from contentbot.index.meilisearch.keys import Role
from mcp_server import keycheck
from tests.cli.conftest import ROOT
from tests.contract.documents import document
from tests.engine.standin import StandIn, Trouble

MASTER = "a-master-key-of-this-test"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(MASTER) as running:
        monkeypatch.setenv("CONTENTBOT_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.setenv("CONTENTBOT_INDEX_URL", running.url)
        monkeypatch.setenv("CONTENTBOT_INDEX_MASTER_KEY", MASTER)
        yield running


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    assert cli.run(["keys", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_two_keys_are_made_and_found_again(engine: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys)
    assert set(first) == {"CONTENT_SEARCH_KEY", "CONTENT_WRITE_KEY"}
    assert printed(capsys) == first
    assert len(engine.keys) == 2
    search, write = engine.keys
    assert search["actions"] == ["search"]
    assert search["indexes"] == ["content_documents", "content_chunks"]
    assert write["indexes"] == [
        "content_documents", "content_chunks", "content_documents_staged_*", "content_chunks_staged_*",
    ]  # fmt: skip
    assert not {action for one in engine.keys for action in one["actions"]} & {"*", "keys.get", "keys.create"}


def test_keys_of_another_prefix_are_others(
    engine: StandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = printed(capsys)
    monkeypatch.setenv("CONTENTBOT_INDEX_PREFIX", "trial_")
    assert not set(printed(capsys).values()) & set(first.values())
    assert engine.keys[-1]["indexes"][0] == "trial_content_documents"


def test_a_key_that_does_not_fit_any_more_is_replaced(engine: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    old = printed(capsys)
    engine.keys[1]["actions"] = ["search", "documents.add"]
    new = printed(capsys)
    assert new["CONTENT_SEARCH_KEY"] == old["CONTENT_SEARCH_KEY"]
    assert new["CONTENT_WRITE_KEY"] != old["CONTENT_WRITE_KEY"]


def test_keys_are_exchanged_without_a_gap(engine: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    old = printed(capsys)
    assert cli.run(["keys", "--rotate", "--json"]) == 0
    answer = capsys.readouterr()
    new = {one["role"]: one["key"] for one in json.loads(answer.out)["keys"]}
    assert not set(new.values()) & set(old.values())
    assert "1 older ones still work" in answer.err
    assert len(engine.keys) == 4
    assert printed(capsys, "--revoke") == {"CONTENT_SEARCH_KEY": new["search"], "CONTENT_WRITE_KEY": new["write"]}
    assert {one["key"] for one in engine.keys} == set(new.values())


def test_the_written_key_is_enough_for_a_crawl_and_a_rebuild_and_no_more(
    engine: StandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", printed(capsys)["CONTENT_WRITE_KEY"])
    with open_index(engine.url) as index:
        index.upsert([document("a"), document("b")])
        index.delete([document("b").key])
        with index.staging() as staged:
            staged.upsert([document("c")])
            index.swap(staged)
        assert index.keys("mill") == {document("c").key}
        assert index.settings().identity
    assert [*engine.indexes] == ["content_documents", "content_chunks"]


def test_the_search_key_reads_and_writes_nothing(
    engine: StandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = printed(capsys)
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", keys["CONTENT_WRITE_KEY"])
    with open_index(engine.url) as index:
        index.upsert([document("a")])
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", keys["CONTENT_SEARCH_KEY"])
    with open_index(engine.url) as index:
        assert index.holds(document("a").key)
        with pytest.raises(EngineRefused, match="refuses the key"):
            index.upsert([document("b")])


def test_keys_go_into_files_that_only_their_owner_reads(
    engine: StandIn, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "search", tmp_path / "write"
    files[0].write_text("an older one")
    words = ["--search-file", str(files[0]), "--write-file", str(files[1])]
    assert printed(capsys, *words) == {}
    assert [file.read_text().strip() for file in files] == [one["key"] for one in engine.keys]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY_FILE", str(files[1]))
    with open_index(engine.url) as index:
        index.upsert([document("a")])
    assert len(engine.documents()) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"CONTENTBOT_INDEX_MASTER_KEY": ""}, "CONTENTBOT_INDEX_MASTER_KEY: it is empty"),
        ({"CONTENTBOT_INDEX_MASTER_KEY": "another-than-that-of-the-engine"}, "does not take it for its master key"),
        ({"CONTENTBOT_INDEX_URL": "tantivy:/nowhere"}, "the embedded engine has no keys"),
        ({"CONTENTBOT_INDEX_KEY_FILE": "/nowhere/key"}, "/nowhere/key: No such file"),
    ],
)
def test_a_wrong_setting_is_named(
    engine: StandIn,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str],
    said: str,
) -> None:
    for name, value in changes.items():
        monkeypatch.setenv(name, value)
    assert cli.run(["keys"]) == 2
    err = capsys.readouterr().err
    assert said in " ".join(err.split())
    assert "another-than-that" not in err


def test_an_engine_without_a_master_key_is_named(engine: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    engine.master = ""
    assert cli.run(["keys"]) == 2
    assert "runs without a master key" in capsys.readouterr().err


def granted(engine: StandIn, *actions: str, indexes: tuple[str, ...] = ("*",)) -> str:
    engine.keys.append(
        {"uid": str(len(engine.keys)), "key": f"key-{len(engine.keys)}", "actions": [*actions], "indexes": [*indexes]}
    )
    return str(engine.keys[-1]["key"])


@pytest.mark.parametrize(
    ("actions", "indexes", "found"),
    [
        (("search",), ("content_documents", "content_chunks"), ()),
        (("search", "documents.get"), ("*",), ()),
        (("*.get", "keys.get"), ("*",), ("keys.get",)),
        (("*",), ("*",), ("*",)),
        (Role.WRITE.value, ("content_documents", "content_chunks"), ("documents.add",)),
        (("documents.add",), ("content_documents",), ("documents.add",)),
        (("documents.delete",), ("content_*",), ("documents.delete",)),
        (("settings.update",), ("*",), ("settings.update",)),
        (("indexes.delete", "keys.get"), ("*",), ("indexes.delete", "keys.get")),
    ],
)
def test_what_a_key_may_do_beyond_reading_is_found_without_a_trace(
    engine: StandIn,
    monkeypatch: pytest.MonkeyPatch,
    actions: tuple[str, ...],
    indexes: tuple[str, ...],
    found: tuple[str, ...],
) -> None:
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", granted(engine, *actions, indexes=indexes))
    if not found:
        keycheck.check_key(engine.url, allow_write=False)
    else:
        with pytest.raises(ConfigError, match=re.escape(f"may do more than read ({', '.join(found)})")):
            keycheck.check_key(engine.url, allow_write=False)
        keycheck.check_key(engine.url, allow_write=True)
    assert (engine.tasks, engine.indexes) == ([], {})
    assert not any(str(one["key"]) in request.path for request in engine.requests for one in engine.keys)


def test_the_master_key_is_refused(engine: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", MASTER)
    with pytest.raises(ConfigError, match=r"may do more than read \(\*\)"):
        keycheck.check_key(engine.url, allow_write=False)


def test_an_engine_that_asks_nobody_for_a_key_is_warned_about(
    engine: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    engine.master = ""
    with caplog.at_level(logging.WARNING):
        keycheck.check_key(engine.url, allow_write=False)
    assert "runs without a master key" in caplog.text


def test_the_embedded_engine_has_no_key_to_check() -> None:
    keycheck.check_key("tantivy:/nowhere", allow_write=False)


def test_a_key_is_checked_as_soon_as_an_engine_that_was_away_answers(
    engine: StandIn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keycheck, "AGAIN_AFTER", 0.01)
    monkeypatch.setattr("contentbot.index.meilisearch.connection.FIRST_PAUSE", 0.0)
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", MASTER)
    engine.trouble = lambda request: Trouble(status=503) if request.number <= 12 else None
    left: list[int] = []
    keycheck.check_key(engine.url, allow_write=False, leave=left.append)
    for thread in [one for one in threading.enumerate() if one.name == "key check"]:
        thread.join(30)
    assert left == [1]
    assert "the server ends" in caplog.text


def test_the_server_ends_with_one_line_and_no_key_in_it(
    engine: StandIn, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write = printed(capsys)["CONTENT_WRITE_KEY"]
    environment = {**os.environ, "CONTENTBOT_INDEX_KEY": write}
    command = [sys.executable, "-m", "mcp_server"]
    run = partial(
        subprocess.run, env=environment, cwd=ROOT, input="", capture_output=True, text=True, timeout=60, check=False
    )
    done = run(command)
    assert done.returncode == 1
    assert "documents.add" in done.stderr
    assert "--allow-write-key" in done.stderr
    assert write not in done.stderr
    assert MASTER not in done.stderr
    done = run([*command, "--allow-write-key"])
    assert (done.returncode, done.stdout) == (0, "")
