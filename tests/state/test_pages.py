from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from contentbot.state import PageState, PageStatus, State

URL = "https://mill.example/wheels"
WHEELS = PageState(
    source="mill",
    url=URL,
    status=PageStatus.INDEXED,
    final_url=URL,
    document_key="d" * 64,
    etag='"v1"',
    last_run="run-1",
    last_indexed=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)


def test_unknown_page_has_no_state(state: State):
    assert state.pages.get("mill", URL) is None
    assert state.pages.find(URL) == []


def test_page_comes_back_as_it_was_written(state: State):
    state.pages.put([WHEELS])
    found = state.pages.get("mill", URL)
    assert found is not None
    assert found.first_seen is not None
    assert found.since == found.first_seen
    assert found == replace(WHEELS, first_seen=found.first_seen, last_seen=found.last_seen, since=found.since)


def test_second_write_replaces_all_but_the_first_sighting(state: State):
    early = datetime(2020, 1, 1, tzinfo=UTC)
    state.pages.put([replace(WHEELS, first_seen=early, last_seen=early)])
    state.pages.put([replace(WHEELS, status=PageStatus.FAILED, reason="timeout", last_indexed=None)])
    found = state.pages.get("mill", URL)
    assert found is not None
    assert (found.status, found.reason, found.first_seen) == (PageStatus.FAILED, "timeout", early)
    assert found.last_seen is not None
    assert found.last_seen > early + timedelta(days=1)
    assert found.last_indexed == WHEELS.last_indexed


def test_one_url_is_known_to_each_source_apart(state: State):
    state.pages.put([WHEELS, replace(WHEELS, source="copy")])
    assert [one.source for one in state.pages.find(URL)] == ["copy", "mill"]
    assert state.pages.forget("copy") == 1
    assert [one.source for one in state.pages.find(URL)] == ["mill"]


def test_urls_of_any_length_and_letters_are_kept(state: State):
    urls = ["https://mill.example/" + "x" * 9000, "https://mill.example/größe?q=ä'\"\\", "https://mill.example/水車"]
    state.pages.put([replace(WHEELS, url=url, final_url=url) for url in urls])
    assert [[one.url for one in state.pages.ended_on("mill", url)] for url in urls] == [[url] for url in urls]
    assert [state.pages.get("mill", url).url for url in urls] == urls  # type: ignore[union-attr]


def test_pages_that_were_met_carry_the_run(state: State):
    others = [replace(WHEELS, url=f"{URL}/{number}") for number in range(2500)]
    state.pages.put([WHEELS, *others, replace(WHEELS, url=f"{URL}/empty", document_key="")])
    state.pages.mark_seen("mill", [one.url for one in others], "run-2")
    assert [one.url for one in state.pages.with_document("mill") if one.last_run != "run-2"] == [URL]
    assert state.pages.get("mill", others[0].url).status is PageStatus.INDEXED  # type: ignore[union-attr]


def test_pages_can_change_while_they_are_walked(state: State):
    state.pages.put([replace(WHEELS, url=f"{URL}/{number}") for number in range(1500)])
    for met, page in enumerate(state.pages.with_document("mill")):
        if met % 500 == 0:
            state.pages.forget("mill", [page.url])
    assert sum(1 for _ in state.pages.of_source("mill")) == 1497


def test_documents_are_counted_once_however_many_urls_lead_to_them(state: State):
    state.pages.put([WHEELS, replace(WHEELS, url=f"{URL}?print=1"), replace(WHEELS, url=f"{URL}/x", document_key="e")])
    assert state.pages.documents("mill") == 2
    assert [one.url for one in state.pages.of_document("mill", "d" * 64)] == [URL, f"{URL}?print=1"]
    assert state.pages.counts("mill") == {PageStatus.INDEXED: 3}


def test_another_process_sees_what_was_written(opened: Callable[[], State]):
    writer, reader = opened(), opened()
    writer.pages.put([WHEELS])
    assert reader.pages.get("mill", URL) is not None
