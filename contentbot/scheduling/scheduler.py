"""Starts each source when it is due, in a process of its own."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from contentbot.scheduling.timetable import Entry

# seconds after which the timetable is read anew at the latest, so that a changed source file has its effect
LOOK_AGAIN = 30.0


@dataclass(frozen=True, slots=True)
class Started:
    """A crawl that has begun."""

    source: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a crawl ended; `run` is what `contentbot crawl --json` says of it, empty when it said nothing."""

    source: str
    at: datetime
    ok: bool
    error: str = ""
    run: dict[str, Any] = field(default_factory=dict)


def crawl_command(source: str) -> list[str]:
    """Return the command that crawls a source and prints its record."""
    return [sys.executable, "-m", "contentbot", "crawl", source, "--json"]


class Scheduler:
    """Crawls what is due, never two of one source or host side by side.

    A crawl that fails, or whose process dies, waits for its next time like one that succeeded, and stops no other.

    Args:
        timetable: what is scheduled now, asked for again and again.
        tell: told of every crawl that begins and ends.
        jobs: how many crawls run side by side at most.
        command: the program and its words for a source.
    """

    def __init__(
        self,
        timetable: Callable[[], Sequence[Entry]],
        tell: Callable[[Started | Outcome], None],
        *,
        jobs: int = 2,
        command: Callable[[str], list[str]] = crawl_command,
    ) -> None:
        self._timetable, self._tell, self._jobs, self._command = timetable, tell, jobs, command
        self._begun: dict[str, datetime] = {}
        self._running: dict[asyncio.Task[None], Entry] = {}
        self._processes: set[Process] = set()
        self._stops = 0
        self._stopped = asyncio.Event()
        self.outcomes: list[Outcome] = []

    async def run(self) -> None:
        """Crawl what is due until `stop` is called, then wait for what runs."""
        while not self._stops:
            entries = self._timetable()
            self._start([one for one in entries if self._due(one) <= _now()])
            await self._wait(self._seconds_until_next(entries))
        await self._settle()

    async def run_once(self) -> None:
        """Crawl what is due now, each source once, and wait for it."""
        waiting = [one for one in self._timetable() if self._due(one) <= _now()]
        while waiting and not self._stops:
            self._start(waiting)
            waiting = [one for one in waiting if one.source not in self._begun]
            await self._wait(None)
        await self._settle()

    def stop(self) -> None:
        """Start nothing more, and end what runs in order; called again, end it at once."""
        self._stops += 1
        self._stopped.set()
        for process in self._processes:
            self._end(process)

    def stop_on_signals(self) -> None:
        """Take SIGTERM and SIGINT as `stop`; called in the running loop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self.stop)

    def _due(self, entry: Entry) -> datetime:
        return entry.due(self._begun.get(entry.source))

    def _start(self, due: Sequence[Entry]) -> None:
        """Start what may run now: what has waited longest comes first."""
        for entry in sorted(due, key=self._due):
            busy = self._running.values()
            if len(busy) >= self._jobs:
                return
            if any(entry.source == one.source or not entry.hosts.isdisjoint(one.hosts) for one in busy):
                continue
            self._begun[entry.source] = _now()
            self._running[asyncio.create_task(self._crawl(entry.source))] = entry

    async def _crawl(self, source: str) -> None:
        self._tell(Started(source, _now()))
        try:
            # a session of its own: Ctrl-C reaches it through `stop`, once
            process = await asyncio.create_subprocess_exec(*self._command(source), stdout=PIPE, start_new_session=True)
        except OSError as error:
            outcome = Outcome(source, _now(), ok=False, error=f"it could not be started: {error}")
        else:
            outcome = await self._outcome(source, process)
        self.outcomes.append(outcome)
        self._tell(outcome)

    async def _outcome(self, source: str, process: Process) -> Outcome:
        self._processes.add(process)
        if self._stops:  # it came while the process was being started
            self._end(process)
        printed, _ = await process.communicate()
        self._processes.discard(process)
        code = process.returncode or 0
        run = _record(printed)
        return Outcome(source, _now(), ok=code == 0, error=_why(run, code) if code else "", run=run)

    def _end(self, process: Process) -> None:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM if self._stops == 1 else signal.SIGKILL)

    async def _wait(self, seconds: float | None) -> None:
        """Wait until a crawl ends, `stop` is called, or the time is over."""
        stopped = asyncio.create_task(self._stopped.wait())
        await asyncio.wait({stopped, *self._running}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for task in [task for task in self._running if task.done()]:
            del self._running[task]
            task.result()

    async def _settle(self) -> None:
        await asyncio.gather(*self._running)
        self._running.clear()

    def _seconds_until_next(self, entries: Sequence[Entry]) -> float:
        now = _now()
        # what is due and has to wait for others starts when one of them ends
        coming = [(due - now).total_seconds() for one in entries if (due := self._due(one)) > now]
        return min([LOOK_AGAIN, *coming])


def _now() -> datetime:
    return datetime.now(UTC)


def _record(printed: bytes) -> dict[str, Any]:
    try:
        (run,) = json.loads(printed)["sources"]
    except (ValueError, KeyError, TypeError):
        return {}
    return dict(run)


def _why(run: dict[str, Any], code: int) -> str:
    unread = [f"not read: {one['url']}: {one['reason']}" for one in run.get("failedSitemaps", [])]
    return ": ".join(filter(None, (run.get("finishReason"), run.get("error"), *unread[:1]))) or _exit(code)


def _exit(code: int) -> str:
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
