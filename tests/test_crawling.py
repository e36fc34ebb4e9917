"""Crawls from Python and from the command line: in processes of their own, as they are used."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from contentbot.config import state_file
from contentbot.crawling import Job, lanes
from contentbot.index import open_index
from contentbot.runs import RunRecord
from contentbot.sources.models import WebsiteSource
from contentbot.state import open_state
from tests.site.server import Answer, Website

ROOT = Path(__file__).parent.parent


def _source(name: str, base: str, *hosts: str) -> WebsiteSource:
    return WebsiteSource.model_validate({"id": name, "type": "website", "base-url": base, "hosts": list(hosts)})


def test_jobs_that_share_a_host_are_crawled_one_after_the_other() -> None:
    sources = [
        _source("blog", "https://mill.example/blog"),
        _source("other", "https://other.example"),
        _source("shop", "https://www.mill.example/shop"),
        _source("both", "https://third.example", "other.example", "mill.example:8080"),
        _source("alone", "https://alone.example"),
    ]
    assert [[job.source.id for job in lane] for lane in lanes(Job(source) for source in sources)] == [
        ["blog", "shop", "other", "both"],
        ["alone"],
    ]


@pytest.fixture
def environment(website: Website, tmp_path: Path) -> dict[str, str]:
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, base in (
        ("mill", "https://mill.example"),
        ("twin", "https://mill.example/twin"),
        ("far", "https://far.example"),
    ):
        (sources / f"{name}.yaml").write_text(
            f"id: {name}\ntype: website\nbase-url: {base}\nsitemaps: /{name}.xml\nurl-include: /{name}/**\n"
        )
        website.sitemap(f"/{name}.xml", f"/{name}/a", f"/{name}/b")
        for page in "ab":
            website.page(f"/{name}/{page}")
    folders = {"CONTENTBOT_SOURCES_DIR": str(sources), "CONTENTBOT_DATA_DIR": str(tmp_path / "data")}
    return {**os.environ, **folders, "PYTHONPATH": str(ROOT)}


def _scrapy(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments],
        check=False,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def _runs(tmp_path: Path, source: str) -> list[RunRecord]:
    with open_state(state_file(tmp_path / "data")) as state:
        return state.runs.latest(source)


def _documents(tmp_path: Path, source: str) -> int:
    with open_index(f"tantivy:{tmp_path / 'data' / 'index'}", read_only=True) as index:
        return len(index.keys(source))


def test_scrapy_lists_and_crawls_a_source_by_its_own_name_and_by_the_spider_for_all(
    website: Website, environment: dict[str, str], tmp_path: Path
) -> None:
    assert _scrapy(environment, "list").stdout.split() == ["far", "mill", "twin"]
    there = ["-a", f"base_url={website.origin}", "-a", "rate_limit=off"]
    first = _scrapy(environment, "crawl", "mill", *there)
    second = _scrapy(environment, "crawl", "site", "-a", "source=mill", *there)
    again, record = _runs(tmp_path, "mill")
    assert (first.returncode, second.returncode) == (0, 0)
    assert record.counts["listed"] == again.counts["listed"]
    assert record.counts["indexed"] == again.counts["unchanged"] == _documents(tmp_path, "mill") == 2
    assert "mill: finished" in first.stderr
    assert "2 documents" in first.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mil"], "did you mean 'mill'?"),
        (["site"], "Add -a source=ID"),
        (["mill", "-a", "ratelimit=off"], "did you mean rate-limit?"),
    ],
)
def test_a_wrong_request_is_answered_in_a_line_before_anything_is_fetched(
    website: Website, environment: dict[str, str], arguments: list[str], message: str
) -> None:
    refused = _scrapy(environment, "crawl", *arguments)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not website.asked


SCRIPT = """
import json, sys
from pathlib import Path
from contentbot.config import get_settings
from contentbot.crawling import Job, run_jobs
from contentbot.sources.loader import load_sources

if __name__ == "__main__":
    seen = []
    sources = load_sources(get_settings().sources_dir).values()
    arguments = {"base_url": sys.argv[1], "rate_limit": "off"}
    records = run_jobs([Job(source, arguments) for source in sources], on_progress=seen.append)
    last = {progress.source: progress for progress in seen}
    print(json.dumps({
        "records": [json.loads(record.model_dump_json()) for name, record in sorted(records.items())],
        "finished": [each.source for each in last.values() if each.finished and each.done == each.known],
    }))
"""


def test_several_sources_are_crawled_in_one_process_and_each_is_reported(
    website: Website, environment: dict[str, str], tmp_path: Path
) -> None:
    website.answer("/twin.xml", Answer(status=404))
    script = tmp_path / "crawl.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script), website.origin],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "interrupt" not in done.stderr, "nothing was"
    told = json.loads(done.stdout)
    assert [(record["source"], record["counts"].get("indexed", 0)) for record in told["records"]] == [
        ("far", 2),
        ("mill", 2),
        ("twin", 0),
    ]
    assert [record["discovery_complete"] for record in told["records"]] == [True, True, False]
    assert sorted(told["finished"]) == ["far", "mill", "twin"]
    assert _documents(tmp_path, "far") == _documents(tmp_path, "mill") == 2


def test_an_interrupted_crawl_keeps_what_it_has_and_says_that_it_was_stopped(
    website: Website, environment: dict[str, str], tmp_path: Path
) -> None:
    paths = [f"/mill/{number}" for number in range(100)]
    website.sitemap("/mill.xml", *paths)
    ready = threading.Event()
    for path in paths:
        website.page(path)
    website.answer(paths[30], lambda _: ready.set() or Answer(b"late", 404, delay=0.5))
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "mill",
        "-a",
        f"base_url={website.origin}",
        "-a",
        "rate_limit=25",
    ]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert ready.wait(60)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    (record,) = _runs(tmp_path, "mill")
    assert record.finish_reason == "shutdown"
    assert not record.discovery_complete
    assert 0 < record.counts["indexed"] < 100
    assert _documents(tmp_path, "mill") == record.counts["indexed"]
    assert "Traceback" not in told


def test_a_second_process_is_refused_as_long_as_the_first_one_lives(
    website: Website, environment: dict[str, str], tmp_path: Path
) -> None:
    under_way, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> Answer:
        under_way.set()
        go_on.wait(60)
        return Answer(b"late", 404)

    website.answer("/mill/b", wait)
    there = ["-a", f"base_url={website.origin}", "-a", "rate_limit=off"]
    holder = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "mill", *there], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL
    )
    with holder:
        assert under_way.wait(60)
        asked = len(website.asked)
        same, twin = (_scrapy(environment, "crawl", name, *there) for name in ("mill", "twin"))
        assert len(website.asked) == asked, "a refused crawl asks for nothing"
        holder.kill()
    go_on.set()
    host = website.origin.removeprefix("http://")
    for refused in (same, twin):
        assert refused.returncode == 1
        assert f"{host} is being crawled by process {holder.pid} since " in refused.stderr
        assert "wait for it or stop it" in refused.stderr
        assert "Traceback" not in refused.stderr
    website.page("/mill/b")
    assert _scrapy(environment, "crawl", "mill", *there).returncode == 0
    assert _runs(tmp_path, "mill")[0].succeeded
