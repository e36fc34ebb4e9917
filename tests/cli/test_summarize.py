import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contentbot.cli import run
from tests.summaries.endpoint import ModelServer, says
from tests.summaries.mill import ARTICLE, TEXT, draft

Capture = pytest.CaptureFixture[str]
DEMO = "demo:news/2025/03/how-the-wheel-was-saved"
WORDLESS = draft(title="Mill", summary="It is about a mill.", key_points=[], quotes=[], topics=[])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(says(WORDLESS)) as server:
        monkeypatch.setenv("CONTENTBOT_LLM_URL", server.url)
        monkeypatch.setenv("CONTENTBOT_LLM_MODEL", "mill-1")
        monkeypatch.setenv("CONTENTBOT_LLM_KEY", "secret-key")
        yield server


def answers(capsys: Capture, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    code = run(["summarize", *arguments, "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def give(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_document_of_the_index_is_summarised(indexed: Path, model: ModelServer, capsys: Capture) -> None:
    code, (told,) = answers(capsys, DEMO)
    assert (code, told["success"], told["document_id"]) == (0, True, DEMO)
    assert told["summary"]["summary"] == "It is about a mill."
    assert "wheel" in model.asked[0].text
    assert model.asked[0].headers["authorization"] == "Bearer secret-key"


def test_a_person_reads_title_summary_and_points(
    model: ModelServer, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.script = [says(draft())]
    file = tmp_path / "article.json"
    file.write_text(ARTICLE.model_dump_json(), encoding="utf-8")
    assert run(["summarize", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == "Mill at Bachfeld reopens"
    assert "  - The EU paid a third of the cost." in shown.out
    assert "drafts: 1" in shown.err


@pytest.mark.parametrize("name", ["page.html", "page.md", "page.txt"])
def test_a_file_is_read_as_what_it_is(model: ModelServer, tmp_path: Path, capsys: Capture, name: str) -> None:
    html = f"<!doctype html><html lang=en><title>M</title><main><h1>Mill</h1><p>{TEXT}</p></main>"
    file = tmp_path / name
    file.write_text(html if name.endswith("html") else f"# Mill\n\n{TEXT}\n", encoding="utf-8")
    code, _ = answers(capsys, str(file))
    assert code == 0
    assert "Greta Holm" in model.asked[0].text
    assert "<p>" not in model.asked[0].text


def test_lines_of_json_are_answered_line_by_line_and_a_bad_one_costs_itself_only(
    model: ModelServer, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    extraction = {"success": True, "article": {"plain_text": TEXT, "extract_id": "x1", "item_id": "i1", "metadata": {}}}
    failure = {"success": False, "error": {"code": "CONTENT_FETCH_FAILED", "message": "it answers 404"}}
    lines = [ARTICLE.model_dump_json(), json.dumps(extraction), json.dumps(failure), "{broken"]
    give(monkeypatch, "\n".join(lines))
    code, told = answers(capsys, "-", "--output", str(tmp_path / "out.jsonl"))
    assert code == 1
    assert [one["success"] for one in told] == [True, True, False, False]
    assert (told[1]["summary"]["extract_id"], told[1]["document_id"]) == ("x1", "i1")
    assert "it answers 404" in told[2]["error"]["message"]
    assert told[3]["error"]["message"].startswith("record 4 is no article")
    kept = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in kept] == told


def test_what_export_writes_can_be_summarised(
    indexed: Path, model: ModelServer, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["export", "--source", "demo"]) == 0
    exported = capsys.readouterr().out
    give(monkeypatch, exported)
    _, told = answers(capsys, "-", "--language", "en")
    assert [one["document_id"] for one in told] == [json.loads(line)["id"] for line in exported.splitlines()]


def test_an_endpoint_that_is_away_is_told_and_fails(
    model: ModelServer, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contentbot.summaries.endpoint.ATTEMPTS", 1)
    monkeypatch.setenv("CONTENTBOT_LLM_URL", "http://127.0.0.1:9/v1")
    give(monkeypatch, TEXT)
    code, (told,) = answers(capsys, "-")
    assert (code, told["error"]["code"], told["error"]["retryable"]) == (1, "MODEL_UNAVAILABLE", True)


def test_settings_that_are_missing_are_named(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"CONTENTBOT_LLM_{name}", raising=False)
    assert run(["summarize", "-"]) == 2
    assert "CONTENTBOT_LLM_URL" in capsys.readouterr().err
    monkeypatch.setenv("CONTENTBOT_LLM_URL", "http://127.0.0.1:9/v1")
    assert run(["summarize", "-"]) == 2
    assert "CONTENTBOT_LLM_MODEL" in capsys.readouterr().err


def test_a_document_that_is_not_there_names_near_ones(indexed: Path, model: ModelServer, capsys: Capture) -> None:
    assert run(["summarize", DEMO[:-1]]) == 1
    assert DEMO in capsys.readouterr().err
