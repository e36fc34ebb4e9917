import json
import subprocess
import sys
from pathlib import Path

import pytest

from contentbot import __version__
from contentbot.cli import run
from tests.cli.conftest import call, environment_for

Capture = pytest.CaptureFixture[str]
GOOD = "id: barn\ntype: website\nbase-url: https://barn.example\n"


def test_help_names_every_subcommand(capsys: Capture) -> None:
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in ("crawl", "search", "sources", "try", "export", "status", "demo"):
        assert name in shown


def test_the_version_is_told(capsys: Capture) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"contentbot {__version__}\n"


def test_the_help_comes_without_the_crawler_and_the_extraction() -> None:
    code = (
        "import sys; from contentbot.cli import run; run(['--help'])\n"
        "heavy = ('scrapy', 'twisted', 'trafilatura', 'htmldate', 'dateparser')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stderr.strip() == "[]"
    assert "Usage: contentbot" in shown.stdout


def test_debug_shows_where_an_error_comes_from(tmp_path: Path) -> None:
    environment = environment_for(tmp_path, tmp_path / "nowhere")
    assert "Traceback" not in call("sources", "list", environment=environment).stderr
    assert "Traceback" in call("--debug", "sources", "list", environment=environment).stderr


def test_sources_are_listed(empty: Path, capsys: Capture) -> None:
    assert run(["sources", "list"]) == 0
    assert "open-elements" in capsys.readouterr().out
    assert run(["sources", "list", "--json"]) == 0
    listed = {one["id"]: one for one in json.loads(capsys.readouterr().out)}
    assert listed["demo"]["enabled"] is False
    assert listed["hiero"]["base-url"] == "https://hiero.org/"


def test_the_shipped_sources_are_valid(empty: Path, capsys: Capture) -> None:
    assert run(["sources", "validate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []


def test_every_problem_of_the_given_files_is_reported(empty: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(GOOD + "url-inlcude: /a\nmax-depth: -1\n")
    assert run(["sources", "validate", str(tmp_path / "good.yaml")]) == 0
    capsys.readouterr()
    assert run(["sources", "validate", str(tmp_path / "bad.yaml"), "--json"]) == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [problem["key"] for problem in problems] == ["url-inlcude", "max-depth"]
    assert problems[0]["hint"] == "did you mean url-include?"
    assert run(["sources", "validate", str(tmp_path / "gone.yaml")]) == 2
    assert "gone.yaml: cannot be read" in capsys.readouterr().err
    assert run(["sources", "validate", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("error:") == 2


def test_the_schema_is_printed_for_editors(capsys: Capture) -> None:
    assert run(["sources", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    keys = {name: set(schema["$defs"][name]["properties"]) for name in ("WebsiteSource", "FeedSource")}
    assert {one["$ref"].rpartition("/")[2] for one in schema["oneOf"]} == set(keys)
    assert "url-include" in keys["WebsiteSource"]
    assert "sitemap" not in keys["FeedSource"]


def test_a_reader_that_leaves_early_is_no_error(empty: Path) -> None:
    script = f"{sys.executable} -m contentbot sources schema | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
