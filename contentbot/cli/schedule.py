"""`contentbot schedule`."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from contentbot.cli.console import AsJson, complain, note, out, print_json, print_json_line, say, table
from contentbot.cli.shared import declared_sources
from contentbot.config import get_settings
from contentbot.errors import ConfigError, ContentBotError
from contentbot.scheduling import Entry, Outcome, Scheduler, Started, timetable
from contentbot.scheduling.written import SCRAPYD, crontab, scrapyd_conf
from contentbot.state import State, open_state

_COLUMNS = ("source", "refresh-cron", "last run", "next run")


def schedule(
    once: Annotated[bool, typer.Option("--once", help="Crawl what is due since its last run, and end.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Only show when each source is crawled next.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many sources are crawled side by side at most.")] = 2,
    conf: Annotated[
        bool, typer.Option("--scrapyd-conf", help="Only print the schedules for scrapyd.conf, as scrapyduler reads it.")
    ] = False,
    cron: Annotated[
        bool, typer.Option("--crontab", help="Only print the schedules for cron, which then asks scrapyd.")
    ] = False,
    scrapyd: Annotated[str, typer.Option(help="Where scrapyd is, for --crontab.")] = SCRAPYD,
    as_json: AsJson = False,
) -> None:
    """Crawl every source when its refresh-cron says so, until SIGTERM or Ctrl-C; a second one ends it at once.

    Times are UTC. A source that was never crawled is due at once, and one that missed several times is crawled once.
    """
    if once + list_ + conf + cron > 1:
        raise ConfigError("--once, --list, --scrapyd-conf and --crontab exclude one another", hint="name one")
    with open_state(get_settings().state_url) as state:
        times = Timetable(state)
        if not times():
            hint = "add one to a source file, such as refresh-cron: '15 * * * *'"
            raise ConfigError("no enabled source has a refresh-cron", hint=hint)
        if list_:
            _show(times(), as_json=as_json)
        elif conf or cron:
            _print(scrapyd_conf(times()) if conf else crontab(times(), scrapyd), as_json=as_json)
        else:
            _run(times, jobs, once=once, as_json=as_json)


class Timetable:
    """Reads source files and history at every call; while they cannot be read, what was read last holds."""

    def __init__(self, state: State) -> None:
        self._state, self._read, self._problem = state, list[Entry](), ""
        self._read = self._now()

    def __call__(self) -> list[Entry]:
        """Return what is scheduled now."""
        try:
            self._read, self._problem = self._now(), ""
        except ContentBotError as error:
            if str(error) != self._problem:
                complain(str(error))
            self._problem = str(error)
        return self._read

    def _now(self) -> list[Entry]:
        return timetable(declared_sources().values(), self._last)

    def _last(self, source: str) -> datetime | None:
        runs = self._state.runs.latest(source, 1)
        return runs[0].started if runs else None


def _run(times: Callable[[], Sequence[Entry]], jobs: int, *, once: bool, as_json: bool) -> None:
    """Run the scheduler; `--once` exits with 1 when a crawl failed, and answers in one JSON document."""
    tell = _tell_nothing if once and as_json else _tell_json if as_json else _tell

    async def work() -> Scheduler:
        scheduler = Scheduler(times, tell, jobs=jobs)
        scheduler.stop_on_signals()
        await (scheduler.run_once() if once else scheduler.run())
        return scheduler

    outcomes = asyncio.run(work()).outcomes
    if not once:
        return
    ok = all(one.ok for one in outcomes)
    if as_json:
        print_json({"ok": ok, "runs": [_as_data(one) for one in outcomes]})
    elif not outcomes:
        note("nothing is due")
    if not ok:
        raise typer.Exit(1)


def _tell(event: Started | Outcome) -> None:
    say(f"{event.at:%Y-%m-%dT%H:%M:%SZ} {event.source}: {_words(event)}")
    sys.stdout.flush()


def _words(event: Started | Outcome) -> str:
    if isinstance(event, Started):
        return "started"
    counts = event.run.get("counts", {})
    done = ", ".join(f"{counts.get(name, 0)} {name}" for name in ("indexed", "unchanged", "deleted"))
    return f"finished: {done}" if event.ok else f"failed: {event.error}"


def _tell_json(event: Started | Outcome) -> None:
    print_json_line(_as_data(event))


def _tell_nothing(_: Started | Outcome) -> None:
    pass


def _as_data(event: Started | Outcome) -> dict[str, Any]:
    data = {"source": event.source, "at": event.at.isoformat(timespec="seconds")}
    if isinstance(event, Started):
        return {"event": "started", **data}
    return {"event": "finished", **data, "ok": event.ok, "error": event.error, "run": event.run}


def _print(text: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"text": text})
    else:
        sys.stdout.write(text)


def _show(entries: Sequence[Entry], *, as_json: bool) -> None:
    now = datetime.now(UTC)
    rows = [(one.source, one.cron.text, one.last, max(one.due(), now)) for one in entries]
    if as_json:
        shown = [
            {"source": name, "refreshCron": text, "lastRun": _stamp(last), "nextRun": _stamp(due), "due": due == now}
            for name, text, last, due in rows
        ]
        print_json({"sources": shown})
        return
    cells = [
        (name, text, _stamp(last) or "never", "now" if due == now else _stamp(due)) for name, text, last, due in rows
    ]
    out.print(table(_COLUMNS, cells))


def _stamp(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
