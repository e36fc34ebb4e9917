"""SQLite files that keep compressed rows: what the HTTP cache and the outbox share."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import zstandard

from contentbot.errors import StateUnavailable

_LEVEL = 3


def open_file(path: Path, schema: str) -> sqlite3.Connection:
    """Open a file in write-ahead mode and create its tables.

    A file that is no database (a full disk, a broken copy) is put aside and begun anew: both users can do without it.

    Raises:
        StateUnavailable: it cannot be opened or written.
    """
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return _opened(path, schema)


def _opened(path: Path, schema: str) -> sqlite3.Connection:
    try:
        return _connect(path, schema)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        path.replace(path.with_suffix(".broken"))
        return _connect(path, schema)


def _connect(path: Path, schema: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(schema)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn the errors of a file into ours."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StateUnavailable(f"{path}: {error}") from error


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Write all of it or nothing."""
    with translated(path), connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


def pack(data: bytes) -> bytes:
    """Compress with Zstandard (RFC 8878)."""
    return zstandard.compress(data, _LEVEL)


def unpack(data: bytes) -> bytes:
    """Undo `pack`."""
    return zstandard.decompress(data)
