from pathlib import Path

import pytest

from contentbot.state import PageState, PageStatus, State, open_state
from contentbot.state.memory import Memory

MILL = "https://mill.example"


@pytest.fixture
def state(tmp_path: Path):
    with open_state(f"sqlite:///{tmp_path}/state.db") as opened:
        yield opened


def run(state: State, number: int, *, extraction: str = "rules-1", identity: str = "index-1") -> Memory:
    return Memory(state.pages, "mill", f"run-{number}", extraction=extraction, identity=identity)


def page(path: str, reason: str = "", *, key: str = "") -> PageState:
    return PageState("mill", f"{MILL}/{path}", PageStatus.FAILED, reason=reason, document_key=key)


def first_run(state: State, *paths: str) -> None:
    run(state, 1).indexed([page(path, key=f"key-{path}") for path in paths], "index-1")


def keys(*paths: str) -> set[str]:
    return {f"key-{path}" for path in paths}


def test_page_is_current_only_in_the_same_index_and_under_the_same_rules(state: State):
    first_run(state, "a")
    known = run(state, 2).recall(f"{MILL}/a")
    assert run(state, 2).is_current(known)
    assert not run(state, 2, identity="index-2").is_current(known)
    assert not run(state, 2, identity="").is_current(known)
    assert not run(state, 2, extraction="rules-2").is_current(known)
    assert not run(state, 2).is_current(None)


def test_page_that_failed_is_not_current(state: State):
    first_run(state, "a")
    memory = run(state, 2)
    memory.left_out(page("a", "http_503"))
    assert not memory.is_current(memory.recall(f"{MILL}/a"))


def test_what_was_learnt_is_recalled_before_it_is_written(state: State):
    memory = run(state, 1)
    memory.left_out(page("a", "timeout"))
    assert memory.recall(f"{MILL}/a").reason == "timeout"  # type: ignore[union-attr]
    assert state.pages.get("mill", f"{MILL}/a") is None
    memory.flush()
    assert state.pages.get("mill", f"{MILL}/a").status is PageStatus.FAILED  # type: ignore[union-attr]


def test_page_that_is_not_listed_any_more_goes(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    removals = memory.removals(keys("a", "b"), complete=True)
    assert removals.keys == keys("b")
    memory.removed(removals)
    gone = state.pages.get("mill", f"{MILL}/b")
    assert gone is not None
    assert (gone.status, gone.reason, gone.document_key) == (PageStatus.GONE, "not_listed", "")
    assert gone.last_run == "run-1"
    assert state.pages.documents("mill") == 1


def test_page_that_is_listed_again_is_as_new(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    memory.removed(memory.removals(keys("a", "b"), complete=True))
    memory = run(state, 3)
    known = memory.recall(f"{MILL}/b")
    assert known is not None
    assert not memory.is_in_index(known)
    memory.indexed([page("b", key="key-b")], "index-1")
    assert state.pages.documents("mill") == 2


def test_reason_is_counted_and_dated_from_the_first_run_that_met_it(state: State):
    first_run(state, "a")
    for number in (2, 3, 4):
        memory = run(state, number)
        memory.left_out(page("a", "timeout"))
        memory.flush()
        known = state.pages.get("mill", f"{MILL}/a")
        assert known is not None
        assert known.misses == number - 1
        if number == 2:
            began = known.since
        assert known.since == began
        assert known.last_seen is not None
    assert known.last_seen > began
    run(state, 5).indexed([page("a", key="key-a")], "index-1")
    known = state.pages.get("mill", f"{MILL}/a")
    assert known is not None
    assert (known.misses, known.reason) == (0, "")
    assert known.since > began


def test_incomplete_run_removes_nothing_that_it_did_not_meet(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    assert memory.removals(keys("a", "b", "stranger"), complete=False).keys == frozenset()


@pytest.mark.parametrize("reason", ["http_503", "http_403", "timeout", "truncated", "robots_unreachable", "too_slow"])
def test_page_that_only_failed_stays_for_ever(state: State, reason: str):
    first_run(state, "a")
    for number in range(2, 6):
        memory = run(state, number)
        memory.left_out(page("a", reason))
        assert memory.removals(keys("a"), complete=True).keys == frozenset()


@pytest.mark.parametrize("reason", ["http_404", "empty_text"])
def test_page_that_seems_gone_goes_when_the_next_run_says_so_too(state: State, reason: str):
    first_run(state, "a")
    second, third = run(state, 2), run(state, 3)
    second.left_out(page("a", reason))
    assert second.removals(keys("a"), complete=True).keys == frozenset()
    third.left_out(page("a", reason))
    assert third.removals(keys("a"), complete=True).keys == keys("a")


def test_a_404_twice_in_one_run_counts_once(state: State):
    first_run(state, "a")
    for number, gone in enumerate([frozenset(), keys("a")], start=2):
        memory = run(state, number)
        memory.left_out(page("a", "http_404"))
        memory.flush()
        memory.left_out(page("a", "http_404"))
        assert memory.removals(keys("a"), complete=True).keys == gone


def test_error_between_two_404s_starts_the_count_anew(state: State):
    first_run(state, "a")
    for number, reason in enumerate(["http_404", "http_503", "http_404"], start=2):
        memory = run(state, number)
        memory.left_out(page("a", reason))
        assert memory.removals(keys("a"), complete=True).keys == frozenset()


def test_page_that_comes_back_forgets_its_misses(state: State):
    first_run(state, "a")
    run(state, 2).left_out(page("a", "http_404"))
    run(state, 3).indexed([page("a", key="key-a")], "index-1")
    memory = run(state, 4)
    memory.left_out(page("a", "http_404"))
    assert memory.removals(keys("a"), complete=True).keys == frozenset()


@pytest.mark.parametrize("reason", ["http_410", "noindex", "robots_disallowed"])
@pytest.mark.parametrize("complete", [True, False])
def test_what_is_said_outright_counts_at_once(state: State, reason: str, complete: bool):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.left_out(page("a", reason))
    removals = memory.removals(keys("a", "b"), complete=complete)
    assert keys("a") <= removals.keys
    memory.removed(removals)
    assert state.pages.get("mill", f"{MILL}/a").document_key == ""  # type: ignore[union-attr]


def test_document_that_another_page_stands_for_stays(state: State):
    run(state, 1).indexed([page("a", key="key-a"), page("a?print", key="key-a")], "index-1")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    removals = memory.removals(keys("a"), complete=True)
    assert removals.keys == frozenset()
    memory.removed(removals)
    assert [one.url for one in state.pages.with_document("mill")] == [f"{MILL}/a"]


def test_moved_page_leaves_no_document_behind(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.unchanged(page("b"))
    memory.indexed([page("a", key="key-new")], "index-1")
    assert memory.removals(keys("a", "b", "new"), complete=True).keys == keys("a")


def test_document_of_a_killed_run_that_no_page_knows_goes(state: State):
    first_run(state, "a")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    assert memory.removals({"key-a", "key-orphan"}, complete=True).keys == {"key-orphan"}


def test_page_whose_document_is_missing_is_not_trusted_from_the_start(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.distrust_missing(keys("a"))
    assert memory.is_in_index(memory.recall(f"{MILL}/a"))
    assert not memory.is_in_index(memory.recall(f"{MILL}/b"))


def test_document_that_the_index_lost_is_sent_again(state: State):
    first_run(state, "a", "b")
    memory = run(state, 2)
    memory.unchanged(page("a"))
    memory.unchanged(page("b"))
    removals = memory.removals(keys("a"), complete=True)
    assert (removals.keys, [one.url for one in removals.missing]) == (frozenset(), [f"{MILL}/b"])
    memory.removed(removals)
    assert not run(state, 3).is_current(run(state, 3).recall(f"{MILL}/b"))
    assert run(state, 3).is_current(run(state, 3).recall(f"{MILL}/a"))
