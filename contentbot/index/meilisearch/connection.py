"""One server, spoken to by many threads: retries, translated errors, and tasks that are waited for.

The client keeps the headers of the request it is sending in itself, so every thread has one of its own. The key is
handed to the client and is in no message: neither the engine nor the HTTP library repeats it.
"""

import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import requests
from meilisearch import Client
from meilisearch._httprequests import HttpRequests
from meilisearch.config import Config
from meilisearch.errors import MeilisearchApiError, MeilisearchCommunicationError, MeilisearchTimeoutError
from meilisearch.index import Index
from meilisearch.models.task import Task, TaskInfo
from pydantic import SecretStr
from requests.adapters import BaseAdapter

from contentbot.errors import EngineRefused, EngineUnavailable

NEEDED = (1, 40)
"""The first version with everything that is used here; `distinct` across the queries of one request came last."""

ATTEMPTS = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2.0
"""Seconds before a second attempt, doubled each time, and at most."""

REQUEST_SECONDS = 60
"""How long the engine may keep silent in one request."""

TASK_SECONDS = 900.0
"""How long a task may take; the engine works on tasks one after the other, a reader never waits for one."""

_POLL_FIRST, _POLL_LONGEST = 0.005, 0.5
_DENIED = frozenset({401, 403})
_PASSING = frozenset({408, 425, 429})
_VERSION = re.compile(r"(\d+)\.(\d+)")

T = TypeVar("T")


class MissingIndex(EngineRefused):
    """The engine has no index of this name: nobody has written to it yet."""


class HiddenTask(EngineRefused):
    """The engine shows no such task: a key that is limited to some indexes does not see what concerns several."""


class _Http(HttpRequests):
    """The client's requests over connections that stay open."""

    def __init__(self, config: Config, session: requests.Session) -> None:
        super().__init__(config)
        self._session = session

    def get(self, path: str) -> Any:
        return self.send_request(self._session.get, path)

    def post(self, path: str, body: Any = None, content_type: str | None = "application/json", **more: Any) -> Any:
        return self.send_request(self._session.post, path, body, content_type, **more)

    def patch(self, path: str, body: Any = None, content_type: str | None = "application/json") -> Any:
        return self.send_request(self._session.patch, path, body, content_type)

    def put(self, path: str, body: Any = None, content_type: str | None = "application/json", **more: Any) -> Any:
        return self.send_request(self._session.put, path, body, content_type, **more)

    def delete(self, path: str, body: Any = None) -> Any:
        return self.send_request(self._session.delete, path, body)


class EngineClient(Client):
    """The official client; what it hands out shares its connections."""

    def __init__(self, url: str, key: str, session: requests.Session) -> None:
        super().__init__(url, key or None, timeout=REQUEST_SECONDS)
        self.http = self.task_handler.http = _Http(self.config, session)

    def index(self, uid: str) -> Index:
        """Return an index that shares the connections."""
        index = super().index(uid)
        index.http = index.task_handler.http = self.http
        return index


class Connection:
    """Asks one server. Nothing is sent before the first question.

    Args:
        url: the server's address, as `server_address` returns it.
        key: the API key; empty for a server without a master key.
        attempts: how often a request is sent before the engine counts as unavailable.
        pause: seconds before the second attempt.
        task_seconds: how long a task is waited for.
        adapter: what carries the requests, instead of the network.
    """

    def __init__(
        self,
        url: str,
        key: SecretStr,
        *,
        attempts: int = ATTEMPTS,
        pause: float = FIRST_PAUSE,
        task_seconds: float = TASK_SECONDS,
        adapter: BaseAdapter | None = None,
    ) -> None:
        self.url, self._key, self._adapter = url, key, adapter
        self._attempts, self._pause, self._task_seconds = attempts, pause, task_seconds
        self._local = threading.local()
        self._guard = threading.Lock()
        self._sessions: list[requests.Session] = []
        self._checked = False

    def ask(self, question: Callable[[EngineClient], T], *, repeatable: bool = True) -> T:
        """Put a question, again where that may help.

        Args:
            repeatable: asking twice does the same as asking once; otherwise only one request is sent.

        Raises:
            EngineUnavailable: no answer, or one that says to come again, after every attempt.
            EngineRefused: the engine said no; `MissingIndex` where it has no such index.
        """
        self._check_version()
        return self._ask(question, self._attempts if repeatable else 1)

    def search(self, queries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Send several searches in one request, and return the answers in their order."""
        return list(self.ask(lambda client: client.multi_search(queries))["results"]) if queries else []

    def federated(self, queries: Sequence[Mapping[str, Any]], federation: dict[str, Any]) -> dict[str, Any]:
        """Send several searches whose answers become one list."""
        answer: dict[str, Any] = self.ask(lambda client: client.multi_search(queries, federation))
        return answer

    def fetch(self, index: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return a page of an index's records; not bound by what a search may return."""
        path = f"indexes/{index}/documents/fetch"
        page: dict[str, Any] = self.ask(lambda client: client.http.post(path, body=parameters))
        return page

    def create(self, index: str, primary_key: str) -> TaskInfo:
        """Make an empty index."""
        # the client's own method would open a connection of its own
        body = {"uid": index, "primaryKey": primary_key}
        return TaskInfo(**self.ask(lambda client: client.http.post("indexes", body=body)))

    def add(self, index: str, payload: bytes, primary_key: str) -> TaskInfo:
        """Replace records, by id; the payload is NDJSON.

        The primary key is said each time: an engine that was killed while it made an index has the index, but not the
        key, and would refuse every record.
        """
        kind = "application/x-ndjson"
        return self.ask(lambda client: client.index(index).add_documents_raw(payload, primary_key, kind))

    def drop(self, index: str) -> TaskInfo:
        """Delete a whole index."""
        return self.ask(lambda client: client.delete_index(index))

    def remove(self, index: str, ids: Sequence[str]) -> TaskInfo:
        """Delete records by id."""
        path = f"indexes/{index}/documents/delete-batch"
        return TaskInfo(**self.ask(lambda client: client.http.post(path, body=list(ids))))

    def finish(self, tasks: Iterable[TaskInfo]) -> None:
        """Wait until every task has succeeded.

        Raises:
            EngineRefused: a task has failed for what it was to do; with the engine's own code and reason.
            EngineUnavailable: a task has failed for another reason, was cancelled, or is not done in time.
        """
        deadline = time.monotonic() + self._task_seconds
        for task in [self._ended(info, deadline) for info in tasks]:
            if task.status != "succeeded":
                raise self._failure(task)

    def close(self) -> None:
        """Close every connection; the next question opens new ones."""
        with self._guard:
            sessions, self._sessions = self._sessions, []
            self._local = threading.local()
        for session in sessions:
            session.close()

    def _ask(self, question: Callable[[EngineClient], T], attempts: int) -> T:
        for attempt in range(1, attempts + 1):
            try:
                return question(self._client())
            except (MeilisearchApiError, MeilisearchCommunicationError, MeilisearchTimeoutError) as error:
                translated = self._translated(error)
            except (requests.RequestException, ValueError) as error:  # such as a proxy's page instead of JSON
                translated = EngineUnavailable(f"no usable answer from {self.url}: {type(error).__name__}: {error}")
            if not isinstance(translated, EngineUnavailable) or attempt == attempts:
                break
            # spread out, so that the clients of a restarted server do not come back all at once
            time.sleep(min(LONGEST_PAUSE, self._pause * 2 ** (attempt - 1)) * random.uniform(0.75, 1.25))  # noqa: S311 - no secret
        raise translated from None

    def _translated(self, error: Exception) -> EngineUnavailable | EngineRefused:
        if not isinstance(error, MeilisearchApiError):
            return EngineUnavailable(f"no answer from {self.url}: is Meilisearch running there? ({_brief(error)})")
        told = f"{error.code or error.status_code}: {_brief(error)}"
        if error.code == "index_not_found":
            return MissingIndex(f"{self.url}: {told}")
        if error.code == "task_not_found":
            return HiddenTask(f"{self.url}: {told}")
        if error.status_code in _DENIED:
            return EngineRefused(
                f"Meilisearch at {self.url} refuses the key: {told}; CONTENTBOT_INDEX_KEY has to be one that may"
            )
        if error.status_code in _PASSING or error.status_code >= 500:
            return EngineUnavailable(f"Meilisearch at {self.url} cannot answer now: {told}")
        return EngineRefused(f"Meilisearch at {self.url}: {told}")

    def _client(self) -> EngineClient:
        client: EngineClient | None = getattr(self._local, "client", None)
        if client is None:
            session = requests.Session()
            if self.url.startswith("http://"):
                # on a connection that stays open the end of an answer waits for a delayed acknowledgement, often 40 ms;
                # making a new one costs less where there is no TLS
                session.headers["Connection"] = "close"
            if self._adapter:
                session.mount(f"{self.url}/", self._adapter)
            with self._guard:
                self._sessions.append(session)
            client = self._local.client = EngineClient(self.url, self._key.get_secret_value(), session)
        return client

    def _check_version(self) -> None:
        """Ask for the version before the first question; a key that may not know it is believed."""
        if self._checked:
            return
        try:
            told = str(self._ask(lambda client: client.get_version(), self._attempts).get("pkgVersion", ""))
        except EngineUnavailable:
            raise
        except EngineRefused:
            told = ""
        found = _VERSION.match(told)
        if found and (int(found[1]), int(found[2])) < NEEDED:
            needed = ".".join(map(str, NEEDED))
            raise EngineRefused(f"Meilisearch at {self.url} is version {told}; {needed} or later is needed: upgrade it")
        self._checked = True

    def _ended(self, info: TaskInfo, deadline: float) -> Task:
        pause = _POLL_FIRST
        while True:
            task = self.ask(lambda client: client.get_task(info.task_uid))
            if task.status not in ("enqueued", "processing"):
                return task
            if time.monotonic() > deadline:
                raise EngineUnavailable(
                    f"Meilisearch at {self.url} has not done task {info.task_uid} within {self._task_seconds:g} s; "
                    "it may still: sending the same again does no harm"
                )
            time.sleep(pause)
            pause = min(_POLL_LONGEST, pause * 1.5)

    def _failure(self, task: Task) -> EngineUnavailable | EngineRefused:
        error = task.error or {}
        told = (
            f"task {task.uid} ({task.type}) {task.status}: {error.get('code', 'no reason')}: {error.get('message', '')}"
        )
        # a full disk or a bug of the engine says nothing about the documents
        ours = error.get("type") == "invalid_request"
        return (EngineRefused if ours else EngineUnavailable)(f"Meilisearch at {self.url}: {told}")


def _brief(error: Exception) -> str:
    return " ".join(str(getattr(error, "message", error)).split())[:500]
