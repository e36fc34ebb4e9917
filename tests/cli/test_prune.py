import json
import shutil
from pathlib import Path

import pytest

from contentbot.cli import run
from contentbot.index import open_index
from contentbot.state import open_state
from contentbot.state.locks import Lock
from contentbot.state.outbox import Letter, Outbox
from contentbot.state.surveys import Survey
from tests.cli.conftest import ROOT, environment_for

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def left(crawled: tuple[Path, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the crawled demo, whose source file is no longer there, and a letter of it."""
    data, sources = tmp_path / "data", tmp_path / "sources"
    shutil.copytree(crawled[0], data)
    sources.mkdir()
    shutil.copy(ROOT / "sources" / "hiero.yaml", sources)
    for name, value in environment_for(data, sources).items():
        monkeypatch.setenv(name, value)
    outbox = Outbox(data / "outbox.db")
    outbox.keep([Letter("demo", "k", {"url": "https://demo.contentbot.example/x"}, {}), Letter("other", "k", {}, {})])
    outbox.close()
    return data


def test_the_status_names_a_source_that_has_documents_and_no_file(left: Path, capsys: Capture) -> None:
    assert run(["status"]) == 0
    assert "contentbot prune demo" in capsys.readouterr().err
    assert run(["status", "--json"]) == 0
    rows = {row["source"]: row for row in json.loads(capsys.readouterr().out)["sources"]}
    assert {name: row["declared"] for name, row in rows.items()} == {"demo": False, "hiero": True}


def test_everything_of_the_source_is_deleted_and_nothing_else(left: Path, capsys: Capture) -> None:
    with open_state(f"sqlite:///{left / 'state.db'}") as state:
        state.surveys.put("demo", [Survey("k", "en", b"what its blocks say")])
    assert run(["prune", "demo", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("cacheBytes") > 0
    assert told.pop("pages") > 11
    assert told == {"source": "demo", "documents": 11, "runs": 1, "undelivered": 1, "deleted": True}
    with open_index(f"tantivy:{left / 'index'}", read_only=True) as index:
        assert index.keys("demo") == set()
    with open_state(f"sqlite:///{left / 'state.db'}") as state:
        assert (state.pages.sources(), state.runs.sources()) == ([], [])
        assert (state.surveys.count("demo"), state.surveys.template("demo")[0]) == (0, b"")
    outbox = Outbox(left / "outbox.db")
    assert outbox.sources() == ["other"]
    outbox.close()
    assert list((left / "cache").glob("demo*")) == []
    assert run(["status"]) == 0
    assert "contentbot prune" not in capsys.readouterr().err
    # a second time there is nothing left to name
    assert run(["prune", "demo", "--yes"]) == 2


def test_it_asks_or_wants_to_be_told(left: Path, capsys: Capture) -> None:
    assert run(["prune", "demo"]) == 2
    assert "11 documents" in (said := capsys.readouterr().err)
    assert "--yes" in said
    with open_index(f"tantivy:{left / 'index'}", read_only=True) as index:
        assert len(index.keys("demo")) == 11


def test_an_enabled_source_is_refused(left: Path, capsys: Capture) -> None:
    assert run(["prune", "hiero", "--yes"]) == 2
    assert "set enabled: false" in capsys.readouterr().err


def test_a_disabled_source_may_be_pruned(left: Path, capsys: Capture) -> None:
    sources = left.parent / "sources"
    text = (ROOT / "sources" / "demo.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("enabled:")]
    (sources / "demo.yaml").write_text("\n".join([*lines, "enabled: false"]), encoding="utf-8")
    assert run(["prune", "demo", "--yes"]) == 0
    assert "deleted: 11 documents" in capsys.readouterr().out
    assert run(["prune", "demo", "--yes"]) == 0
    assert "nothing is kept of demo" in capsys.readouterr().err


def test_a_name_that_nothing_has_is_answered_with_the_nearest_one(left: Path, capsys: Capture) -> None:
    assert run(["prune", "dmeo", "--yes"]) == 2
    assert "did you mean demo?" in capsys.readouterr().err


def test_a_source_that_is_being_crawled_is_left_alone(left: Path, capsys: Capture) -> None:
    with Lock(left / "locks", "demo"):
        assert run(["prune", "demo", "--yes"]) == 1
    assert "is being crawled by process" in capsys.readouterr().err
    with open_index(f"tantivy:{left / 'index'}", read_only=True) as index:
        assert len(index.keys("demo")) == 11


def test_the_newest_runs_of_a_source_are_shown(left: Path, capsys: Capture) -> None:
    assert run(["status", "demo", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["runs"]
    assert one["finishReason"] == "finished"
    assert one["counts"]["indexed"] == 11
    assert one["started"] < one["finished"]
    assert run(["status", "demo"]) == 0
    assert "finished" in capsys.readouterr().out
    assert run(["status", "hiero"]) == 0
    assert "contentbot crawl hiero" in capsys.readouterr().err
    assert run(["status", "dmeo"]) == 2
    assert "did you mean demo?" in capsys.readouterr().err
