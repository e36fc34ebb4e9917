"""The search engine fails in the middle of a crawl: nothing is lost, and nothing is there twice.

On a stand-in for Meilisearch whatever can go wrong with a request; on the real one, where there is a program for it, a
process that is stopped for a while, ended, or killed while it indexes. CHAOS_SECONDS says for how long (default 3),
CHAOS_ROUNDS how often (default 1), CHAOS_SEED chooses other moments.
"""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentbot.state.outbox import counted
from tests.chaos.crawler import PATIENCE, Place
from tests.chaos.test_kills import wait
from tests.chaos.town import Town
from tests.contract.server import ABSENT, OwnServer, own_server
from tests.engine.standin import Request, StandIn, Trouble
from tests.site.server import Website

SECONDS = float(os.environ.get("CHAOS_SECONDS", "3"))
ROUNDS = int(os.environ.get("CHAOS_ROUNDS", "1"))
SEED = int(os.environ.get("CHAOS_SEED", "1742"))


@pytest.fixture
def town(website: Website) -> Town:
    return Town(website, random.Random(SEED))


@pytest.fixture
def engine() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


def twice(engine: StandIn) -> list[str]:
    """Return what is wrong with the records: documents of one address, and sections that no document has."""
    documents, sections = engine.documents(), engine.documents("content_chunks")
    urls = [one["url"] for one in documents]
    wrong = [f"twice: {url}" for url in {*urls} if urls.count(url) > 1]
    keys = {one["key"] for one in documents}
    return wrong + [f"left behind: {one['id']}" for one in sections if one.get("key") not in keys]


TROUBLES = (
    Trouble(status=503),
    Trouble(status=429),
    Trouble(status=408),
    Trouble(drop=True),
    Trouble(drop=True, done=True),
    Trouble(status=502, done=True),
)


def test_requests_that_fail_now_and_then_are_repeated(town: Town, tmp_path: Path, engine: StandIn) -> None:
    place = Place(town, tmp_path, server=engine.url, searchable=False)
    met: list[Trouble] = []

    def every_third(request: Request) -> Trouble | None:
        if request.number % 3:
            return None
        met.append(TROUBLES[len(met) % len(TROUBLES)])
        return met[-1]

    engine.trouble = every_third
    record = place.crawl()
    assert record.succeeded, place.log()
    assert record.counts.get("kept_for_later", 0) == 0
    assert {*met} == {*TROUBLES}
    engine.trouble = lambda _: None
    assert (place.problems(), twice(engine)) == ([], [])


@pytest.mark.parametrize("after", [5, 25])
def test_documents_wait_while_there_is_no_answer(town: Town, tmp_path: Path, engine: StandIn, after: int) -> None:
    place = Place(town, tmp_path, server=engine.url, searchable=False)
    engine.trouble = lambda request: Trouble(drop=True) if request.number > after else None
    record = place.crawl()
    assert record.finish_reason == "index_away", place.log()
    waiting, aside = counted(place.data / "outbox.db")["town"]
    assert (waiting, aside) == (record.counts["kept_for_later"], 0)
    assert waiting + len(engine.documents()) >= len(town.texts)
    engine.trouble = lambda _: None
    town.change()
    assert place.crawl().counts["delivered_late"] == waiting
    assert (place.problems(), twice(engine)) == ([], [])


@pytest.fixture
def meilisearch(monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnServer]:
    """A real engine that may be ended as one likes."""
    own = own_server()
    if own is None:
        pytest.skip(ABSENT)
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", own.key)
    yield own
    if own.process:
        own.process.send_signal(signal.SIGCONT)
    own.remove()


def stopped(server: OwnServer, _chance: random.Random) -> None:
    """It answers nothing for a while, and goes on as if nothing had been."""
    assert server.process
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(SECONDS)
    server.process.send_signal(signal.SIGCONT)


def ended(server: OwnServer, _chance: random.Random) -> None:
    """It is asked to end, and started again after a while."""
    assert server.process
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(PATIENCE)
    time.sleep(SECONDS)
    server.start()


def killed(server: OwnServer, chance: random.Random) -> None:
    """It is killed without warning, in the middle of a task, and started again at once."""
    connection = server.connection()
    deadline = time.monotonic() + PATIENCE
    while not connection.ask(lambda client: client.get_tasks({"statuses": "enqueued,processing"})).total:
        assert time.monotonic() < deadline, "it never indexed"
    connection.close()
    time.sleep(chance.uniform(0, 0.02))
    server.kill()
    server.start()


@pytest.mark.parametrize("harm", [stopped, ended, killed])
def test_one_run_after_the_engine_was_harmed_the_index_is_what_the_site_is(
    town: Town, tmp_path: Path, meilisearch: OwnServer, harm: Callable[[OwnServer, random.Random], None]
) -> None:
    chance = random.Random(SEED)
    place = Place(town, tmp_path, server=meilisearch.url)
    for _ in range(ROUNDS):
        answers = len(town.site.asked) + chance.randint(5, len(town.listed) // 2)
        process = place.start()
        wait(process, lambda: len(town.site.asked) >= answers)  # noqa: B023 - used before the next round
        harm(meilisearch, chance)
        process.wait(PATIENCE)
        assert place.crawl().succeeded, place.log()
        assert place.problems() == []
        town.change()
