"""What the index could not take yet: written to disk before the run goes on, removed once delivered."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contentbot.documents import document_key
from contentbot.state.packed import open_file, pack, transaction, translated, unpack

_SCHEMA = """
CREATE TABLE IF NOT EXISTS letters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    document_key TEXT NOT NULL,
    document BLOB,
    note BLOB NOT NULL,
    refused TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS letters_by_document ON letters (source, document_key);
"""
_COLUMNS = "source, document_key, document, note, number, refused, created_at"


@dataclass(frozen=True, slots=True)
class Letter:
    """One change for the index: a document to write or, where it is None, the key of one to delete.

    `note` travels with it: what the page state is to say once the change has been delivered. `refused` is the engine's
    reason when it was set aside. `number` is 0 and `created_at` (ISO 8601, UTC) empty until it is kept.
    """

    source: str
    document_key: str
    document: Mapping[str, Any] | None
    note: Mapping[str, Any]
    number: int = 0
    refused: str = ""
    created_at: str = ""


class Outbox:
    """Undelivered changes, oldest first. A later change of a document replaces the earlier one."""

    def __init__(self, path: Path) -> None:
        self._path, self._connection = path, open_file(path, _SCHEMA)

    def keep(self, letters: Iterable[Letter]) -> None:
        """Write the letters in one transaction."""
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        with transaction(self._connection, self._path):
            for letter in letters:
                self._connection.execute(
                    "DELETE FROM letters WHERE source = ? AND document_key = ?", (letter.source, letter.document_key)
                )
                self._connection.execute(
                    "INSERT INTO letters (source, document_key, document, note, refused, created_at)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        letter.source,
                        letter.document_key,
                        None if letter.document is None else _packed(letter.document),
                        _packed(letter.note),
                        letter.refused,
                        moment,
                    ),
                )

    def waiting(self, size: int = 100, *, source: str = "") -> Iterator[Sequence[Letter]]:
        """Yield batches of what may be delivered, each once, whatever becomes of it; of one source or of all."""
        last = 0
        chosen = "refused = '' AND number > ? AND (source = ? OR ? = '') ORDER BY number LIMIT ?"
        while batch := self._read(chosen, (last, source, source, size)):
            last = batch[-1].number
            yield batch

    def set_aside(self) -> Sequence[Letter]:
        """Return what the engine refused."""
        return self._read("refused <> '' ORDER BY number", ())

    def delivered(self, letters: Iterable[Letter]) -> None:
        """Remove letters that the index has confirmed."""
        with transaction(self._connection, self._path):
            self._connection.executemany("DELETE FROM letters WHERE number = ?", [(one.number,) for one in letters])

    def overtaken(self, source: str, keys: Iterable[str]) -> None:
        """Remove whatever is kept of these documents: the index has confirmed something newer."""
        if self._is_empty():
            return
        with transaction(self._connection, self._path):
            self._connection.executemany(
                "DELETE FROM letters WHERE source = ? AND document_key = ?", [(source, key) for key in keys]
            )

    def refuse(self, letter: Letter, reason: str) -> None:
        """Set a letter aside with the engine's reason; it is not offered again until the document changes."""
        with transaction(self._connection, self._path):
            self._connection.execute("UPDATE letters SET refused = ? WHERE number = ?", (reason, letter.number))

    def count(self, source: str) -> int:
        """Count the letters of a source, those that were set aside too."""
        found: int = self._connection.execute("SELECT count(*) FROM letters WHERE source = ?", (source,)).fetchone()[0]
        return found

    def forget(self, source: str) -> int:
        """Remove every letter of a source; return how many there were."""
        with transaction(self._connection, self._path):
            return self._connection.execute("DELETE FROM letters WHERE source = ?", (source,)).rowcount

    def sources(self) -> list[str]:
        """Return every source that has a letter, sorted."""
        return [source for (source,) in self._connection.execute("SELECT DISTINCT source FROM letters ORDER BY source")]

    def __len__(self) -> int:
        count: int = self._connection.execute("SELECT count(*) FROM letters WHERE refused = ''").fetchone()[0]
        return count

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _is_empty(self) -> bool:
        with translated(self._path):
            return self._connection.execute("SELECT 1 FROM letters LIMIT 1").fetchone() is None

    def _read(self, where: str, values: tuple[Any, ...]) -> list[Letter]:
        with translated(self._path):
            rows = self._connection.execute(f"SELECT {_COLUMNS} FROM letters WHERE {where}", values)  # noqa: S608 - ours
            return list(map(_letter, rows))


def counted(path: Path) -> Mapping[str, tuple[int, int]]:
    """Count by source what waits, and what was set aside, without creating or locking the file."""
    if not path.is_file():
        return {}
    query = "SELECT source, sum(refused = ''), sum(refused <> '') FROM letters GROUP BY source ORDER BY source"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
        try:
            return {source: (waiting, aside) for source, waiting, aside in connection.execute(query)}
        except sqlite3.OperationalError:  # a file that is being made has no table yet
            return {}


def look_up(path: Path, source: str, url: str) -> Letter | None:
    """Return the letter about the document or page of a URL; the file is neither made nor locked."""
    if not path.is_file():
        return None
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
        try:
            number = _number(connection, source, url)
            row = connection.execute(f"SELECT {_COLUMNS} FROM letters WHERE number = ?", (number,)).fetchone()  # noqa: S608 - ours
        except sqlite3.OperationalError:  # a file that is being made has no table yet
            return None
        return _letter(row) if row else None


def _number(connection: sqlite3.Connection, source: str, url: str) -> int:
    """Return the number of the newest letter about a URL, 0 when there is none; only the notes are unpacked."""
    key = document_key(source, url)
    rows = connection.execute(
        "SELECT number, document_key, note FROM letters WHERE source = ? ORDER BY number DESC", (source,)
    )
    return next((number for number, of, note in rows if of == key or url in _addresses(_unpacked(note))), 0)


def _addresses(note: Mapping[str, Any]) -> Iterator[str]:
    for page in note.get("pages", ()):
        yield from (page.get(name, "") for name in ("url", "final_url", "document_url"))


def _letter(row: tuple[Any, ...]) -> Letter:
    source, key, document, note, number, refused, created_at = row
    return Letter(
        source, key, None if document is None else _unpacked(document), _unpacked(note), number, refused, created_at
    )


def _packed(value: Mapping[str, Any]) -> bytes:
    return pack(json.dumps(value, ensure_ascii=False).encode())


def _unpacked(value: bytes) -> dict[str, Any]:
    unpacked: dict[str, Any] = json.loads(unpack(value))
    return unpacked
