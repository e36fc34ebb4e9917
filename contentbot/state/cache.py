"""The HTTP cache: whole responses, compressed, one transaction each (RFC 9111 leaves the storage to us)."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contentbot.state.packed import open_file, pack, transaction, unpack

_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (
    fingerprint BLOB PRIMARY KEY,
    url TEXT NOT NULL,
    status INTEGER NOT NULL,
    headers BLOB NOT NULL,
    stored_at REAL NOT NULL
) WITHOUT ROWID;
-- apart, so that confirming a response does not write its body again
CREATE TABLE IF NOT EXISTS bodies (fingerprint BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
"""


_HEAD = "SELECT url, status, headers, stored_at FROM responses WHERE fingerprint = ?"
_WHOLE = (
    "SELECT url, status, headers, stored_at, body FROM responses JOIN bodies USING (fingerprint) WHERE fingerprint = ?"
)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response as it came. `headers` keeps order and repetition; `stored_at` is Unix seconds."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    stored_at: float


class ResponseCache:
    """Responses by request fingerprint, in one file per source."""

    def __init__(self, path: Path) -> None:
        self._path, self._connection = path, open_file(path, _SCHEMA)

    def get(self, fingerprint: bytes, *, body: bool = True) -> CachedResponse | None:
        """Return the stored response, its body only where it is wanted; one that cannot be read counts as absent."""
        row = self._connection.execute(_WHOLE if body else _HEAD, (fingerprint,)).fetchone()
        if row is None:
            return None
        try:
            headers = tuple((name, value) for name, value in json.loads(unpack(row[2])))
            return CachedResponse(row[0], row[1], headers, unpack(row[4]) if body else b"", row[3])
        except (ValueError, sqlite3.Error):
            return None

    def addresses(self) -> Iterator[tuple[bytes, str]]:
        """Yield the fingerprint and the address of every stored response."""
        yield from self._connection.execute("SELECT fingerprint, url FROM responses ORDER BY stored_at")

    def put(self, fingerprint: bytes, response: CachedResponse) -> None:
        """Store a response in place of the one before."""
        row = (fingerprint, response.url, response.status, _packed(response.headers), response.stored_at)
        with transaction(self._connection, self._path):
            self._connection.execute("INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?)", row)
            self._connection.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?)", (fingerprint, pack(response.body)))

    def confirm(self, fingerprint: bytes, headers: tuple[tuple[str, str], ...], moment: float) -> None:
        """Note that a stored response was found valid, with the headers that came with the answer (RFC 9111, 4.3.4)."""
        with transaction(self._connection, self._path):
            self._connection.execute(
                "UPDATE responses SET headers = ?, stored_at = ? WHERE fingerprint = ?",
                (_packed(headers), moment, fingerprint),
            )

    def trim(self, before: float) -> int:
        """Remove what was stored or confirmed before a moment (Unix seconds) only; return how many went."""
        with transaction(self._connection, self._path):
            removed = self._connection.execute("DELETE FROM responses WHERE stored_at < ?", (before,)).rowcount
            if removed:
                self._connection.execute(
                    "DELETE FROM bodies WHERE fingerprint NOT IN (SELECT fingerprint FROM responses)"
                )
        return removed

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _packed(headers: tuple[tuple[str, str], ...]) -> bytes:
    return pack(json.dumps(headers).encode())
