"""A stand-in for Meilisearch: what an indexer asks of it, in memory, with tasks, API keys, and faults on the way.

It ranks nothing: the contract suite runs on the engine itself. What it is for are the things that an engine cannot be
made to do at will: no answer in the middle of a crawl, 429 or 503 for the n-th request, a connection that is dropped
after the write was taken.
"""

import hashlib
import json
import re
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.engine.filters import matching

Json = Any


class Refusal(Exception):
    """An error answer of the engine."""

    def __init__(self, status: int, code: str, message: str = "") -> None:
        self.status, self.code, self.message = status, code, message or code
        super().__init__(code)


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    number: int
    method: str
    path: str
    query: dict[str, list[str]]
    body: bytes
    content_type: str
    key: str

    def json(self) -> Json:
        """Return the body."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Trouble:
    """What becomes of a request: a status instead of an answer, or the connection's end, before or after it is done."""

    status: int = 0
    drop: bool = False
    done: bool = False


@dataclass
class Stored:
    """One index."""

    primary_key: str
    settings: dict[str, Json] = field(default_factory=dict)
    records: dict[str, dict[str, Json]] = field(default_factory=dict)


class StandIn:
    """The server. Use it as a context manager.

    Args:
        master: its master key; without one, everybody may do everything.
        port: where it listens; 0 lets the system choose.
    """

    def __init__(self, master: str = "", port: int = 0) -> None:
        self.master = master
        self.indexes: dict[str, Stored] = {}
        self.keys: list[dict[str, Json]] = []
        self.tasks: list[dict[str, Json]] = []
        self.requests: list[Request] = []
        # what goes wrong with a request
        self.trouble: Callable[[Request], Trouble | None] = lambda _: None
        self._lock = threading.RLock()
        self._server = _Server(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        poll = {"poll_interval": 0.02}
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs=poll, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: Request) -> tuple[int, Json]:
        """Do what is asked; what is asked for at once is done one after the other."""
        with self._lock:
            for method, pattern, action, do in _ROUTES:
                found = re.fullmatch(pattern, request.path)
                if method == request.method and found:
                    self._allow(request, action, found.groupdict().get("index", ""))
                    told = do(self, request, **found.groupdict())
                    return 204 if told is None else 200 if method == "GET" else 202, told
        raise Refusal(404, "not_found", request.path)

    def _allow(self, request: Request, action: str, index: str) -> None:
        if not self.master:
            if action.startswith("keys"):
                raise Refusal(401, "missing_master_key")
            return
        if not action or request.key == self.master:
            return
        if not request.key:
            raise Refusal(401, "missing_authorization_header")
        key = next((one for one in self.keys if one["key"] == request.key), None)
        if key is None or not _covers(key["actions"], action) or (index and not _covers(key["indexes"], index)):
            raise Refusal(403, "invalid_api_key", "The provided API key is invalid.")

    def task(self, kind: str, index: str, work: Callable[[], None]) -> Json:
        """Do a piece of work as a task."""
        number, error = len(self.tasks), None
        try:
            work()
        except Refusal as refusal:
            error = {"code": refusal.code, "message": refusal.message, "type": "invalid_request", "link": ""}
        told = {"indexUid": index or None, "type": kind, "enqueuedAt": "2026-01-01T00:00:00.000000Z"}
        status = "failed" if error else "succeeded"
        self.tasks.append({"uid": number, "status": status, "error": error, "details": {}, **told})
        return {"taskUid": number, "status": "enqueued", **told}

    def stored(self, index: str) -> Stored:
        """Return an index by its name."""
        if not re.fullmatch(r"[\w-]+", index):
            raise Refusal(400, "invalid_index_uid")
        if index not in self.indexes:
            raise Refusal(404, "index_not_found", f"Index `{index}` not found.")
        return self.indexes[index]

    def documents(self, index: str = "content_documents") -> list[dict[str, Json]]:
        """Return the documents of an index, without the record that tells its identity."""
        with self._lock:
            records = self.indexes[index].records.values() if index in self.indexes else []
            return [record for record in records if "identity" not in record]


def _covers(granted: list[str], asked: str) -> bool:
    return any(one == asked or (one.endswith("*") and asked.startswith(one[:-1])) for one in granted)


def _version(_: StandIn, _request: Request) -> Json:
    return {"pkgVersion": "1.50.0", "commitSha": "", "commitDate": ""}


def _health(_: StandIn, _request: Request) -> Json:
    return {"status": "available"}


def _keys(engine: StandIn, request: Request) -> Json:
    offset, limit = (int(request.query.get(name, [default])[0]) for name, default in (("offset", "0"), ("limit", "20")))
    listed = engine.keys[::-1]
    return {"results": listed[offset : offset + limit], "offset": offset, "limit": limit, "total": len(listed)}


def _new_key(engine: StandIn, request: Request) -> Json:
    asked, uid = request.json(), str(uuid.uuid4())
    text = hashlib.sha256(f"{engine.master}{uid}".encode()).hexdigest()
    engine.keys.append({"uid": uid, "key": text, **asked})
    return engine.keys[-1]


def _no_key(engine: StandIn, _request: Request, uid: str) -> Json:
    engine.keys = [one for one in engine.keys if one["uid"] != uid]


def _indexes(engine: StandIn, _request: Request) -> Json:
    moment = "2026-01-01T00:00:00.000000Z"
    listed = [
        {"uid": name, "primaryKey": one.primary_key, "createdAt": moment, "updatedAt": moment}
        for name, one in engine.indexes.items()
    ]
    return {"results": listed, "offset": 0, "limit": 1000, "total": len(listed)}


def _new_index(engine: StandIn, request: Request) -> Json:
    asked = request.json()

    def create() -> None:
        if asked["uid"] in engine.indexes:
            raise Refusal(409, "index_already_exists")
        engine.indexes[asked["uid"]] = Stored(asked["primaryKey"])

    return engine.task("indexCreation", asked["uid"], create)


def _no_index(engine: StandIn, _request: Request, index: str) -> Json:
    if not re.fullmatch(r"[\w-]+", index):
        raise Refusal(400, "invalid_index_uid")
    return engine.task("indexDeletion", index, lambda: engine.indexes.pop(index, None) and None)


def _settings(engine: StandIn, _request: Request, index: str) -> Json:
    return engine.stored(index).settings


def _new_settings(engine: StandIn, request: Request, index: str) -> Json:
    return engine.task("settingsUpdate", index, lambda: engine.stored(index).settings.update(request.json()))


def _no_settings(engine: StandIn, _request: Request, index: str) -> Json:
    engine.stored(index)
    raise Refusal(500, "internal", "nobody is to do that")


def _stats(engine: StandIn, _request: Request, index: str) -> Json:
    count = len(engine.stored(index).records)
    return {"numberOfDocuments": count, "isIndexing": False, "fieldDistribution": {}}


def _add(engine: StandIn, request: Request, index: str) -> Json:
    if request.content_type not in {"application/x-ndjson", "application/json"}:
        raise Refusal(415, "invalid_content_type")

    def add() -> None:
        stored = engine.stored(index)
        for line in request.body.splitlines():
            record = json.loads(line)
            stored.records[record[stored.primary_key]] = record

    return engine.task("documentAdditionOrUpdate", index, add)


def _remove(engine: StandIn, request: Request, index: str) -> Json:
    def remove() -> None:
        for one in request.json():
            engine.stored(index).records.pop(one, None)

    return engine.task("documentDeletion", index, remove)


def _clear(engine: StandIn, _request: Request, index: str) -> Json:
    return engine.task("documentDeletion", index, engine.stored(index).records.clear)


def _fetch(engine: StandIn, request: Request, index: str) -> Json:
    asked = request.json()
    matches = matching(asked["filter"])
    found = [record for record in engine.stored(index).records.values() if matches(record)]
    offset, limit = asked.get("offset", 0), asked.get("limit", 20)
    shown = [{name: one[name] for name in asked["fields"] if name in one} for one in found[offset : offset + limit]]
    return {"results": shown, "offset": offset, "limit": limit, "total": len(found)}


def _search(engine: StandIn, request: Request) -> Json:
    return {"results": [_answered(engine, query) for query in request.json()["queries"]]}


def _answered(engine: StandIn, query: dict[str, Json]) -> Json:
    matches = matching(query["filter"])
    found = [one for one in engine.stored(query["indexUid"]).records.values() if matches(one)]
    limit = query.get("hitsPerPage", query.get("limit", 20))
    counted = {
        name: _distribution(found, name) for name in query.get("facets", ()) if any(name in one for one in found)
    }
    return {
        "indexUid": query["indexUid"],
        "hits": found[query.get("offset", 0) :][:limit],
        "totalHits": len(found),
        "facetDistribution": counted,
        "query": query.get("q", ""),
        "processingTimeMs": 0,
    }


def _distribution(records: list[dict[str, Json]], name: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for record in records:
        value = record.get(name, [])
        for one in value if isinstance(value, list) else [value]:
            counts[str(one)] = counts.get(str(one), 0) + 1
    return counts


def _task(engine: StandIn, request: Request, number: str) -> Json:
    if int(number) >= len(engine.tasks):
        raise Refusal(404, "task_not_found")
    task = engine.tasks[int(number)]
    scoped = request.key not in {"", engine.master}
    # a key that is limited to some indexes does not see what concerns several
    if scoped and task["type"] == "indexSwap":
        raise Refusal(404, "task_not_found", f"Task `{number}` not found.")
    return task


def _swap(engine: StandIn, request: Request) -> Json:
    pairs = [one["indexes"] for one in request.json()]
    key = next((one for one in engine.keys if one["key"] == request.key), {"indexes": ["*"]})
    if not all(_covers(key["indexes"], name) for pair in pairs for name in pair):
        raise Refusal(403, "invalid_api_key")

    def swap() -> None:
        for one, other in pairs:
            engine.stored(one), engine.stored(other)
        for one, other in pairs:
            engine.indexes[one], engine.indexes[other] = engine.indexes[other], engine.indexes[one]

    return engine.task("indexSwap", "", swap)


_INDEX = r"/indexes/(?P<index>[^/]+)"
_ROUTES: list[tuple[str, str, str, Callable[..., Json]]] = [
    ("GET", "/version", "version", _version),
    ("GET", "/health", "", _health),
    ("GET", "/keys", "keys.get", _keys),
    ("POST", "/keys", "keys.create", _new_key),
    ("DELETE", "/keys/(?P<uid>[^/]+)", "keys.delete", _no_key),
    ("GET", "/indexes", "indexes.get", _indexes),
    ("POST", "/indexes", "indexes.create", _new_index),
    ("DELETE", _INDEX, "indexes.delete", _no_index),
    ("GET", f"{_INDEX}/settings", "settings.get", _settings),
    ("PATCH", f"{_INDEX}/settings", "settings.update", _new_settings),
    ("DELETE", f"{_INDEX}/settings", "settings.update", _no_settings),
    ("GET", f"{_INDEX}/stats", "stats.get", _stats),
    ("POST", f"{_INDEX}/documents", "documents.add", _add),
    ("DELETE", f"{_INDEX}/documents", "documents.delete", _clear),
    ("POST", f"{_INDEX}/documents/delete-batch", "documents.delete", _remove),
    ("POST", f"{_INDEX}/documents/fetch", "documents.get", _fetch),
    ("POST", "/multi-search", "search", _search),
    ("GET", r"/tasks/(?P<number>\d+)", "tasks.get", _task),
    ("POST", "/swap-indexes", "indexes.swap", _swap),
]


class _Server(ThreadingHTTPServer):
    allow_reuse_address = True

    def handle_error(self, *_: object) -> None:
        """Clients of a chaos test end as they like."""


def _handler(engine: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            request = self._request()
            engine.requests.append(request)
            trouble = engine.trouble(request)
            outcome = None if trouble and not trouble.done else _outcome(engine, request)
            if trouble or outcome is None:
                self._fail(trouble or Trouble(500))
            else:
                self._send(*outcome)

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - the library's names

        def _request(self) -> Request:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            key = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            kind = (self.headers.get("Content-Type") or "").partition(";")[0]
            number = len(engine.requests) + 1
            return Request(number, self.command, parts.path, parse_qs(parts.query), body, kind, key)

        def _fail(self, trouble: Trouble) -> None:
            if trouble.drop:
                self.close_connection = True
                self.connection.close()
                return
            self._send(trouble.status, {"message": "not now", "code": "too_many_search_requests", "type": "system"})

        def _send(self, status: int, told: Json) -> None:
            body = b"" if told is None else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            # RFC 9112, section 9.6: the client asks for it, and without it would use the connection again
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _outcome(engine: StandIn, request: Request) -> tuple[int, Json]:
    try:
        return engine.answer(request)
    except Refusal as refusal:
        return refusal.status, {
            "message": refusal.message,
            "code": refusal.code,
            "type": "invalid_request",
            "link": "https://docs.meilisearch.com/errors",
        }
