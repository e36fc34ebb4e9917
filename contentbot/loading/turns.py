"""Whose turn it is: requests to a host keep a distance, however many callers there are."""

import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import anyio

from contentbot.errors import NotLoaded

_REMEMBERED = 10_000


class Turns:
    """Gives every request to a host its moment.

    Args:
        pause: seconds between two requests to a host.
        clock: seconds, never going back.
        sleep: waits for so many seconds.
    """

    def __init__(
        self,
        pause: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._pause, self._clock, self._sleep = pause, clock, sleep
        self._next: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    async def wait(self, host: str, longest: float, pause: float = 0.0) -> None:
        """Return when the host may be asked.

        Args:
            longest: seconds that the caller can wait.
            pause: what the host asks for; the longer pause counts.

        Raises:
            NotLoaded: `host_busy`, the turn would come too late; it is given back.
        """
        kept = max(self._pause, pause)
        with self._lock:
            now = self._clock()
            turn = max(now, self._next.get(host, now))
            if turn - now > longest:
                seconds = round(turn - now + 0.5)
                raise NotLoaded("host_busy", f"{host} is asked by others", retryable=True, retry_after=seconds)
            self._next[host] = turn + kept
            self._next.move_to_end(host)
            while len(self._next) > _REMEMBERED:
                self._next.popitem(last=False)
        await self._sleep(turn - now)

    def hold(self, host: str, seconds: float) -> None:
        """Ask nothing of a host for a while: it has answered that it wants no more."""
        with self._lock:
            self._next[host] = max(self._next.get(host, 0.0), self._clock() + seconds)
