"""Every command that the documentation shows really runs, here and without the network.

`RUNNERS` is a closed list: a command that it does not know fails. Real sites are replaced by a served copy, ports by
free ones, and benchmarks are given less to do. Programs of others (`claude`, `codex`) are not installed here: of their
lines, the part that is ours is run.
"""

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from contentbot import cli
from contentbot.config import state_file
from contentbot.sources.loader import load_sources
from contentbot.state import open_state
from tests.contract.server import KEY, URL, given_server, own_server
from tests.deploy.files import check_docker
from tests.docs.conftest import Place, run, serving
from tests.docs.pages import ROOT, Block, blocks, commands
from tests.engine.standin import StandIn

PYTHON = "/path/to/contentbot/.venv/bin/python"
EXPECTED_OF_MAKE = {
    "run": ["pip install", "contentbot demo"],
    "test": ["pip install", "pytest"],
    "check": ["ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"],
}
# what a benchmark is given after the words of the line, so that it has little to do; the last one counts
FEWER = {
    "benchmarks/index.py": ["--documents", "100", "--url", ""],
    "benchmarks/search.py": ["--documents", "100", "--queries", "2"],
    "benchmarks/sitemaps.py": ["500"],
    "benchmarks/crawl.py": ["--rounds", "1", "--workers", "1"],
    "benchmarks/refresh.py": ["--workers", "1"],
    "benchmarks/extraction.py": [],
    "benchmarks/service.py": ["--pages", "4"],
    "benchmarks/fidelity.py": [],
    "benchmarks/summaries.py": [],
    "benchmarks/markdown.py": [],
    "benchmarks/guards.py": ["UTF-8 declared Latin-1", "--memory", "2"],
    "benchmarks/politeness.py": ["--hosts", "2", "--seconds", "2", "--rate", "5", "--crawl-delay", "0.5"],
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "docs", "version": "1"}},
}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}

Runner = Callable[[Sequence[str], Place, Path], str]


def make(words: Sequence[str], _place: Place, _folder: Path) -> str:
    (target,) = words
    # -B: also what an existing .venv has done already
    told = subprocess.run(["make", "-n", "-B", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [part for part in EXPECTED_OF_MAKE[target] if part not in told] == []
    return told


def activate(words: Sequence[str], _place: Place, _folder: Path) -> str:
    assert list(words) == [".venv/bin/activate"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "VENV   ?= .venv\n" in makefile
    return makefile


def scrapy(words: Sequence[str], place: Place, folder: Path) -> str:
    command, *more = words
    if command == "crawl":
        # before what the line says itself, which is to have its effect
        here = ["-a", f"base_url={place.origin}", "-a", "rate_limit=off", "-s", "CONTENTBOT_EXTRACT_WORKERS=1"]
        more = [more[0], *here, *(word.replace("http://127.0.0.1:8801", place.origin) for word in more[1:])]
    run("-m", "scrapy", command, *more, environment=place.environment(folder))
    if command != "crawl":
        return "done"
    with open_state(state_file(folder)) as state:
        (source,) = state.runs.sources()
        assert state.runs.latest(source)[0].counts["indexed"] >= 1
    return "done"


def extracted(words: Sequence[str], place: Place, folder: Path) -> str:
    there = [word.replace("https://open-elements.com", place.origin) for word in words]
    open_to = {"CONTENTBOT_FETCH_ALLOW_NETWORKS": "127.0.0.0/8"}
    return run("-m", "contentbot", "extract", *there, environment=place.environment(folder, **open_to))


def contentbot(words: Sequence[str], place: Place, folder: Path) -> str:
    command, *more = (word.replace("http://127.0.0.1:8801", place.origin) for word in words)
    if command in {"schedule", "keys"}:
        return scheduled(words, place, folder) if command == "schedule" else with_an_engine(words, place)
    if special := next((runner for word, runner in OF_FILES.items() if word in words), None):
        return special(words, place, folder)
    if command == "extract":
        return extracted(more, place, folder)
    if command in {"crawl", "try"} and "--base-url" not in more:
        more += ["--base-url", place.origin]
    if command == "crawl":
        more += ["--rate-limit", "off"] * ("--rate-limit" not in more)
        return run("-m", "contentbot", command, *more, environment=place.environment(folder))
    return inside([command, *more], place)


def with_an_engine(words: Sequence[str], place: Place) -> str:
    """Run the command with the master key of an engine that stands in for Meilisearch."""
    with StandIn("the-master-key") as engine:
        variables = {"CONTENTBOT_INDEX_URL": engine.url, "CONTENTBOT_INDEX_MASTER_KEY": engine.master}
        return run("-m", "contentbot", *words, environment=place.environment(**variables))


def first_file(words: Sequence[str], place: Place, folder: Path) -> str:
    """Look at the served copy of a site, and write the file where it does no harm."""
    output = [] if "--output" in words else ["--output", str(folder.parent / "first.yaml")]
    return inside([*words, "--base-url", place.origin, "--rate-limit", "off", *output], place)


def imported(words: Sequence[str], place: Place, folder: Path) -> str:
    """Import a list of feeds into a folder of its own."""
    folder.mkdir(parents=True)
    outline = '<outline text="A blog" xmlUrl="https://www.example.org/blog/feed.xml"/>'
    (folder / "feeds.opml").write_text(f"<opml version='2.0'><body>{outline}</body></opml>", encoding="utf-8")
    given = [word.replace("feeds.opml", str(folder / "feeds.opml")) for word in words]
    printed = inside([*given, "--output", str(folder / "sources")], place)
    assert len(load_sources(folder / "sources")) == 1
    return printed


def on_the_planet(words: Sequence[str], place: Place, folder: Path) -> str:
    """Run the command with the source of feeds that its page shows, of which a copy is served here."""
    sources = folder.parent / "planet"
    sources.mkdir()
    (shown,) = (block.text for block in blocks("yaml") if block.page == "docs/feeds.md")
    (sources / "planet.yaml").write_text(shown, encoding="utf-8")
    environment = place.environment(folder, CONTENTBOT_SOURCES_DIR=str(sources))
    return run("-m", "contentbot", *words, "--base-url", place.origin, environment=environment)


# commands that write source files, or need one of their own, by a word of theirs
OF_FILES: dict[str, Runner] = {"init": first_file, "import-opml": imported, "planet": on_the_planet}


def scheduled(words: Sequence[str], place: Place, folder: Path) -> str:
    """Run the scheduler for one site, which is served here and due now."""
    sources = scheduled_site(place, folder)
    environment = place.environment(folder, CONTENTBOT_SOURCES_DIR=str(sources))
    return run("-m", "contentbot", *words, environment=environment)


def scheduled_site(place: Place, folder: Path, more: str = "refresh-cron: '15 * * * *'\n") -> Path:
    sources = folder.parent / "sources"
    sources.mkdir()
    file = f"id: here\ntype: website\nbase-url: {place.origin}\nrate-limit: off\n{more}"
    (sources / "here.yaml").write_text(file, encoding="utf-8")
    return sources


def inside(words: Sequence[str], place: Place) -> str:
    """Run the command in this process, and return what it printed."""
    printed, said = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        for name, value in place.environment().items():
            patch.setenv(name, value)
        code = cli.run(list(words))
    assert code == 0, said.getvalue()
    # a check of files has nothing to answer: it says on the way what it did
    return said.getvalue() if "validate" in words else printed.getvalue()


def python(words: Sequence[str], place: Place, folder: Path) -> str:
    if list(words[:2]) == ["-m", "mcp_server"]:
        return over_http(words[2:], place) if "--http" in words else over_stdio(words[2:], place)
    if list(words[:2]) == ["-m", "pytest"]:
        return run(*words, "--collect-only", "-q", "-n", "0", environment=os.environ)
    stand_ins = {"SITE": place.origin, "FOLDER": str(ROOT / "contentbot" / "demo" / "site")}
    script, *more = (stand_ins.get(word, word) for word in words)
    if script == "benchmarks/extraction.py":
        more = [str(set_of_one_page(folder))]
    if script == "benchmarks/fidelity.py":
        more = [str(one) for one in export_and_truth(place, folder)]
    if script == "benchmarks/summaries.py":
        more = [str(export_and_truth(place, folder)[0])]
    if script == "benchmarks/engines.py":
        return both_engines(more, place, folder)
    return run(script, *more, *FEWER[script], environment=place.environment(folder))


def both_engines(words: Sequence[str], place: Place, folder: Path) -> str:
    """Compare the engines where there is a server; where there is none, the line is compared with the help."""
    if (server := given_server() or own_server()) is None:
        told = run("benchmarks/engines.py", "--help", environment=os.environ)
        assert all(word in told for word in words if word.startswith("--"))
        return told
    try:
        environment = place.environment(folder, CONTENTBOT_INDEX_KEY=server.key)
        export = str(export_and_truth(place, folder)[0])
        return run("benchmarks/engines.py", export, "--url", server.url, environment=environment)
    finally:
        if not given_server():
            server.remove()


def set_of_one_page(folder: Path) -> Path:
    page = folder / "set" / "html" / "mill.html"
    page.parent.mkdir(parents=True)
    page.write_text("<title>The mill</title><main><p>A mill grinds corn.</p></main>", encoding="utf-8")
    gold = {"mill": {"url": "https://mill.example/", "text": "A mill grinds corn.", "title": "The mill"}}
    (folder / "set" / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    return folder / "set"


def export_and_truth(place: Place, folder: Path) -> tuple[Path, Path]:
    exported = inside(["export", "--source", "open-elements"], place)
    documents = [json.loads(line) for line in exported.splitlines()]
    truth = [
        {"url": one["url"], "title": one["title"], "date": one["publishedDate"], "author": "", "locale": one["locale"],
         "categories": [], "body_markdown": one["body"]}
        for one in documents
    ]  # fmt: skip
    files = folder / "export.jsonl", folder / "truth.jsonl"
    folder.mkdir(exist_ok=True)
    files[0].write_text(exported, encoding="utf-8")
    files[1].write_text("".join(json.dumps(row) + "\n" for row in truth), encoding="utf-8")
    return files


def over_stdio(options: Sequence[str], place: Place) -> str:
    """Start the server as an agent does, and return what it answers."""
    lines = "".join(json.dumps(message) + "\n" for message in (HELLO, LIST))
    # the demo's index of a user stands for the one that is here
    options = [word.replace("tantivy:data/demo/index", f"tantivy:{place.data / 'index'}") for word in options]
    done = subprocess.run(
        [sys.executable, "-m", "mcp_server", *options],
        input=lines, env={**os.environ, **place.environment()}, cwd=ROOT, capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    assert ("extract_batch" if "extraction" in options else "search_content") in done.stdout.splitlines()[-1]
    return done.stdout


def over_http(options: Sequence[str], place: Place) -> str:
    with serving(options, place) as endpoint:
        names = [options[at + 1] for at, word in enumerate(options) if word == "--allowed-host"]
        answers = [post(endpoint, LIST, {"Host": name} if name else {}) for name in ["", *names]]
    assert all("search_content" in answer for answer in answers)
    return answers[0]


def post(url: str, message: object, headers: dict[str, str]) -> str:
    asked = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(message).encode(), asked)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text: str = answer.read().decode()
    return text


def agent(words: Sequence[str], place: Place, _folder: Path) -> str:
    assert list(words[:2]) == ["mcp", "add"]
    assert {"contentbot", "contentbot-extract"} & set(words[2:])
    if "--" in words:
        program, *arguments = words[list(words).index("--") + 1 :]
        assert (program, arguments[:2]) == (PYTHON, ["-m", "mcp_server"])
        return over_stdio(arguments[2:], place)
    path = words[-1].removeprefix("http://127.0.0.1:8000")
    assert path in ("/mcp", "/extract")
    return post(place.endpoint.removesuffix("/mcp") + path, LIST, {})


def curl(words: Sequence[str], place: Place, _folder: Path) -> str:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-H", default="X-None: 1")
    parser.add_argument("-d")
    given = parser.parse_args(list(words))
    name, value = given.H.split(": ")
    url = given.url.replace("http://127.0.0.1:8000", place.endpoint.removesuffix("/mcp"))
    request = urllib.request.Request(url, given.d.encode() if given.d else None, {name: value})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text: str = answer.read().decode()
    assert "error" not in json.loads(text)
    return text


def docker(words: Sequence[str], _place: Place, _folder: Path) -> str:
    # there is no docker engine here: what the line says is compared with the files
    check_docker(words)
    return "checked"


def export(words: Sequence[str], _place: Place, _folder: Path) -> str:
    """Check that a variable is one of ours; `test_reference` has the list."""
    ((name, _, value),) = [word.partition("=") for word in words]
    assert name.startswith("CONTENTBOT_")
    assert value
    return value


def copied(words: Sequence[str], _place: Place, _folder: Path) -> str:
    file, to = words
    assert f"/{to}" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    return (ROOT / file).read_text(encoding="utf-8")


RUNNERS: dict[str, Runner] = {
    "cp": copied,
    "docker": docker,
    "export": export,
    "make": make,
    ".": activate,
    "scrapy": scrapy,
    "contentbot": contentbot,
    "python": python,
    "claude": agent,
    "codex": agent,
    "curl": curl,
}


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_documentation_works(command: str, place: Place, tmp_path: Path) -> None:
    line, _, target = command.partition(" > ")
    program, *words = shlex.split(line)
    while re.fullmatch(r"[A-Z_]+=\S+", program):
        assert program.partition("=")[0] in {URL, KEY}
        program, *words = words
    assert program in RUNNERS, "no test knows how to run this"
    if program == "make" and not shutil.which("make"):
        pytest.fail("the documentation needs make")
    printed = RUNNERS[program](words, place, tmp_path / "data")
    assert printed.strip()
    if "--json" in words:
        told = json.loads(printed)
        assert told.get("hits", True), "it is to find something"
    if target:
        assert [json.loads(printed)] if target.endswith(".json") else [*map(json.loads, printed.splitlines())]


@pytest.mark.parametrize("block", [pytest.param(block, id=block.page) for block in blocks("cron")])
def test_a_schedule_runs_a_command_that_works(block: Block, place: Place, tmp_path: Path) -> None:
    (line,) = block.text.splitlines()
    entry = re.fullmatch(r"((?:[\d*/,-]+ ){5})cd /path/to/contentbot && \.venv/bin/contentbot (.+) > data/\S+", line)
    assert entry
    # without names it crawls what is enabled: here one site, which is served here
    sources = scheduled_site(place, tmp_path / "data", "")
    environment = place.environment(tmp_path / "data", CONTENTBOT_SOURCES_DIR=str(sources))
    told = json.loads(run("-m", "contentbot", *shlex.split(entry[2]), environment=environment))
    assert told["ok"]


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_an_example_in_python_runs(number: int, place: Place, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    for name, value in place.environment().items():
        monkeypatch.setenv(name, value)
    exec(compile(blocks("python")[number].text, "example", "exec"), {})
    assert capsys.readouterr().out.strip()
