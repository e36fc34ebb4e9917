"""Every line of a log says which run it belongs to, in JSON where machines read it, and tells no secret."""

import asyncio
import contextvars
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import DropItem

from contentbot.errors import NoContent
from contentbot.extensions.logformatter import ShortLogFormatter
from contentbot.logs import JsonFormatter, enter_run, formatter_for, redacted
from tests.site.server import Website

ROOT = Path(__file__).parent.parent


def record(message: str, *args: Any, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord("contentbot.x", logging.WARNING, __file__, 1, message, args, None)
    made.__dict__.update(more)
    return made


def as_json(one: logging.LogRecord) -> dict[str, Any]:
    line = JsonFormatter().format(one)
    assert "\n" not in line
    told: dict[str, Any] = json.loads(line)
    return told


def test_a_line_has_what_is_known_and_nothing_else() -> None:
    told = as_json(record("a %s\nof %d", "wheel", 2))
    assert told.pop("time").endswith("+00:00")
    assert told == {"level": "WARNING", "logger": "contentbot.x", "message": "a wheel\nof 2"}


def test_page_and_reason_are_fields_of_their_own() -> None:
    error = DropItem("gone")
    error.__cause__ = NoContent("empty_text", "nothing left")
    item = SimpleNamespace(url="https://mill.example/a")
    line = ShortLogFormatter().dropped(item, error, None, None)  # type: ignore[arg-type]
    told = as_json(record(line["msg"], line["args"]))
    assert (told["url"], told["reason"]) == ("https://mill.example/a", "empty_text")
    crawled = as_json(record("Crawled %(request)s", {"request": Request("https://mill.example/b")}))
    assert crawled["url"] == "https://mill.example/b"


def test_a_traceback_stays_in_its_line() -> None:
    try:
        json.loads("\udcff")
    except ValueError:
        told = as_json(record("fault", exc_info=sys.exc_info()))
    assert told["traceback"].startswith("Traceback")


@pytest.mark.parametrize(
    "text",
    [
        "cannot reach postgresql://crawler:s3cr3t@db.example/state",
        "cannot reach http://s3cr3t@search.example:7700/",
        "{'api_key': 's3cr3t', 'a': 1}",
        "https://search.example/?token=s3cr3t&q=mill",
        "Authorization: Bearer s3cr3t",
        "password=s3cr3t",
    ],
)
@pytest.mark.parametrize("kind", ["text", "json"])
def test_no_secret_is_told(text: str, kind: str) -> None:
    assert "s3cr3t" not in formatter_for(kind).format(record("failed: %s", text))
    assert "***" in redacted(text)


@pytest.mark.parametrize(
    "text", ["https://mill.example/@ada", "2 tokens, one secret garden", "mailto:ada@mill.example"]
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


def test_runs_that_go_on_side_by_side_keep_their_lines_apart() -> None:
    async def crawl(name: str) -> list[str]:
        enter_run(name, f"{name}-1")
        await asyncio.sleep(0)
        inner = asyncio.create_task(asyncio.to_thread(formatter_for("text").format, record("in a thread")))
        return [formatter_for("text").format(record("here")), await inner]

    async def both() -> list[list[str]]:
        return await asyncio.gather(crawl("mill"), crawl("shop"))

    lines = contextvars.copy_context().run(asyncio.run, both())
    assert [[re.search(r"\[(.*)\]", line)[1] for line in each] for each in lines] == [["mill-1"] * 2, ["shop-1"] * 2]  # type: ignore[index]
    assert "[" not in formatter_for("text").format(record("outside of any run"))


@pytest.fixture
def environment(website: Website, tmp_path: Path) -> dict[str, str]:
    sources = tmp_path / "sources"
    sources.mkdir()
    website.sitemap("/sitemap.xml", "/a", "/empty")
    website.page("/a")
    website.page("/empty", "<html><title>x</title></html>")
    for name, host in (("mill", "127.0.0.1"), ("shop", "localhost")):
        base = website.origin.replace("127.0.0.1", host)
        (sources / f"{name}.yaml").write_text(
            f"id: {name}\ntype: website\nbase-url: {base}\nsitemaps: /sitemap.xml\nrate-limit: off\n"
        )
    folders = {"CONTENTBOT_SOURCES_DIR": str(sources), "CONTENTBOT_DATA_DIR": str(tmp_path / "data")}
    return {**os.environ, **folders, "PYTHONPATH": str(ROOT)}


def call(environment: dict[str, str], *arguments: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env={**environment, **changes}, input="", capture_output=True,
        text=True, timeout=120, check=True,
    )  # fmt: skip


def test_scrapy_crawl_logs_json_from_the_first_line_to_the_last(environment: dict[str, str]) -> None:
    options = ["-L", "DEBUG", "-s", "CONTENTBOT_EXTRACT_WORKERS=1"]
    done = call(environment, "scrapy", "crawl", "mill", *options, CONTENTBOT_LOG_FORMAT="json")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    (skipped,) = [line for line in lines if line["message"].startswith("Skipped")]
    assert skipped["url"].endswith("/empty")
    assert skipped["reason"] == "empty_text"
    assert (skipped["source"], skipped["run"].rpartition("-")[0]) == ("mill", "mill")
    (summary,) = [line for line in lines if line["message"].startswith("mill: finished")]
    assert summary["run"] == skipped["run"]


def test_contentbot_crawl_names_the_run_and_the_mcp_server_speaks_json(environment: dict[str, str]) -> None:
    done = call(environment, "contentbot", "crawl", "--verbose")
    for name in ("mill", "shop"):
        assert re.search(rf"INFO contentbot\S+: \[{name}-\d+T[\d.]+Z\] {name}: finished", done.stderr)
    told = call(environment, "mcp_server", CONTENTBOT_LOG_FORMAT="json", CONTENTBOT_MCP_PROT="1").stderr
    lines = [json.loads(line) for line in told.splitlines()]
    assert "CONTENTBOT_MCP_PROT is no setting (did you mean CONTENTBOT_MCP_PORT?)" in [one["message"] for one in lines]
