"""What is written stays, is seen by every process, and is never seen in half."""

import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contentbot.access import PUBLIC
from contentbot.errors import EngineRefused
from contentbot.index import Index, open_index
from contentbot.index.query import SearchRequest
from tests.contract.differences import WRITES_IN_TWO_STEPS
from tests.contract.documents import document
from tests.contract.test_search import names, search
from tests.contract.writer import BATCH

ROOT = Path(__file__).resolve().parent.parent.parent
ODD_NAMES = ["a b", 'q"uote', "back\\slash", "ü/ö?ä=1#x", "日本", "x" * 3_000, "'; DROP", "%2F", "*", "a:b"]


def writer(url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contract.writer", url], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def next_round(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def killed(process: subprocess.Popen[str]) -> list[int]:
    """Kill the process and return the rounds that it announced and nobody had read."""
    process.kill()
    rest, _ = process.communicate()
    return [int(line) for line in rest.split("\n")[:-1]]


def test_documents_are_there_after_reopening(index_url: str) -> None:
    with open_index(index_url) as index:
        index.upsert([document("page", body="wheel")])
        identity = index.settings().identity
    with open_index(index_url, read_only=True) as index:
        assert names(search(index, "wheel")) == ["page"]
        assert index.settings().identity == identity != ""


def test_a_reader_sees_what_another_process_writes_without_being_reopened(index_url: str) -> None:
    with open_index(index_url, read_only=True) as reader:
        assert search(reader, "wheel").total == 0
        assert reader.settings().identity == ""
        process = writer(index_url)
        try:
            first = next_round(process)
            counts = reader.facets("category", principal=PUBLIC)
            assert sum(counts.values()) == BATCH
            assert int(next(iter(counts)).removeprefix("round")) >= first
            later = max(next_round(process) for _ in range(3))
            assert int(next(iter(reader.facets("category", principal=PUBLIC))).removeprefix("round")) >= later
        finally:
            killed(process)


def test_a_killed_writer_loses_nothing_it_announced_and_leaves_no_half_batch(index_url: str, engine: str) -> None:
    draw = random.Random(7)
    for _ in range(8):
        process = writer(index_url)
        announced = next_round(process)
        time.sleep(draw.uniform(0, 0.08))
        announced = max([announced, *killed(process)])
        with open_index(index_url, read_only=True) as index:
            ((name, count),) = index.facets("category", principal=PUBLIC).items()
            assert count == BATCH
            assert int(name.removeprefix("round")) >= announced
            written = int(name.removeprefix("round"))
            may_be = [written, written - 1] if engine in WRITES_IN_TWO_STEPS else [written]
            assert BATCH in whole_batches(index, may_be)
            assert search(index, "", limit=0).total == BATCH
    with open_index(index_url) as index:
        index.upsert([document("after", body="still writable")])
        assert search(index, "writable").total == 1


def whole_batches(index: Index, rounds: list[int]) -> set[int]:
    """Return how many sections of these rounds are found, asked twice: a write may be just about to be seen."""
    results = [search(index, f"round{number} ", limit=BATCH) for _ in range(2) for number in rounds]
    assert all(result.total == len(result.hits) for result in results)
    return {result.total for result in results}


def test_the_identity_stays_until_the_content_starts_anew(index: Index) -> None:
    index.upsert([document("a")])
    first = index.settings().identity
    index.upsert([document("b")])
    assert index.settings().identity == first
    staged = index.staging()
    staged.upsert([document("c")])
    index.swap(staged)
    assert index.settings().identity not in {first, ""}


def test_writing_the_same_twice_changes_nothing(index: Index) -> None:
    stored = [document(f"p{number}", body="## A\n\nwheel\n\n## B\n\nwheel") for number in range(5)]
    index.upsert(stored)
    before = search(index, "wheel")
    index.upsert([*stored, *stored])
    after = search(index, "wheel")
    assert (after.total, names(after)) == (before.total, names(before))


def test_a_document_that_became_shorter_leaves_no_section_behind(index: Index) -> None:
    index.upsert([document("page", body="\n\n".join(f"## S{n}\n\nwheel" for n in range(9)))])
    index.upsert([document("page", body="nothing")])
    assert search(index, "wheel").total == 0


def test_deleting_takes_documents_with_all_their_sections(index: Index) -> None:
    kept, gone = document("kept", body="wheel"), document("gone", body="## A\n\nwheel\n\n## B\n\nwheel")
    index.upsert([kept, gone])
    assert index.delete({gone.key, "no such key"}) == 1
    assert index.delete([]) == 0
    assert index.keys("mill") == {kept.key}
    assert names(search(index, "wheel")) == ["kept"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_ids_and_keys_may_hold_any_characters(index: Index, name: str) -> None:
    odd = document("x", id=name, key=f"key {name}", url=f"https://mill.example/{name}", body="wheel")
    index.upsert([document("ok", body="wheel"), odd])
    assert index.get(name, principal=PUBLIC) == odd
    assert index.keys("mill") == {odd.key, document("ok").key}
    assert search(index, "wheel").total == 2
    assert index.delete([odd.key]) == 1


def test_a_document_of_broken_characters_costs_no_batch(index: Index) -> None:
    index.upsert([document("broken", "Half \ud83d emoji", "wheel \udc00 \x00"), document("good", body="wheel")])
    assert search(index, "wheel").total == 2
    assert index.get("mill:broken", principal=PUBLIC).title == "Half \ufffd emoji"


def test_ten_thousand_documents_in_one_batch(index: Index) -> None:
    index.upsert([document(f"p{number}", body=f"number{number} wheel") for number in range(10_000)])
    result = search(index, "wheel ", offset=9_990, limit=10)
    assert (result.total, len(result.hits)) == (10_000, 10)
    assert names(search(index, "number9876 "))[0] == "p9876"
    assert len(index.keys("mill")) == 10_000


def test_what_is_staged_is_seen_only_after_the_swap_and_then_at_once(index: Index, index_url: str) -> None:
    index.upsert([document("old", body="wheel"), document("kept", body="wheel")])
    with open_index(index_url, read_only=True) as reader:
        staged = index.staging()
        staged.upsert([document("kept", body="wheel"), document("new", body="wheel")])
        assert sorted(names(search(reader, "wheel"))) == ["kept", "old"]
        index.swap(staged)
        for seen in (reader, index):
            assert sorted(names(search(seen, "wheel"))) == ["kept", "new"]
    index.upsert([document("later", body="wheel")])
    assert search(index, "wheel").total == 3


def test_a_read_only_index_refuses_writes(index_url: str) -> None:
    with open_index(index_url, read_only=True) as index:
        for write in (lambda: index.upsert([document("a")]), lambda: index.delete(["a"]), index.staging):
            with pytest.raises(EngineRefused, match="read-only"):
                write()


def test_many_threads_search_while_one_writes(index: Index) -> None:
    index.upsert([document(f"p{number}", body="wheel round0") for number in range(20)])
    done = threading.Event()

    def read(_: int) -> set[int]:
        totals = set()
        while not done.is_set():
            result = index.search(SearchRequest("wheel ", facets=("category",)), principal=PUBLIC)
            totals.add(result.total)
        return totals

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, number) for number in range(4)]
        for turn in range(6):
            index.upsert([document(f"p{number}", body=f"wheel round{turn}") for number in range(20)])
        done.set()
        assert set().union(*(reader.result() for reader in readers)) == {20}
