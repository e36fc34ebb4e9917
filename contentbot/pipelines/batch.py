"""Documents that wait to be written."""

import time
from dataclasses import dataclass, replace

from contentbot.documents import ContentDocument
from contentbot.state import PageState


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """When a batch is full. Bytes count the text of the documents, seconds the age of the oldest one."""

    documents: int = 100
    text_bytes: int = 4 << 20
    seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document with every page that leads to it."""

    document: ContentDocument
    pages: tuple[PageState, ...] = ()

    @property
    def key(self) -> str:
        """The document's key."""
        return self.document.key


class Batch:
    """Documents that wait to be written, at most one of each key."""

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._waiting: dict[str, Waiting] = {}
        self._bytes, self._since = 0, 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, key: str) -> ContentDocument | None:
        """Return the waiting document of this key."""
        waiting = self._waiting.get(key)
        return waiting.document if waiting else None

    def put(self, document: ContentDocument, page: PageState | None = None) -> None:
        """Add a document, or replace the one of its key; its pages stay."""
        if not self._waiting:
            self._since = time.monotonic()
        self._bytes += len(document.body) + len(document.plain_text)
        before = self._waiting.get(document.key, Waiting(document))
        pages = (*before.pages, page) if page else before.pages
        self._waiting[document.key] = replace(before, document=document, pages=pages)

    @property
    def full(self) -> bool:
        """Whether the batch should be written now."""
        limits, age = self._limits, time.monotonic() - self._since
        over = len(self._waiting) >= limits.documents or self._bytes >= limits.text_bytes or age >= limits.seconds
        return bool(self._waiting) and over

    def take(self) -> list[Waiting]:
        """Return what waits, and start anew."""
        taken, self._waiting, self._bytes = list(self._waiting.values()), {}, 0
        return taken
