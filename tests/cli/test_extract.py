"""`contentbot extract`: any page or item to an article, and an exit code for each kind of failure."""

import io
import json
import os
import subprocess
import sys

import jsonschema
import pytest

from contentbot import cli
from contentbot.cli.extracting import EXIT_CODES, exit_code
from tests.cli.conftest import ROOT
from tests.site.server import Answer

TEXT = "The miller opens the sluice, and the water fills the race below the wheel. " * 6
PAGE = f"<!doctype html><html lang=en><title>The sluice</title><main><h1>The sluice</h1><p>{TEXT}</p></main></html>"


@pytest.fixture(autouse=True)
def opened(empty, monkeypatch):
    monkeypatch.setenv("CONTENTBOT_FETCH_ALLOW_NETWORKS", "127.0.0.0/8")
    monkeypatch.setenv("CONTENTBOT_FETCH_RATE", "0")
    monkeypatch.setenv("CONTENTBOT_FETCH_WORKERS", "1")


def test_a_page_is_shown_with_its_facts_and_its_markdown(website, capsys):
    website.page("/sluice", PAGE)

    assert cli.run(["extract", f"{website.origin}/sluice", "--language", "de"]) == 0

    shown = capsys.readouterr()
    assert "The sluice" in shown.out
    assert f"{website.origin}/sluice" in shown.out
    assert "# The sluice\n" in shown.out
    assert "It is in en, not in de." in shown.err
    assert website.asked[-1].headers["accept-language"].startswith("de")


def test_several_inputs_are_told_on_stderr_and_answered_in_their_order(website, capsys, tmp_path):
    website.page("/sluice", PAGE)
    saved = tmp_path / "saved.md"
    saved.write_text(f"# The wheel\n\n{TEXT}", encoding="utf-8")
    gone = f"{website.origin}/gone"

    code = cli.run(["extract", f"{website.origin}/sluice", gone, str(saved), "--json"])

    shown = capsys.readouterr()
    answers = json.loads(shown.out)
    schema = _schema(capsys)
    assert code == EXIT_CODES["CONTENT_FETCH_FAILED"] == 3
    assert [answer["success"] for answer in answers] == [True, False, True]
    assert [answer["article"]["title"] for answer in answers if answer["success"]] == ["The sluice", "The wheel"]
    assert answers[2]["article"]["metadata"]["content_source"] == "file"
    assert "3 of 3" in shown.err
    assert "(CONTENT_FETCH_FAILED)" in shown.err
    for answer in answers:
        jsonschema.validate(answer, schema)


def _schema(capsys) -> dict:
    assert cli.run(["extract", "--schema"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("path", "answer", "code"),
    [
        ("/picture", Answer(b"GIF89a", content_type="image/gif"), 4),
        ("/short", Answer(b"<title>Soon</title><p>Soon</p>"), 5),
        ("/error", Answer(b"", 500), 3),
    ],
)
def test_every_failure_has_an_exit_code(website, capsys, path, answer, code):
    website.answer(path, answer)

    assert cli.run(["extract", f"{website.origin}{path}"]) == code

    shown = capsys.readouterr()
    assert shown.out == ""
    name = next(name for name, one in EXIT_CODES.items() if one == code)
    assert f"{name}: " in shown.err


@pytest.mark.parametrize("given", [["mill"], ["file:///etc/hosts"], [], ["a", "--markdown", "--text"]])
def test_what_is_no_input_exits_as_a_wrong_command_line(given, capsys):
    assert cli.run(["extract", *given]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_failures_of_different_kinds_exit_with_one():
    assert exit_code([]) == 0
    assert exit_code(["CONTENT_TOO_SHORT", "CONTENT_TOO_SHORT"]) == 5
    assert exit_code(["CONTENT_TOO_SHORT", "INVALID_INPUT"]) == 1


def test_an_item_is_read_from_a_file(capsys, tmp_path):
    file = tmp_path / "item.json"
    file.write_text(json.dumps({"id": "42", "title": "The sluice", "content": f"<p>{TEXT * 3}</p>"}), encoding="utf-8")

    assert cli.run(["extract", str(file), "--item", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["article"]["item_id"] == "42"
    assert cli.run(["extract", str(ROOT / "README.md"), "--item"]) == 2


def test_a_page_comes_from_stdin_and_only_its_text_goes_to_stdout(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "contentbot", "extract", "-", "--text", "--url", "https://mill.example/sluice"],
        input=PAGE.encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        timeout=120,
        check=True,
    )

    assert done.stdout.decode() == f"The sluice\n\n{TEXT.strip()}\n"
    assert done.stderr == b""


def test_what_steers_a_terminal_is_not_printed(monkeypatch, capsys):
    hostile = PAGE.replace("opens", "op\x9b31mens")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(hostile.encode())))

    assert cli.run(["extract", "-", "--markdown"]) == 0

    assert "\x9b" not in capsys.readouterr().out
