"""What the crawls of one process have in common: opened by the first, closed by the last."""

import asyncio
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from contentbot.index import Index, open_index

T = TypeVar("T")


class Shared(Generic[T]):
    """Counts the users of costly things, such as a pool of processes or the one writer of an index.

    Args:
        close: what ends a thing that nobody uses any more.
    """

    def __init__(self, close: Callable[[T], None]) -> None:
        self._close = close
        self._things: dict[Hashable, T] = {}
        self._users: dict[Hashable, int] = {}

    def acquire(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the thing of this key; `make` is called when there is none. Each call wants one `release`."""
        if key not in self._things:
            self._things[key] = make()
        self._users[key] = self._users.get(key, 0) + 1
        return self._things[key]

    def release(self, key: Hashable) -> None:
        """Give the thing back; the last one closes it."""
        self._users[key] -= 1
        if not self._users[key]:
            del self._users[key]
            self._close(self._things.pop(key))


@dataclass
class Writer:
    """The one writer of an index in this process: the crawls take turns."""

    index: Index
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


WRITERS = Shared[Writer](lambda writer: writer.index.close())


@contextmanager
def writing(index_url: str) -> Iterator[Writer]:
    """Use the writer of an index for a while, the one that is open or a new one."""
    writer = WRITERS.acquire(index_url, lambda: Writer(open_index(index_url)))
    try:
        yield writer
    finally:
        WRITERS.release(index_url)
