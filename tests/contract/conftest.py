"""The backends that the suite runs on: each is a factory of one empty index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contentbot.index import Index, open_index


@pytest.fixture(params=["tantivy"])
def index_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an index that does not exist yet."""
    return f"{request.param}:{tmp_path / 'index'}"


@pytest.fixture
def index(index_url: str) -> Iterator[Index]:
    """Return an empty index, open for reading and writing."""
    with open_index(index_url) as opened:
        yield opened
