"""Extraction in worker processes, with real ones."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contentbot.errors import ExtractionError, LimitExceeded, NoContent
from contentbot.extract import Limits
from contentbot.extract.workers import ExtractionPool
from tests.extract.pages import page, rules

PATIENCE = 120
GOOD = page("<main><p>Text of a page</p></main>")
# seconds of work, within every limit but the one of time
SLOW = page("<div>" + "<p>A word, <a href=/x>a link</a> and <em>more words</em>.</p>" * 30_000 + "</div>")


@pytest.fixture(scope="module")
def pool() -> Iterator[ExtractionPool]:
    with ExtractionPool(1) as pool:
        yield pool


def workers() -> list[psutil.Process]:
    """The pool's worker processes: children of the server that they are forked from."""
    own = psutil.Process()
    return [child for child in own.children(recursive=True) if child.ppid() != own.pid]


def until(holds) -> None:
    """Wait for something that happens in another process."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def test_a_worker_gives_the_document_back(pool: ExtractionPool):
    assert pool.submit(GOOD, rules()).result(PATIENCE).plain_text == "Text of a page"


def test_the_reason_of_a_page_without_a_document_survives_the_way_back(pool: ExtractionPool):
    with pytest.raises(NoContent) as error:
        pool.submit(page("<p> </p>"), rules()).result(PATIENCE)
    assert error.value.reason == "empty_text"


def test_a_page_over_its_time_is_ended_and_the_next_one_is_read(pool: ExtractionPool):
    slow = pool.submit(SLOW, rules(limits=Limits(max_seconds=0.01)))
    good = pool.submit(GOOD, rules())
    with pytest.raises(LimitExceeded) as error:
        slow.result(PATIENCE)
    assert (error.value.reason, error.value.detail) == ("too_slow", "over the limit of 0.01 s")
    assert good.result(PATIENCE).plain_text == "Text of a page"


def test_a_worker_that_dies_costs_its_page_only(pool: ExtractionPool):
    pool.submit(GOOD, rules()).result(PATIENCE)
    doomed = pool.submit(SLOW, rules())
    until(lambda: any(worker.cpu_percent(0.05) > 20 for worker in workers()))
    for worker in workers():
        worker.send_signal(signal.SIGSEGV)
    with pytest.raises(ExtractionError, match="crashed"):
        doomed.result(PATIENCE)
    assert pool.submit(GOOD, rules()).result(PATIENCE).plain_text == "Text of a page"


def test_workers_that_die_while_they_wait_are_replaced(pool: ExtractionPool):
    pool.submit(GOOD, rules()).result(PATIENCE)
    for worker in workers():
        worker.kill()
    assert pool.submit(GOOD, rules()).result(PATIENCE).plain_text == "Text of a page"


def test_a_page_over_the_memory_limit_costs_that_page_only():
    heavy = page("<p>" + "&amp; <b>x</b> " * 200_000)
    with ExtractionPool(1, memory=48 << 20) as pool:
        with pytest.raises(ExtractionError) as error:
            pool.submit(heavy, rules(limits=Limits(max_nodes=10**6))).result(PATIENCE)
        assert error.value.reason in {"too_much_memory", "crashed"}
        assert pool.submit(GOOD, rules()).result(PATIENCE).plain_text == "Text of a page"


def test_a_worker_is_replaced_after_its_share_of_pages():
    with ExtractionPool(1, max_pages=2) as pool:
        futures = [pool.submit(GOOD, rules()) for _ in range(7)]
        assert {future.result(PATIENCE).plain_text for future in futures} == {"Text of a page"}


def test_closing_leaves_no_process_and_nobody_waiting():
    before = workers()
    pool = ExtractionPool(1)
    futures = [pool.submit(SLOW, rules()) for _ in range(3)]
    until(lambda: len(workers()) > len(before))
    mine = [worker for worker in workers() if worker not in before]
    pool.close()
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in mine)
    for future in futures:
        with pytest.raises(ExtractionError, match="closed"):
            future.result(PATIENCE)
    with pytest.raises(ExtractionError, match="closed"):
        pool.submit(GOOD, rules()).result(PATIENCE)


def test_no_worker_outlives_a_caller_that_is_killed(tmp_path: Path):
    script = tmp_path / "caller.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, time
            from contentbot.extract.workers import ExtractionPool
            from tests.extract.pages import page, rules

            if __name__ == "__main__":
                pool = ExtractionPool(1)
                pool.submit(page("<p>Text</p>"), rules()).result()
                print("ready", flush=True)
                time.sleep(600)
            """
        ),
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    caller = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert caller.stdout is not None
        assert caller.stdout.readline() == "ready\n"
        started = psutil.Process(caller.pid).children(recursive=True)
        assert started
    finally:
        caller.kill()
        caller.wait()
        caller.stdout.close()
    until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in started))
