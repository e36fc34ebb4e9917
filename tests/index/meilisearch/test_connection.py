"""What becomes of answers that are none, and of tasks that fail."""

import logging
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from contentbot.errors import EngineRefused, EngineUnavailable
from contentbot.index.meilisearch.connection import ATTEMPTS, Connection, MissingIndex
from tests.index.meilisearch.conftest import Scripted
from tests.index.meilisearch.exchanges import Exchange

EMPTY: Exchange = {"ask": "POST /multi-search", "status": 200, "told": {"results": [{"hits": []}]}}
ASKED = [{"indexUid": "content_documents", "q": ""}]


def said_no(status: int, code: str, message: str = "No.") -> Exchange:
    told = {"message": message, "code": code, "type": "invalid_request", "link": ""}
    return {"ask": "POST /multi-search", "status": status, "told": told}


def task(status: str, **error: str) -> Exchange:
    told: dict[str, Any] = {"uid": 7, "status": status, "type": "documentAdditionOrUpdate"}
    told |= {"enqueuedAt": "2026-01-01T00:00:00.5Z", "error": error or None}
    return {"ask": "GET /tasks/7", "status": 200, "told": told}


ADDED: Exchange = {
    "ask": "POST /indexes/content_documents/documents?primaryKey=key",
    "status": 202,
    "told": {
        "taskUid": 7,
        "indexUid": "content_documents",
        "status": "enqueued",
        "type": "documentAdditionOrUpdate",
        "enqueuedAt": "2026-01-01T00:00:00.5Z",
    },
}


@pytest.mark.parametrize(
    "passing",
    [
        said_no(429, "too_many_requests"),
        said_no(408, "timeout"),
        said_no(500, "internal"),
        said_no(503, "too_many_search_requests"),
        {"ask": "POST /multi-search", "fails": "connection refused"},
    ],
)
def test_what_may_pass_is_asked_again(scripted: Scripted, passing: Exchange) -> None:
    connection = scripted(passing, passing, EMPTY)
    assert connection.search(ASKED) == [{"hits": []}]


def test_an_engine_that_stays_away_is_unavailable_after_a_bounded_number_of_attempts(scripted: Scripted) -> None:
    connection = scripted(*[said_no(503, "too_many_search_requests")] * ATTEMPTS)
    with pytest.raises(EngineUnavailable, match=r"too_many_search_requests: No\."):
        connection.search(ASKED)


def test_a_question_that_must_not_be_repeated_is_asked_once(scripted: Scripted) -> None:
    connection = scripted(said_no(503, "internal"))
    with pytest.raises(EngineUnavailable):
        connection.ask(lambda client: client.multi_search(ASKED), repeatable=False)


def test_a_no_is_told_with_the_engines_own_code_and_reason(scripted: Scripted) -> None:
    connection = scripted(said_no(400, "invalid_search_filter", "Attribute `x` is not filterable."))
    with pytest.raises(EngineRefused, match=r"invalid_search_filter: Attribute `x` is not filterable\."):
        connection.search(ASKED)


def test_an_index_that_is_not_there_is_told_apart(scripted: Scripted) -> None:
    connection = scripted(said_no(404, "index_not_found"))
    with pytest.raises(MissingIndex):
        connection.search(ASKED)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_by_its_setting_and_not_shown(
    scripted: Scripted, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    connection = scripted(said_no(status, "invalid_api_key"))
    with caplog.at_level(logging.DEBUG), pytest.raises(EngineRefused, match="CONTENTBOT_INDEX_KEY") as raised:
        connection.search(ASKED)
    shown = [str(raised.value), repr(raised.value), repr(connection), repr(vars(connection)), caplog.text]
    assert not [text for text in shown if "secret" in text]


def test_an_engine_that_is_too_old_is_refused_with_the_version_that_is_needed(scripted: Scripted) -> None:
    with pytest.raises(EngineRefused, match=r"is version 1\.12\.3; 1\.40 or later is needed"):
        scripted(version="1.12.3").search(ASKED)


@pytest.mark.parametrize("version", ["1.40.0", "2.0.0-rc.1", "", "nightly"])
def test_a_version_that_is_new_or_not_told_is_taken(scripted: Scripted, version: str) -> None:
    assert scripted(EMPTY, version=version).search(ASKED) == [{"hits": []}]


def test_nobody_there_is_unavailable_and_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening: a connection is refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        connection = Connection(url, SecretStr("a very secret key"), pause=0)
        with pytest.raises(EngineUnavailable, match=url) as raised:
            connection.search(ASKED)
    assert "secret" not in str(raised.value)


def test_an_answer_that_is_no_json_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        connection = Connection(url, SecretStr(""), attempts=1)
        with answering(server, b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"), pytest.raises(EngineUnavailable):
            connection.search(ASKED)


@contextmanager
def answering(server: socket.socket, answer: bytes) -> Iterator[None]:
    """Answer one request."""

    def answer_once() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(answer)

    with ThreadPoolExecutor(1) as pool:
        answered = pool.submit(answer_once)
        yield
        answered.result()


def test_a_task_is_waited_for(scripted: Scripted) -> None:
    connection = scripted(ADDED, task("enqueued"), task("processing"), task("succeeded"))
    connection.finish([connection.add("content_documents", b'{"key": "a"}\n', "key")])


def test_a_task_that_fails_for_what_it_was_given_is_refused_with_code_and_reason(scripted: Scripted) -> None:
    failed = task("failed", code="invalid_document_id", type="invalid_request", message="Document identifier `a b`.")
    connection = scripted(ADDED, failed)
    with pytest.raises(EngineRefused, match=r"task 7.*failed: invalid_document_id: Document identifier `a b`"):
        connection.finish([connection.add("content_documents", b"{}\n", "key")])


@pytest.mark.parametrize(
    "ended", [task("failed", code="no_space_left_on_device", type="system", message="full"), task("canceled")]
)
def test_a_task_that_fails_for_another_reason_may_be_sent_again(scripted: Scripted, ended: Exchange) -> None:
    connection = scripted(ADDED, ended)
    with pytest.raises(EngineUnavailable, match="task 7"):
        connection.finish([connection.add("content_documents", b"{}\n", "key")])


def test_a_task_that_is_not_done_in_time_is_unavailable(scripted: Scripted) -> None:
    connection = scripted(ADDED, task("enqueued"), task_seconds=-1.0)
    with pytest.raises(EngineUnavailable, match="sending the same again does no harm"):
        connection.finish([connection.add("content_documents", b"{}\n", "key")])


def test_threads_share_no_client() -> None:
    connection = Connection("http://meilisearch.example", SecretStr(""))
    ours = connection._client()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(connection._client).result() is not ours
    assert connection._client() is ours
    connection.close()
    assert connection._client() is not ours
