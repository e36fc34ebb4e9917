"""The command that rebuilds the index: what it answers, and what a kill in the middle of it leaves behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contentbot import cli
from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.index import open_index
from contentbot.state.locks import Lock
from tests.cli.conftest import ROOT, environment_for


@pytest.fixture
def home(crawled: tuple[Path, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the crawled demo's data that a test may change."""
    folder = tmp_path / "data"
    shutil.copytree(crawled[0], folder)
    for name, value in environment_for(folder).items():
        monkeypatch.setenv(name, value)
    return folder


def documents(home: Path) -> list[ContentDocument]:
    with open_index(f"tantivy:{home / 'index'}", read_only=True) as index:
        return [*index.export("demo", principal=PUBLIC)]


def test_it_says_what_became_of_each_source(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = documents(home)
    # the demo was crawled from a copy on loopback, whose origin is not needed where pages name none
    assert cli.run(["reindex", "demo", "--workers", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    demo = next(one for one in answer["sources"] if one["source"] == "demo")
    assert (demo["documents"], demo["readAnew"], demo["copied"], demo["missing"]) == (len(before), len(before), 0, 0)
    assert answer["before"] != answer["after"]
    assert [one.key for one in documents(home)] == [one.key for one in before]
    assert cli.run(["reindex", "--copy"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("demo"))
    assert row.split()[1:3] == ["0", str(len(before))]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dmeo"], "did you mean demo?"),
        (["--copy", "demo"], "leave the sources out"),
        (["--base-url", "http://127.0.0.1:1"], "name the source whose copy it is"),
        (["demo", "--base-url", "ftp://127.0.0.1"], "write the copy's origin"),
    ],
)
def test_a_slip_is_answered_with_the_way_out(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert cli.run(["reindex", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_crawl_that_is_under_way_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Lock(home / "locks", "demo"):
        assert cli.run(["reindex"]) == 1
    assert "demo is being crawled by process" in capsys.readouterr().err


def test_a_kill_in_the_middle_leaves_the_index_and_the_next_try_tidies_up(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, live = documents(home), {one.name for one in (home / "index").iterdir() if one.is_dir()}
    with subprocess.Popen(
        [sys.executable, "-m", "contentbot", "reindex", "demo"], cwd=ROOT, env=os.environ, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        deadline = time.monotonic() + 60
        while {one.name for one in (home / "index").iterdir() if one.is_dir()} == live:
            assert process.poll() is None, "it ended before it was killed"
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert documents(home) == before
    assert (home / "reindex").is_dir()
    assert cli.run(["reindex", "--copy"]) == 0
    assert documents(home) == before
    assert not (home / "reindex").exists()
    assert len([one for one in (home / "index").iterdir() if one.is_dir()]) == 1
