"""Extraction in worker processes: a page that hangs or crashes its worker costs that page only."""

import multiprocessing
import os
import resource
import signal
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from pebble import ProcessExpired, ProcessPool

from contentbot.documents import ContentDocument, Page
from contentbot.errors import ExtractionError, LimitExceeded
from contentbot.extract.extractor import extract
from contentbot.extract.rules import ExtractRules


class ExtractionPool:
    """A pool of extraction workers.

    Args:
        workers: processes; by default one per CPU.
        max_pages: pages after which a worker is replaced.
        max_pending: pages that may wait or run at once; `submit` blocks when they are reached.
    """

    def __init__(self, workers: int = 0, *, max_pages: int = 500, max_pending: int = 256) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._slots = threading.BoundedSemaphore(max_pending)
        self._pool = ProcessPool(
            max_workers=self.workers,
            max_tasks=max_pages,
            initializer=_start_worker,
            context=multiprocessing.get_context("forkserver"),
        )

    def submit(self, page: Page, rules: ExtractRules) -> "Future[ContentDocument]":
        """Extract a page in a worker; the future gives the document or raises an `ExtractionError`."""
        self._slots.acquire()
        outcome: Future[ContentDocument] = Future()
        outcome.set_running_or_notify_cancel()
        inner = self._pool.schedule(_work, args=(page, rules), timeout=rules.limits.max_seconds)
        inner.add_done_callback(lambda done: self._settle(done, outcome, rules))
        return outcome

    def _settle(self, done: "Future[Any]", outcome: "Future[ContentDocument]", rules: ExtractRules) -> None:
        self._slots.release()
        try:
            outcome.set_result(done.result())
        except ExtractionError as error:
            outcome.set_exception(error)
        except FutureTimeout:
            outcome.set_exception(LimitExceeded("too_slow", f"over {rules.limits.max_seconds:g} s"))
        except ProcessExpired as error:
            outcome.set_exception(ExtractionError("crashed", f"the worker ended with {error.exitcode}"))

    def close(self) -> None:
        """Stop the workers; pages that still wait are not extracted."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # pebble leaves it untyped
        self._pool.join()

    def __enter__(self) -> "ExtractionPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _start_worker() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(page: Page, rules: ExtractRules) -> ContentDocument:
    return extract(page, rules)
