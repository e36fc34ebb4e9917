"""What is kept of a source that is no longer crawled, and how it is deleted."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from contentbot.access import PUBLIC
from contentbot.index import Index
from contentbot.state import State
from contentbot.state.locks import Lock
from contentbot.state.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Leftovers:
    """How much there is of a source: documents, pages and runs in the state, letters in the outbox, bytes of cache."""

    source: str
    documents: int = 0
    pages: int = 0
    runs: int = 0
    letters: int = 0
    cache_bytes: int = 0

    def __bool__(self) -> bool:
        return any((self.documents, self.pages, self.runs, self.letters, self.cache_bytes))


@dataclass(frozen=True, slots=True)
class Store:
    """Everything that holds something of a source."""

    index: Index
    state: State
    data_dir: Path

    def sources(self) -> list[str]:
        """Return every source of which something is kept, sorted."""
        indexed = (one.source for one in self.index.overview(principal=PUBLIC))
        with self._outbox() as outbox:
            waiting = outbox.sources() if outbox else []
        cached = (file.stem for file in (self.data_dir / "cache").glob("*.db"))
        return sorted({*indexed, *self.state.pages.sources(), *self.state.runs.sources(), *waiting, *cached})

    def of(self, source: str) -> Leftovers:
        """Count what is kept of a source."""
        with self._outbox() as outbox:
            letters = outbox.count(source) if outbox else 0
        return Leftovers(
            source,
            documents=len(self.index.keys(source)),
            pages=sum(self.state.pages.counts(source).values()),
            runs=self.state.runs.count(source),
            letters=letters,
            cache_bytes=sum(file.stat().st_size for file in self._cache_files(source)),
        )

    def remove(self, source: str) -> Leftovers:
        """Delete everything of a source; return what there was. A removal that was interrupted can be repeated.

        Raises:
            AlreadyRunning: the source is being crawled.
            SearchIndexError, StateUnavailable: from there on, nothing was deleted.
        """
        with Lock(self.data_dir / "locks", source):
            there_was = self.of(source)
            # first what could put documents back
            with self._outbox() as outbox:
                if outbox:
                    outbox.forget(source)
            self.index.delete(self.index.keys(source))
            self.state.pages.forget(source)
            self.state.surveys.forget(source)
            self.state.runs.forget(source)
            for file in self._cache_files(source):
                file.unlink(missing_ok=True)
        return there_was

    def _cache_files(self, source: str) -> list[Path]:
        files = (self.data_dir / "cache" / f"{source}.db{end}" for end in ("", "-wal", "-shm"))
        return [file for file in files if file.is_file()]

    @contextmanager
    def _outbox(self) -> Iterator[Outbox | None]:
        file = self.data_dir / "outbox.db"
        if not file.is_file():
            yield None
            return
        with closing(Outbox(file)) as outbox:
            yield outbox
