"""One process per source and per host.

The lock is `flock(2)` on a file: the kernel frees it when its holder dies, however it dies, so nothing has to be
cleaned up after a kill. The file says who holds it, for the message only.
"""

import fcntl
import hashlib
import json
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from contentbot.errors import AlreadyRunning


class Lock:
    """The right to work on `name`, a source or a host.

    Args:
        folder: where the locks are kept.
        name: what is worked on.
        work: what is done to it, in a word that fits after "is being".

    Raises (on entering):
        AlreadyRunning: another process has it; the message names the process.
    """

    def __init__(self, folder: Path, name: str, *, work: str = "crawled") -> None:
        self.name, self._work = name, work
        # a host may hold characters that a file name may not
        self._file = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.lock"
        self._handle: int | None = None

    def __enter__(self) -> Self:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = _holder(os.read(handle, 4096))
            os.close(handle)
            raise AlreadyRunning(f"{self.name} is being {holder}; wait for it or stop it") from error
        since = datetime.now(UTC).isoformat(timespec="seconds")
        note = {"name": self.name, "pid": os.getpid(), "since": since, "work": self._work}
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(note).encode(), 0)
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def lock_all(folder: Path, names: list[str], *, work: str = "crawled") -> ExitStack:
    """Take every lock or none; leaving the stack gives them back.

    Sorted, so that two processes that want the same names cannot each hold what the other waits for.
    """
    with ExitStack() as stack:
        for name in sorted(set(names)):
            stack.enter_context(Lock(folder, name, work=work))
        return stack.pop_all()


def _holder(note: bytes) -> str:
    try:
        known = json.loads(note)
        return f"{known.get('work', 'crawled')} by process {known['pid']} since {known['since']}"
    except (ValueError, KeyError, TypeError, AttributeError):
        return "crawled by another process"
