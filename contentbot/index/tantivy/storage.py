"""Where the engine's files live, who may write them, and how readers notice a change.

    FOLDER/CURRENT                  which generation is live, and its schema version (JSON); replaced by rename
    FOLDER/<generation>/            one tantivy index; its name is the index's identity
    FOLDER/write.lock               held (flock) while a batch is written or a generation swapped
    FOLDER/<generation>/write.lock  held as long as a staged generation is open, so that nobody tidies it away

The kernel frees a lock when its holder dies. A writer lives for one batch: processes that crawl different sources
take turns.
"""

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import tantivy
from pydantic import BaseModel, Field, ValidationError

from contentbot.errors import EngineRefused, EngineUnavailable
from contentbot.index.tantivy.analysis import splitter
from contentbot.index.tantivy.schema import SCHEMA_VERSION, WORDS, build_schema
from contentbot.index.tantivy.vocabulary import Vocabulary

_HEAP_BYTES = 64 << 20
_POINTER = "CURRENT"
_META = "meta.json"
_LOCK = "write.lock"
_GENERATION = re.compile(r"generation-[0-9a-f]{16}")


class _Pointer(BaseModel):
    """What CURRENT holds."""

    generation: str = Field(pattern=rf"^{_GENERATION.pattern}$")
    schema_version: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The index as of one commit: every read of one question uses the same."""

    searcher: tantivy.Searcher
    schema: tantivy.Schema
    vocabulary: Vocabulary
    generation: str


class Storage:
    """One live index in a folder, or the staged generation that will replace it.

    Args:
        folder: where the index lives; made by the first write.
        lock_timeout: how many seconds to wait for the batch of another process.
    """

    def __init__(self, folder: Path, *, lock_timeout: float = 60.0) -> None:
        self.folder, self._lock_timeout = folder, lock_timeout
        self._staged = ""
        self._claim: IO[str] | None = None
        self._guard = threading.Lock()
        self._seen: tuple[object, ...] = ()
        self._snapshot: Snapshot | None = None
        self._index: tantivy.Index | None = None

    def snapshot(self) -> Snapshot | None:
        """Return the newest committed state; None while there is no index."""
        with self._guard:
            for _ in range(10):
                try:
                    return self._refreshed()
                except FileNotFoundError:
                    # swapped away between reading the pointer and opening the files: look again
                    continue
        raise EngineUnavailable(
            f"the files that {self.folder / _POINTER} names are not there; "
            "if that lasts, remove the folder and crawl again"
        )

    def identity(self) -> str:
        """Return the name of the generation, empty while there is none."""
        return self._staged or self._pointed_at()

    @contextlib.contextmanager
    def writing(self) -> Iterator[tantivy.IndexWriter]:
        """Hold the lock and a writer for one batch; it is committed at the end, or nothing of it is.

        Raises:
            EngineUnavailable: another process kept the lock for longer than the timeout.
        """
        with self._locked():
            generation = self.identity() or self._create()
            with _translated(self.folder, gone=EngineUnavailable):
                index = tantivy.Index.open(str(self.folder / generation))
                index.register_tokenizer(WORDS, splitter())
                writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
                try:
                    yield writer
                    writer.commit()
                finally:
                    writer.wait_merging_threads()

    def stage(self) -> "Storage":
        """Make a new, empty generation beside the live one, claimed until it is swapped in or closed."""
        staged = Storage(self.folder, lock_timeout=self._lock_timeout)
        with self._locked():
            self._remove_orphans()
            staged._staged = self._new_generation()
            path = self.folder / staged._staged / _LOCK
            staged._claim = path.open("a+", encoding="utf-8")
            _acquire(staged._claim, path, 0)
        return staged

    def replace_with(self, staged: "Storage") -> None:
        """Make the staged generation the live one and remove what was live."""
        with self._locked():
            self._point_to(staged.identity())
            staged._release()
            self._remove_orphans()

    def discard(self) -> None:
        """Remove a staged generation that was not put in place."""
        if self._staged:
            path = self.folder / self._staged
            self._release()
            shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
        """Let go of the files."""
        with self._guard:
            self._index = self._snapshot = None
            self._seen = ()
        if self._claim:
            self._claim.close()

    def _release(self) -> None:
        """Stop being a staged generation."""
        self.close()
        self._staged, self._claim = "", None

    def _refreshed(self) -> Snapshot | None:
        generation = self.identity()
        if not generation:
            return None
        meta = (self.folder / generation / _META).stat()
        seen = (generation, meta.st_mtime_ns, meta.st_ino, meta.st_size)
        if seen != self._seen or self._snapshot is None:
            self._open(generation, reopen=not self._seen or self._seen[0] != generation)
            self._seen = seen
        return self._snapshot

    def _open(self, generation: str, *, reopen: bool) -> None:
        with _translated(self.folder, gone=FileNotFoundError):
            if reopen or self._index is None:
                self._index = tantivy.Index.open(str(self.folder / generation))
                self._index.config_reader("manual")
            self._index.reload()
            searcher = self._index.searcher()
        self._snapshot = Snapshot(searcher, self._index.schema, Vocabulary(searcher), generation)

    def _pointed_at(self) -> str:
        pointer = self._pointer()
        if pointer is None:
            return ""
        if pointer.schema_version != SCHEMA_VERSION:
            raise EngineRefused(
                f"the index in {self.folder} has schema {pointer.schema_version}, this version reads {SCHEMA_VERSION}: "
                "run `contentbot reindex`, or remove the folder and crawl again"
            )
        return pointer.generation

    def _pointer(self) -> _Pointer | None:
        """Return what CURRENT says, whatever schema it names."""
        path = self.folder / _POINTER
        try:
            return _Pointer.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except NotADirectoryError as error:
            raise EngineRefused(f"{self.folder} is no folder: name another one in CONTENTBOT_INDEX_URL") from error
        except OSError as error:
            raise EngineUnavailable(f"the index in {self.folder}: {error}") from error
        except ValidationError as error:
            raise EngineRefused(f"{path} is damaged: remove the folder and crawl again") from error

    def _create(self) -> str:
        generation = self._new_generation()
        self._point_to(generation)
        return generation

    def _new_generation(self) -> str:
        name = f"generation-{secrets.token_hex(8)}"
        path = self.folder / name
        path.mkdir(parents=True)
        tantivy.Index(build_schema(), path=str(path))
        return name

    def _point_to(self, generation: str) -> None:
        fresh = self.folder / f"{_POINTER}.new"
        with fresh.open("w", encoding="utf-8") as pointer:
            pointer.write(_Pointer(generation=generation, schema_version=SCHEMA_VERSION).model_dump_json())
            pointer.flush()
            os.fsync(pointer.fileno())
        fresh.replace(self.folder / _POINTER)

    def _remove_orphans(self) -> None:
        """Remove generations that no pointer names and no process is filling."""
        pointer = self._pointer()
        live = pointer.generation if pointer else ""
        for path in self.folder.iterdir():
            if _GENERATION.fullmatch(path.name) and path.name != live and not _is_locked(path / _LOCK):
                shutil.rmtree(path, ignore_errors=True)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        if self._claim:
            yield
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / _LOCK
        with path.open("a+", encoding="utf-8") as lock:
            _acquire(lock, path, self._lock_timeout)
            yield


def _acquire(lock: IO[str], path: Path, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise EngineUnavailable(_held(path, timeout)) from None
            time.sleep(0.02)
        else:
            break
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()


def _held(path: Path, timeout: float) -> str:
    holder = path.read_text(encoding="utf-8").strip() or "unknown"
    return (
        f"process {holder} has held {path} for over {timeout:g} s; wait for its batch, or end that process "
        "(the lock is free as soon as it is gone, the file itself may stay)"
    )


def _is_locked(path: Path) -> bool:
    try:
        with path.open("r+", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


@contextlib.contextmanager
def _translated(folder: Path, *, gone: type[Exception]) -> Iterator[None]:
    """Turn the engine's errors into ours; a file that is gone is told apart, for a reader that races a swap."""
    try:
        yield
    except ValueError as error:
        if "DoesNotExist" in str(error):
            raise gone(str(error)) from error
        if "LockBusy" in str(error):
            raise EngineUnavailable(f"the index in {folder} is locked by another writer: {error}") from error
        if "os error" in str(error):  # a full disk says nothing about the documents
            raise EngineUnavailable(f"the index in {folder}: {error}") from error
        raise EngineRefused(f"the index in {folder}: {error}") from error
    except FileNotFoundError as error:
        raise gone(str(error)) from error
    except OSError as error:
        raise EngineUnavailable(f"the index in {folder}: {error}") from error
