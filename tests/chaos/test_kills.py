"""A crawl is killed at a random moment, and one run after that the index is what the site is.

CHAOS_KILLS says how many kills there are (default 6, some 5 s each); CHAOS_SEED chooses other moments. The moments are
spread over the life of the process: while it starts, while it fetches, while the embedded writer commits, and while it
closes and deletes what is gone. Every third time there is no index yet.
"""

import itertools
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from tests.chaos.crawler import PATIENCE, Place, kill
from tests.chaos.town import Town
from tests.site.server import Website

KILLS = int(os.environ.get("CHAOS_KILLS", "6"))
SEED = int(os.environ.get("CHAOS_SEED", "1742"))
STREAMS = 2  # that tests running in parallel can share

Process = Popen[bytes]
Moment = Callable[[Process, Place, random.Random], None]


def while_it_starts(process: Process, place: Place, chance: random.Random) -> None:
    time.sleep(chance.uniform(0, 2))


def while_it_fetches(process: Process, place: Place, chance: random.Random) -> None:
    answers = len(place.town.site.asked) + chance.randint(1, len(place.town.listed))
    wait(process, lambda: len(place.town.site.asked) >= answers)
    time.sleep(chance.uniform(0, 0.1))


def while_it_commits(process: Process, place: Place, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 3)):
        wait(process, lambda: not place.is_writing())
        wait(process, place.is_writing)
    time.sleep(chance.uniform(0, 0.05))


def while_it_closes(process: Process, place: Place, chance: random.Random) -> None:
    answers = len(place.town.site.asked) + len(place.town.listed) + 2
    wait(process, lambda: len(place.town.site.asked) >= answers)
    time.sleep(chance.uniform(0, 1.5))


MOMENTS: tuple[Moment, ...] = (while_it_commits, while_it_closes, while_it_fetches, while_it_commits, while_it_starts)


def wait(process: Process, holds: Callable[[], bool]) -> None:
    """Wait for something that the process does, or for its end."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.002)


@pytest.mark.parametrize("stream", range(STREAMS))
def test_one_run_after_a_kill_the_index_is_what_the_site_is(website: Website, tmp_path: Path, stream: int) -> None:
    chance = random.Random(SEED + stream)
    place = Place(Town(website, chance), tmp_path)
    wanted, killed = len(range(stream, KILLS, STREAMS)), Counter[str]()
    for attempt in itertools.count(stream):
        if killed.total() == wanted:
            break
        assert attempt < 4 * KILLS, f"the runs end before they are killed: {killed}"
        if attempt % 3 == 0:
            shutil.rmtree(place.data, ignore_errors=True)
        moment = MOMENTS[attempt % len(MOMENTS)]
        process = place.start()
        try:
            moment(process, place, chance)
        finally:
            alive, writing = kill(process, place)
        killed[f"{moment.__name__}{' (writing)' * writing}"] += alive
        place.town.change()
        place.crawl()
        assert place.problems() == [], f"after a kill {moment.__name__}, attempt {attempt}\n{place.log()}"
        place.town.change()
    print(dict(killed), f"processes left: at most {max(place.survivors, default=0):.2f} s")
