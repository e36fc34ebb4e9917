"""`contentbot schedule`, with real crawls of a served site."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from contentbot.cli import run
from contentbot.config import state_file
from contentbot.state import open_state
from tests.cli.conftest import ROOT, call, environment_for
from tests.site.server import Answer, Asked, Website, article

SOURCE = "id: {name}\ntype: website\nbase-url: {origin}\nsitemaps: /sitemap.xml\nrate-limit: off\n{more}"


@pytest.fixture
def place(website: Website, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A served site, and two sources of it of which one has a schedule."""
    website.sitemap("/sitemap.xml", "/wheel")
    website.page("/wheel")
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, more in {"barn": "", "mill": "refresh-cron: '0 4 1 1 *'\n"}.items():
        (sources / f"{name}.yaml").write_text(SOURCE.format(name=name, origin=website.origin, more=more))
    environment = environment_for(tmp_path / "data", sources)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return environment


def test_what_is_due_is_crawled_once_and_then_no_more(
    place: dict[str, str], website: Website, capsys: pytest.CaptureFixture[str]
) -> None:
    first = call("schedule", "--once", "--json", environment=place)
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert told["ok"]
    assert [(one["source"], one["run"]["counts"]["indexed"]) for one in told["runs"]] == [("mill", 1)]
    asked = len(website.asked)

    assert run(["schedule", "--once"]) == 0
    assert "nothing is due" in capsys.readouterr().err
    assert len(website.asked) == asked

    assert run(["schedule", "--list", "--json"]) == 0
    (mill,) = json.loads(capsys.readouterr().out)["sources"]
    assert (mill["source"], mill["refreshCron"], mill["due"]) == ("mill", "0 4 1 1 *", False)
    assert mill["nextRun"].endswith("-01-01T04:00:00+00:00")
    assert mill["lastRun"]


def test_sigterm_ends_the_scheduler_and_its_crawl_in_order(place: dict[str, str], website: Website) -> None:
    reached, opened = threading.Event(), threading.Event()

    def held(_: Asked) -> Answer:
        reached.set()
        opened.wait(60)
        return Answer(article("/wheel").encode())

    website.answer("/wheel", held)
    command = [sys.executable, "-m", "contentbot", "schedule", "--json"]
    with subprocess.Popen(
        command, env={**os.environ, **place}, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as scheduler:
        assert reached.wait(60)
        scheduler.send_signal(signal.SIGTERM)
        opened.set()
        printed, _ = scheduler.communicate(timeout=60)
    assert scheduler.returncode == 0
    started, ended = map(json.loads, printed.splitlines())
    assert (started["event"], ended["event"]) == ("started", "finished")
    assert ended["run"]["finishReason"] == "shutdown"
    with open_state(state_file(Path(place["CONTENTBOT_DATA_DIR"]))) as state:
        assert state.runs.latest("mill")[0].finish_reason == "shutdown"


def test_a_crawl_that_fails_is_told_and_waits_for_its_next_time(
    place: dict[str, str], website: Website, capsys: pytest.CaptureFixture[str]
) -> None:
    website.answer("/sitemap.xml", Answer(status=404))
    done = call("schedule", "--once", environment=place)
    assert done.returncode == 1
    assert f"mill: failed: finished: not read: {website.origin}/sitemap.xml: http_404" in done.stdout
    assert run(["schedule", "--list"]) == 0
    assert "now" not in capsys.readouterr().out


def test_a_person_sees_what_is_due_now(place: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schedule", "--list"]) == 0
    shown = capsys.readouterr().out
    assert "never" in shown
    assert "now" in shown
    assert "barn" not in shown


def test_without_a_schedule_it_says_what_to_write(place: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    (Path(place["CONTENTBOT_SOURCES_DIR"]) / "mill.yaml").unlink()
    assert run(["schedule"]) == 2
    assert "refresh-cron: '15 * * * *'" in capsys.readouterr().err


def test_two_ways_at_once_are_refused(place: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schedule", "--once", "--list"]) == 2
    assert "exclude one another" in capsys.readouterr().err
