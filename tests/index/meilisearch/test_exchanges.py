"""What is said to a real server, recorded: see `exchanges.py`."""

import re
from typing import Any

import pytest
from pydantic import SecretStr

from contentbot.errors import EngineRefused
from contentbot.index.backend import Answer, Entry, Question
from contentbot.index.chunking import chunks_of
from contentbot.index.meilisearch.address import Names
from contentbot.index.meilisearch.backend import MeilisearchBackend
from contentbot.index.meilisearch.connection import Connection
from contentbot.index.meilisearch.layout import CUTOFF_MS
from contentbot.index.query import EVERYTHING
from tests.contract.documents import document
from tests.index.meilisearch.conftest import NOWHERE, PREFIX, Recorded
from tests.index.meilisearch.exchanges import Exchange, Recorder, Replay

NAMES = Names.live(PREFIX)
PAGE = document("page", "A page", "## One\n\nThe wheel.\n\n## Two\n\nThe weir.", categories=["Wood"])
SHORTER = document("page", "A page", "## One\n\nThe wheel.", categories=["Wood"])
SEARCH = "search"


def backend(connection: Connection) -> MeilisearchBackend:
    return MeilisearchBackend(connection, NAMES)


def entries(*pages: Any) -> list[Entry]:
    return [Entry(page, chunks_of(page)) for page in pages]


def sent(connection: Connection, method: str, path: str) -> list[Any]:
    """Return what the requests of this kind said, in their order."""
    return [
        each["sent"] for each in exchanges_of(connection) if re.fullmatch(rf"{method} /{path}(?:\?.*)?", each["ask"])
    ]


def exchanges_of(connection: Connection) -> list[Exchange]:
    assert isinstance(connection._adapter, Recorder | Replay)
    return connection._adapter.exchanges


def test_the_first_write_sets_both_indexes_up_and_the_next_only_writes(recorded: Recorded) -> None:
    connection = recorded("first-write")
    backend(connection).upsert(entries(PAGE))
    backend(connection).upsert(entries(PAGE))
    assert [one["uid"] for one in sent(connection, "POST", "indexes")] == [NAMES.documents, NAMES.chunks]
    assert len(sent(connection, "PATCH", "indexes/.*/settings")) == 2
    written = sent(connection, "POST", f"indexes/{NAMES.documents}/documents")
    assert written[0] == {"key": "identity", "identity": "5ca1ab1e" * 4, "schemaVersion": 1}
    assert [one["id"] for one in written[1:]] == [PAGE.id] * 2


def test_a_setting_that_differs_is_sent_alone(recorded: Recorded) -> None:
    connection = recorded("changed-setting")
    backend(connection).upsert(entries(PAGE))
    task = connection.ask(lambda client: client.index(NAMES.chunks).update_settings({"searchCutoffMs": 5}))
    connection.finish([task])
    backend(connection).upsert(entries(PAGE))
    changes = sent(connection, "PATCH", "indexes/.*/settings")
    assert changes[2:] == [{"searchCutoffMs": 5}, {"searchCutoffMs": CUTOFF_MS}]


def test_sections_that_are_no_more_are_emptied_with_the_write_and_removed_after_it(recorded: Recorded) -> None:
    connection = recorded("shorter-document")
    backend(connection).upsert(entries(PAGE))
    backend(connection).upsert(entries(SHORTER))
    _, long, short = sent(connection, "POST", f"indexes/{NAMES.chunks}/documents")
    assert [one["id"] for one in long] == [one["id"] for one in short] == [f"{PAGE.key}-0", f"{PAGE.key}-1"]
    assert short[1] == {"id": f"{PAGE.key}-1"}
    assert sent(connection, "POST", f"indexes/{NAMES.chunks}/documents/delete-batch") == [[f"{PAGE.key}-1"]]


def test_a_search_asks_three_times_and_answers_in_full(recorded: Recorded) -> None:
    connection = recorded(SEARCH)
    backend(connection).upsert(entries(PAGE, document("other")))
    before = len(exchanges_of(connection)) if isinstance(connection._adapter, Recorder) else -3
    check(backend(connection).search(Question("wheels weir ", EVERYTHING, facets=("category",))))
    assert [each["ask"] for each in exchanges_of(connection)[before:]] == ["POST /multi-search"] * 3


def check(answer: Answer) -> None:
    assert [match.document.id for match in answer.matches] == [PAGE.id]
    assert (answer.total, answer.total_is_exact, answer.facets) == (1, True, {"category": {"Wood": 1}})
    (match,) = answer.matches
    assert [match.section.text[low:high] for low, high in match.marks] in (["wheel"], ["weir"])


def test_an_engine_that_ran_out_of_time_is_told_of() -> None:
    exchanges = Replay.of(SEARCH).left[-3:]
    slow: Exchange = {**exchanges[1], "told": {**exchanges[1]["told"], "processingTimeMs": CUTOFF_MS + 1}}
    version: Exchange = {"ask": "GET /version", "status": 200, "told": {"pkgVersion": "1.50.0"}}
    adapter = Replay([version, exchanges[0], slow, exchanges[2]])
    connection = Connection(NOWHERE, SecretStr(""), adapter=adapter)
    answer = backend(connection).search(Question("wheels weir ", EVERYTHING, facets=("category",)))
    assert f"{CUTOFF_MS} ms" in answer.notices[0]


def test_the_engines_own_reason_is_told_for_a_bad_document(recorded: Recorded) -> None:
    connection = recorded("bad-document")
    backend(connection).upsert(entries(PAGE))
    with pytest.raises(EngineRefused, match=r"failed: invalid_document_id: .*a b"):
        connection.finish([connection.add(NAMES.documents, b'{"key": "a b"}\n', "key")])


def test_the_engines_own_reason_is_told_for_a_bad_key(recorded: Recorded) -> None:
    with pytest.raises(EngineRefused, match=r"invalid_api_key.*CONTENTBOT_INDEX_KEY") as raised:
        backend(recorded("bad-key", key="wrong-key")).search(Question("wheel", EVERYTHING))
    assert "wrong-key" not in str(raised.value)


def test_an_index_that_nobody_wrote_is_empty(recorded: Recorded) -> None:
    opened = backend(recorded("no-index"))
    assert opened.search(Question("wheel", EVERYTHING, facets=("kind",))) == Answer(facets={"kind": {}})
    assert opened.get(EVERYTHING) is None
    assert (opened.count(EVERYTHING), opened.keys(), list(opened.scan(EVERYTHING))) == (0, set(), [])
    assert (opened.facets("kind", EVERYTHING), opened.overview(EVERYTHING)) == ({}, [])
    assert opened.delete(["a"]) == 0
    assert opened.settings().identity == ""


def test_a_swap_is_one_request_over_both_indexes(recorded: Recorded) -> None:
    connection = recorded("swap")
    opened = backend(connection)
    opened.upsert(entries(PAGE))
    staged = opened.staging()
    staged.upsert(entries(document("other")))
    opened.swap(staged)
    (pairs,) = sent(connection, "POST", "swap-indexes")
    assert [[name.split("_staged_")[0] for name in pair["indexes"]] for pair in pairs] == [
        [NAMES.documents] * 2,
        [NAMES.chunks] * 2,
    ]
    assert len(sent(connection, "DELETE", "indexes/.*")) == 2
