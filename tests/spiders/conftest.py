"""What tests of later runs look at: the writes to the index, and what is in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contentbot.access import PUBLIC
from contentbot.index import Index, open_index
from contentbot.spiders import revisit
from tests.spiders.refreshing import Write


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[Write]:
    """Every write to the index that has something in it: ("put", URLs) or ("delete", keys)."""
    seen: list[Write] = []
    put, delete = Index.upsert, Index.delete

    def upsert(self: Index, documents: Any) -> None:
        seen.append(("put", [document.url for document in documents]))
        put(self, documents)

    def remove(self: Index, keys: Any) -> int:
        seen.append(("delete", list(keys)))
        return delete(self, keys)

    monkeypatch.setattr(Index, "upsert", upsert)
    monkeypatch.setattr(Index, "delete", remove)
    return seen


@pytest.fixture(autouse=True)
def _the_way_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address has an hour of the day at which it is; a test must not depend on it."""
    monkeypatch.setattr(revisit, "_is_due", lambda _url: False)


@pytest.fixture
def indexed(tmp_path: Path) -> Callable[..., list[str]]:
    """Return the paths of a source's documents in the index."""

    def paths(source: str = "mill") -> list[str]:
        with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
            return sorted(document.path for document in index.export(source, principal=PUBLIC))

    return paths
