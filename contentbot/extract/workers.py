"""Extraction in worker processes: a page that hangs or crashes its worker costs that page only."""

import importlib
import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from contentbot.documents import ContentDocument, Page
from contentbot.errors import ExtractionError, LimitExceeded
from contentbot.extract.extractor import extract
from contentbot.extract.rules import ExtractRules

# of address space above what a started worker has; the largest page that is allowed needs about a third of it
MEMORY = 1 << 30
# how long after a page's time a worker ends itself, when nobody is left to end it
GRACE = 5
_WARM = "contentbot.extract.warm"

Result = TypeVar("Result")


@dataclass(slots=True)
class _Job:
    """A page on its way; it is tried again once when the whole pool broke down, which need not be its fault."""

    page: Page
    rules: ExtractRules
    how: Callable[[Page, ExtractRules], Any]
    outcome: "Future[Any]" = field(default_factory=Future)
    retried: bool = False

    def fail(self, error: ExtractionError) -> None:
        # closing the pool and the last worker's answer may meet
        with suppress(InvalidStateError):
            self.outcome.set_exception(error)


class ExtractionPool:
    """A pool of extraction workers. Use it as a context manager, or call `close`.

    Workers are forked from a server process of their own, which has none of the caller's threads and state: a reactor
    in the caller does no harm. They leave ^C to the caller, and end when it ends, however it does.

    Args:
        workers: processes; 0 means one per CPU that this process may use.
        max_pages: pages after which a worker is replaced, so that no leak of a library adds up.
        max_pending: pages that may wait or run at once. `submit` blocks its caller when they are reached; a caller
            that must not block stays below it.
        memory: bytes of address space that a worker may take for its pages (Linux only).
    """

    def __init__(self, workers: int = 0, *, max_pages: int = 500, max_pending: int = 256, memory: int = MEMORY) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))
        self.max_pending = max_pending
        self._max_pages, self._memory = max_pages, memory
        self._slots = threading.BoundedSemaphore(max_pending)
        self._lock = threading.Lock()
        self._jobs: set[Future[Any]] = set()
        self._closed = False
        self._pool = self._start()

    def submit(self, page: Page, rules: ExtractRules) -> "Future[ContentDocument]":
        """Extract a page in a worker; see `run`."""
        return self.run(extract, page, rules)

    def run(self, how: Callable[[Page, ExtractRules], Result], page: Page, rules: ExtractRules) -> "Future[Result]":
        """Read a page in a worker, by `extract` or another function that a module has by name.

        The future gives what the function returns, or raises an `ExtractionError`: what `extract` raises; `too_slow` or
        `too_much_memory` for a page over those limits; `crashed` for one that ended its worker or met a fault of the
        extractor; `closed` when the pool was closed before the page's turn.
        """
        self._slots.acquire()
        job = _Job(page, rules, how)
        job.outcome.set_running_or_notify_cancel()
        self._jobs.add(job.outcome)
        job.outcome.add_done_callback(self._forget)
        self._schedule(job)
        return job.outcome

    def close(self) -> None:
        """End the workers at once; pages that still wait are not extracted."""
        with self._lock:
            self._closed = True
        _end(self._pool)
        for outcome in list(self._jobs):
            with suppress(InvalidStateError):
                outcome.set_exception(_closed())

    def __enter__(self) -> "ExtractionPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget(self, outcome: "Future[Any]") -> None:
        self._jobs.discard(outcome)
        self._slots.release()

    def _start(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self.workers,
            max_tasks=self._max_pages,
            initializer=_start_worker,
            initargs=(self._memory,),
            context=_context(),
        )

    def _schedule(self, job: _Job) -> None:
        with self._lock:
            if self._closed:
                inner = None
            else:
                if not self._pool.active:
                    threading.Thread(target=_end, args=(self._pool,), daemon=True).start()
                    self._pool = self._start()
                inner = self._pool.schedule(
                    _work, args=(job.how, job.page, job.rules), timeout=job.rules.limits.max_seconds
                )
        if inner is None:
            job.fail(_closed())
        else:
            inner.add_done_callback(lambda done: self._settle(done, job))

    def _settle(self, done: "Future[Any]", job: _Job) -> None:
        try:
            result = done.result()
        except (BrokenProcessPool, CancelledError) as error:
            self._retry(job, error)
        except BaseException as error:
            # a pool that is stopped while it hands out pages fails in ways of its own
            job.fail(_translated(error, job.rules) if not self._closed else _closed())
        else:
            with suppress(InvalidStateError):
                job.outcome.set_result(result)

    def _retry(self, job: _Job, error: BaseException) -> None:
        if job.retried or self._closed:
            job.fail(_closed() if self._closed else ExtractionError("crashed", str(error)))
            return
        job.retried = True
        # this runs in a thread of the broken pool, which has to end before a new one can begin
        threading.Thread(target=self._schedule, args=(job,), daemon=True).start()


def _translated(error: BaseException, rules: ExtractRules) -> ExtractionError:
    match error:
        case ExtractionError():
            return error
        case FutureTimeout():
            return LimitExceeded("too_slow", f"over the limit of {rules.limits.max_seconds:g} s")
        case ProcessExpired():
            return ExtractionError("crashed", f"the worker ended with exit code {error.exitcode}")
    return ExtractionError("crashed", f"{type(error).__name__}: {error}")


def _closed() -> ExtractionError:
    return ExtractionError("closed", "the workers were stopped before the page's turn")


def _context() -> BaseContext:
    context = multiprocessing.get_context("forkserver")
    # loaded once, in the server: a new worker starts in milliseconds and shares the memory
    context.set_forkserver_preload([__name__, _WARM])
    return context


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]  # pebble leaves it untyped
    pool.join()


def _start_worker(memory: int) -> None:
    # pebble's handler is one in Python, which a parser busy in C would not come to run
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    importlib.import_module(_WARM)
    _limit_memory(memory)


def _limit_memory(memory: int) -> None:
    if sys.platform != "linux":
        return
    in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = in_use + memory
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _work(how: Callable[[Page, ExtractRules], Result], page: Page, rules: ExtractRules) -> Result:
    """Read a page in a worker; whatever goes wrong is the page's error."""
    # the signal's default action ends the process even inside C code: the last resort when the caller was killed
    signal.setitimer(signal.ITIMER_REAL, rules.limits.max_seconds + GRACE)
    try:
        return how(page, rules)
    except MemoryError as error:
        raise LimitExceeded("too_much_memory", "the page needs more memory than a worker may take") from error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
