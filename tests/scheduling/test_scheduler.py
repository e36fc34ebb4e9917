"""The scheduler with real processes: small scripts where only their order counts, real crawls in test_schedule."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contentbot.scheduling import Entry, Outcome, Scheduler, Started
from contentbot.sources.cron import Cron

RECORD = """import json, sys; print(json.dumps({"sources": [{"counts": {"indexed": 3}}]}))"""
Script = Callable[[str], list[str]]


def entries(*names: str, host: str = "", cron: str = "0 0 1 1 *") -> list[Entry]:
    return [Entry(name, Cron(cron), frozenset({host or f"{name}.example"}), None) for name in names]


def scripts(**by_source: str) -> Script:
    return lambda source: [sys.executable, "-c", by_source.get(source, RECORD)]


def once(table: Sequence[Entry], command: Script, jobs: int = 9) -> tuple[list[Started | Outcome], list[Outcome]]:
    told = list[Started | Outcome]()

    async def work() -> Scheduler:
        scheduler = Scheduler(lambda: table, told.append, jobs=jobs, command=command)
        await asyncio.wait_for(scheduler.run_once(), 60)
        return scheduler

    return told, asyncio.run(work()).outcomes


def test_everything_that_is_due_is_crawled_once() -> None:
    _, outcomes = once(entries("barn", "mill"), scripts())
    assert sorted(one.source for one in outcomes) == ["barn", "mill"]
    assert all(one.ok and one.run["counts"] == {"indexed": 3} for one in outcomes)


def test_what_was_crawled_since_it_was_due_is_left_alone() -> None:
    fresh = Entry("mill", Cron("0 0 1 1 *"), frozenset(), datetime.now(UTC) + timedelta(seconds=1))
    assert once([fresh], scripts()) == ([], [])


@pytest.mark.parametrize(("host", "jobs"), [("shared.example", 9), ("", 1)])
def test_sources_of_one_host_or_over_the_limit_are_crawled_one_after_the_other(host: str, jobs: int) -> None:
    told, _ = once(entries("ash", "elm", "oak", host=host), scripts(), jobs)
    assert [type(event) for event in told] == [Started, Outcome] * 3
    assert [told[at].source for at in (0, 2, 4)] == [told[at].source for at in (1, 3, 5)]


def test_sources_of_different_hosts_are_crawled_side_by_side(tmp_path: Path) -> None:
    # each waits for the other: one after the other they would never end
    meet = (
        f"import pathlib, sys, time; p = pathlib.Path({str(tmp_path)!r}); (p / sys.argv[1]).touch()\n"
        f"while len(list(p.iterdir())) < 2: time.sleep(0.01)"
    )
    _, outcomes = once(entries("ash", "elm"), lambda source: [sys.executable, "-c", meet, source])
    assert [one.ok for one in outcomes] == [True, True]


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by SIGKILL"),
        ("raise SystemExit(3)", "exit code 3"),
        ("print('no JSON'); raise SystemExit(1)", "exit code 1"),
        ('print(\'{"sources": [{"error": "the site is away"}]}\'); raise SystemExit(1)', "the site is away"),
        ('print(\'{"sources": [{"finishReason": "index_away"}]}\'); raise SystemExit(1)', "index_away"),
    ],
)
def test_a_crawl_that_fails_or_dies_stops_no_other(script: str, error: str) -> None:
    _, outcomes = once(entries("ash", "elm"), scripts(ash=script), jobs=1)
    assert {one.source: one.error for one in outcomes} == {"ash": error, "elm": ""}


def test_a_command_that_cannot_be_started_is_an_outcome_too() -> None:
    _, (outcome,) = once(entries("ash"), lambda _: ["/nowhere/python"])
    assert not outcome.ok
    assert "could not be started" in outcome.error


def test_a_stop_ends_what_runs_in_order_and_starts_nothing_more() -> None:
    told = list[Started | Outcome]()
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('{\"sources\": [{}]}'), sys.exit(0)))\n"
        "print(flush=True); time.sleep(60)"
    )

    async def work() -> None:
        scheduler = Scheduler(lambda: entries("ash", "elm"), told.append, jobs=1, command=scripts(ash=script))
        running = asyncio.create_task(scheduler.run())
        while not scheduler._processes:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)  # the script is to have its handler; without it SIGTERM ends it too
        scheduler.stop()
        await asyncio.wait_for(running, 60)

    asyncio.run(work())
    assert [event.source for event in told] == ["ash", "ash"]


def test_a_second_stop_ends_what_will_not_end() -> None:
    told = list[Started | Outcome]()
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"

    async def work() -> None:
        scheduler = Scheduler(lambda: entries("ash"), told.append, command=scripts(ash=stubborn))
        running = asyncio.create_task(scheduler.run())
        while not scheduler._processes:
            await asyncio.sleep(0.01)
        scheduler.stop()
        scheduler.stop()
        await asyncio.wait_for(running, 60)

    asyncio.run(work())
    assert isinstance(told[-1], Outcome)
    assert told[-1].error in {"ended by SIGKILL", "ended by SIGTERM"}


def test_a_source_that_is_added_later_is_crawled_without_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contentbot.scheduling.scheduler.LOOK_AGAIN", 0.01)
    told, table = list[Started | Outcome](), list[Entry]()

    async def work() -> None:
        scheduler = Scheduler(lambda: table, told.append, command=scripts())
        running = asyncio.create_task(scheduler.run())
        await asyncio.sleep(0.05)
        assert told == []
        table.extend(entries("ash"))
        while not scheduler.outcomes:
            await asyncio.sleep(0.01)
        scheduler.stop()
        await asyncio.wait_for(running, 60)

    asyncio.run(work())
    assert [event.source for event in told] == ["ash", "ash"]
