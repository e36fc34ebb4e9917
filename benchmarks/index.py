"""How fast documents are indexed, and what that costs: the embedded engine, a Meilisearch, and a floor beside them.

    python benchmarks/index.py [--documents 10000] [--url http://localhost:7700] [--batch 500] [--json]

The documents are those of `benchmarks/search.py`. Each engine gets them through `contentbot.index`, batch by batch, as
a crawl does: a batch counts when it is searchable, and the next one waits for it. `--url` adds a Meilisearch (key in
CONTENTBOT_INDEX_KEY), with indexes of its own that are deleted at the end. The floor is SQLite's FTS5 in the same run:
whole documents, no sections, no fields to filter by.

Processor time is that of this process, and of the engine's where it runs on this machine and may be looked at; memory
is the most that they held together at a batch's end, mapped files left out. Size is what the engine's files take at the
end, with what else the server holds.
"""

import argparse
import json
import secrets
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from meilisearch import Client

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.search import Corpus
from contentbot.config import get_settings
from contentbot.documents import ContentDocument
from contentbot.index import open_index

Write = Callable[[Sequence[ContentDocument]], object]


@dataclass
class Watch:
    """Looks at processes: their processor time since it began, and the most memory they held together."""

    processes: list[psutil.Process]
    before: float = 0.0
    peak: int = 0

    def __post_init__(self) -> None:
        self.before = self._cpu()

    def look(self) -> None:
        """Note how much memory is held now."""
        # mapped files are the page cache's: they go when something else needs the room
        held = (one.memory_info() for one in self.processes)
        self.peak = max(self.peak, sum(one.rss - getattr(one, "shared", 0) for one in held))

    def seconds(self) -> float:
        """Return the processor time since it began."""
        return self._cpu() - self.before

    def _cpu(self) -> float:
        return sum(sum(one.cpu_times()[:2]) for one in self.processes)


@dataclass
class Side:
    """One engine: how it is written to, what works for it, and how large it is at the end."""

    name: str
    write: Write
    size: Callable[[], int]
    processes: list[psutil.Process] = field(default_factory=lambda: [psutil.Process()])


def fill(side: Side, count: int, batch: int) -> dict[str, object]:
    """Write so many documents, and return what it took; making them up does not count."""
    documents, watch = islice(Corpus().documents(), count), Watch(side.processes)
    seconds = made = 0.0
    while True:
        worked = time.process_time()
        part = list(islice(documents, batch))
        made += time.process_time() - worked
        if not part:
            break
        began = time.perf_counter()
        side.write(part)
        seconds += time.perf_counter() - began
        watch.look()
    busy = watch.seconds() - made
    return {
        "engine": side.name,
        "documents": count,
        "documents_per_s": round(count / seconds, 1),
        "cpu_ms_per_document": round(1000 * busy / count, 2),
        "peak_memory_mb": round(watch.peak / 1e6),
        "size_mb": round(side.size() / 1e6),
    }


@contextmanager
def embedded() -> Iterator[Side]:
    """The embedded engine in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, open_index(f"tantivy:{folder}/index") as index:
        yield Side("tantivy", index.upsert, lambda: _bytes(Path(folder)))


@contextmanager
def floor() -> Iterator[Side]:
    """SQLite's FTS5."""
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(f"{folder}/floor.sqlite")
        connection.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize='porter unicode61')")

        def write(batch: Sequence[ContentDocument]) -> None:
            with connection:
                connection.executemany("INSERT INTO pages VALUES (?, ?)", ((one.title, one.body) for one in batch))

        yield Side("SQLite FTS5", write, lambda: _bytes(Path(folder)))
        connection.close()


@contextmanager
def server(url: str) -> Iterator[Side]:
    """A Meilisearch, with indexes that are deleted at the end."""
    prefix = f"benchmark{secrets.token_hex(4)}_"
    with open_index(url, prefix=prefix) as index:
        index.upsert([])
        try:
            yield Side("Meilisearch", index.upsert, lambda: _told_size(url), [psutil.Process(), *_listening(url)])
        finally:
            _delete(url, prefix)


def _listening(url: str) -> list[psutil.Process]:
    """Return the engine's process, where it is on this machine and may be looked at."""
    port = urlsplit(url).port
    for one in psutil.process_iter():
        try:
            if any(each.laddr.port == port and each.status == "LISTEN" for each in one.net_connections("tcp")):
                return [one]
        except (psutil.Error, OSError):
            continue
    return []


def _client(url: str) -> Client:
    return Client(url, get_settings().index_key.get_secret_value() or None)


def _told_size(url: str) -> int:
    return int(_client(url).http.get("stats")["usedDatabaseSize"])


def _delete(url: str, prefix: str) -> None:
    client = _client(url)
    for one in client.get_indexes({"limit": 1000})["results"]:
        if one.uid.startswith(prefix):
            client.wait_for_task(client.delete_index(one.uid).task_uid, 600_000)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def measure(count: int, batch: int, url: str) -> list[dict[str, object]]:
    """Fill every engine with so many documents, one after the other."""
    sides = [floor(), embedded(), *([server(url)] if url else [])]
    results = []
    for opening in sides:
        with opening as side:
            results.append(fill(side, count, batch))
    return results


def table(results: Sequence[Mapping[str, object]]) -> str:
    """Return the results as lines of text."""
    lines = [f"{'':14}{'documents':>10}{'a second':>10}{'CPU ms each':>13}{'peak MB':>9}{'size MB':>9}"]
    for one in results:
        numbers = (one["documents_per_s"], one["cpu_ms_per_document"], one["peak_memory_mb"], one["size_mb"])
        shown = "".join(f"{number:>{width}}" for number, width in zip(numbers, (10, 13, 9, 9), strict=True))
        lines.append(f"{one['engine']:14}{one['documents']:>10}{shown}")
    return "\n".join(lines)


def main() -> None:
    """Measure every size and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000])
    parser.add_argument("--batch", type=int, default=500, help="documents that are written at once")
    parser.add_argument("--url", default="", help="a Meilisearch, beside")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    results = [one for count in options.documents for one in measure(count, options.batch, options.url)]
    print(json.dumps(results) if options.json else table(results))


if __name__ == "__main__":
    main()
