import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentbot import cli
from contentbot.access import PUBLIC
from contentbot.config import state_file
from contentbot.delivery import letter_of
from contentbot.documents import ContentDocument
from contentbot.index import open_index
from contentbot.pipelines.batch import Waiting
from contentbot.state import PageState, PageStatus, open_state
from contentbot.state.locks import Lock
from contentbot.state.outbox import Outbox

URL = "https://mill.example/a"


def document(name: str = "a") -> ContentDocument:
    return ContentDocument(
        id=f"mill:{name}", key=name, source="demo", url=URL, path="/a", title="Mill", body="The mill has two wheels."
    )


@pytest.fixture
def outbox(empty: Path) -> Iterator[Outbox]:
    opened = Outbox(empty / "outbox.db")
    page = PageState("demo", URL, PageStatus.INDEXED, document_key="a", extraction="rules")
    opened.keep([letter_of(Waiting(document(), (page,)))])
    yield opened
    opened.close()


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict]:
    code = cli.run([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_what_waits_is_delivered_and_its_page_is_noted(
    empty: Path, outbox: Outbox, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = told(capsys, "flush")
    assert (code, answer["sources"][0]["delivered"], answer["sources"][0]["waiting"]) == (0, 1, 0)
    with open_index(f"tantivy:{empty / 'index'}", read_only=True) as index, open_state(state_file(empty)) as state:
        assert index.get("mill:a", principal=PUBLIC) == document()
        page = state.pages.get("demo", URL)
        assert page is not None
        assert (page.status, page.index_identity, page.extraction, page.last_run) == (
            PageStatus.INDEXED,
            index.settings().identity,
            "rules",
            "",
        )
    assert told(capsys, "flush") == (0, {"ok": True, "sources": []})


def test_what_the_index_refuses_is_named_with_its_reason(
    empty: Path, outbox: Outbox, capsys: pytest.CaptureFixture[str]
) -> None:
    outbox.keep([letter_of(Waiting(document("b")), refused="not liked")])
    code, answer = told(capsys, "flush")
    assert code == 1
    assert answer["sources"][0]["setAside"] == [{"url": URL, "reason": "not liked"}]
    assert cli.run(["flush"]) == 1
    assert "not liked" in capsys.readouterr().err


def test_an_index_that_is_away_keeps_everything_waiting(
    empty: Path, outbox: Outbox, capsys: pytest.CaptureFixture[str]
) -> None:
    (empty / "index").mkdir()
    (empty / "index" / "CURRENT").mkdir()  # reading it is an error of the system, as on a disk that went away
    code, answer = told(capsys, "flush", "demo")
    assert (code, answer["sources"][0]["waiting"]) == (1, 1)
    assert "CURRENT" in answer["sources"][0]["problem"]
    assert len(outbox) == 1


def test_a_source_that_is_being_crawled_is_left_to_its_crawl(
    empty: Path, outbox: Outbox, capsys: pytest.CaptureFixture[str]
) -> None:
    with Lock(empty / "locks", "demo"):
        code, answer = told(capsys, "flush")
    assert (code, answer["sources"][0]["waiting"]) == (1, 1)
    assert "is being crawled" in answer["sources"][0]["problem"]


def test_the_status_says_how_much_waits(empty: Path, outbox: Outbox, capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = told(capsys, "status")
    (demo,) = [row for row in answer["sources"] if row["source"] == "demo"]
    assert (demo["waiting"], demo["setAside"]) == (1, 0)
    assert cli.run(["status"]) == 0
    assert "demo: 1 documents wait for the index" in capsys.readouterr().err


def test_a_source_that_nobody_knows_is_asked_back(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["flush", "dmeo"]) == 2
    assert "did you mean demo?" in capsys.readouterr().err
