"""Indexes that fail in the middle of a write, as a kill would end it, but at a chosen moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.errors import EngineUnavailable
from contentbot.index import Index, open_index
from contentbot.shared import WRITERS, Writer


class Failing:
    """A real index under a fault: before anything is written, or after it."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)


class DiesBeforeWriting(Failing):
    def upsert(self, _: list[ContentDocument]) -> None:
        raise RuntimeError("died before it wrote")


class DiesAfterWriting(Failing):
    def upsert(self, documents: list[ContentDocument]) -> None:
        self.index.upsert(documents)
        raise RuntimeError("died before it could say so")

    def delete(self, keys: list[str]) -> int:
        self.index.delete(keys)
        raise RuntimeError("died before it could say so")


class Away(Failing):
    """Gives no answer to anything."""

    def _no_answer(self, *_: Any, **__: Any) -> Any:
        raise EngineUnavailable("no answer from the engine")

    upsert = delete = keys = get = settings = _no_answer


@contextmanager
def failing(url: str, kind: type[Failing]) -> Iterator[None]:
    """Let every crawl of this process meet such an index."""
    broken: Any = kind(open_index(url))
    WRITERS.acquire(url, lambda: Writer(broken))
    try:
        yield
    finally:
        WRITERS.release(url)


def texts(folder: Path) -> dict[str, str]:
    """What the index of the `crawl` fixture holds: the text of each document by its path."""
    with open_index(f"tantivy:{folder / 'index'}", read_only=True) as index:
        return {document.path: document.plain_text for document in index.export("mill", principal=PUBLIC)}
