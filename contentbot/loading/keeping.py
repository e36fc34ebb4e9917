"""What was loaded a moment ago, kept in memory: bounded in age and bytes."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A mapping that forgets: what is old, and what was used longest ago where there is too much. Safe for threads.

    Args:
        seconds: how long a value counts; 0 keeps nothing.
        most: the sum of the sizes of all values.
        clock: seconds, never going back.
    """

    def __init__(self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._values: OrderedDict[Hashable, tuple[float, int, Value]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """Return what is kept under a key."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            if found[0] <= self._clock():
                self._drop(key)
                return None
            self._values.move_to_end(key)
            return found[2]

    def put(self, key: Hashable, value: Value, size: int, *, seconds: float | None = None) -> None:
        """Keep a value; one that is larger than a quarter of all is not kept, it would push out the others."""
        lasting = self._seconds if seconds is None else seconds
        if lasting <= 0 or size > self._most // 4:
            return
        with self._lock:
            if key in self._values:
                self._drop(key)
            self._values[key] = self._clock() + lasting, size, value
            self._size += size
            while self._size > self._most:
                self._drop(next(iter(self._values)))

    def _drop(self, key: Hashable) -> None:
        self._size -= self._values.pop(key)[1]
