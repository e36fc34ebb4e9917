"""Connections whose exchanges are played back, or recorded."""

import os
import secrets
from collections.abc import Callable, Iterator

import pytest
from pydantic import SecretStr

from contentbot.index.meilisearch.connection import Connection
from tests.contract.conftest import meilisearch
from tests.contract.server import Server
from tests.index.meilisearch.exchanges import RECORD, Exchange, Recorder, Replay

__all__ = ["meilisearch"]

PREFIX = "recorded_"
NOWHERE = "http://meilisearch.example"

Recorded = Callable[..., Connection]
Scripted = Callable[..., Connection]


@pytest.fixture
def recorded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    """Return a connection that has the exchanges of a file, every one of which the test has to use."""
    monkeypatch.setattr(secrets, "token_hex", lambda length: "5ca1ab1e" * (length // 4))
    used: list[tuple[str, Recorder | Replay]] = []
    server: Server | None = request.getfixturevalue("meilisearch") if os.environ.get(RECORD) else None

    def connection(name: str, key: str = "") -> Connection:
        adapter: Recorder | Replay = Recorder() if server else Replay.of(name)
        used.append((name, adapter))
        url = server.url if server else NOWHERE
        return Connection(url, SecretStr(key or (server.key if server else "a key")), adapter=adapter, pause=0)

    yield connection
    for name, adapter in used:
        if isinstance(adapter, Recorder):
            adapter.save(name)
        else:
            assert adapter.left == []
    if server:
        server.drop(PREFIX)


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Return a connection that has exchanges of the test's own, every one of which it has to use."""
    adapters: list[Replay] = []

    def connection(*exchanges: Exchange, version: str = "1.50.0", **more: float) -> Connection:
        told = {"ask": "GET /version", "status": 200, "told": {"pkgVersion": version}}
        adapters.append(Replay([told, *exchanges]))
        return Connection(NOWHERE, SecretStr("a very secret key"), adapter=adapters[-1], pause=0, **more)  # type: ignore[arg-type]

    yield connection
    assert [adapter.left for adapter in adapters if adapter.left] == []
