"""The engines that the suite runs on: each is a factory of one empty index."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentbot.index import Index, open_index
from tests.contract.server import ABSENT, Server, given_server, own_server

ENGINES = ["tantivy", "meilisearch"]


@pytest.fixture(scope="session")
def meilisearch() -> Iterator[Server]:
    """A real server: the one that is named, or one for this test process, killed at its end."""
    if given := given_server():
        yield given
        return
    own = own_server()
    if own is None:
        pytest.skip(ABSENT)
    yield own
    own.remove()


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Return the name of the engine."""
    return str(request.param)


@pytest.fixture
def index_url(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Return the URL of an index that does not exist yet; the environment says the rest, to other processes too."""
    if engine == "tantivy":
        yield f"tantivy:{tmp_path / 'index'}"
        return
    server: Server = request.getfixturevalue("meilisearch")
    prefix = f"test{secrets.token_hex(6)}_"
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", server.key)
    monkeypatch.setenv("CONTENTBOT_INDEX_PREFIX", prefix)
    yield server.url
    server.drop(prefix)


@pytest.fixture
def index(index_url: str) -> Iterator[Index]:
    """Return an empty index, open for reading and writing."""
    with open_index(index_url) as opened:
        yield opened
