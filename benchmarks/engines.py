"""The same questions to both engines: is the first document of each answer the same?

    contentbot export --source open-elements > site.jsonl
    python benchmarks/engines.py site.jsonl --url http://localhost:7700 [--queries FILE] [--json]

The key of the server is read from CONTENTBOT_INDEX_KEY. Documents are written to indexes of a prefix of their own,
which are deleted at the end. The questions are five in English and five in German about https://open-elements.com, or
the lines of a file. Beside the first documents stand how many both find, how many of the first five they have in
common, and how long the median of 20 searches took, from the call to the answer.
"""

import argparse
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from pydantic import SecretStr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.index import Index, open_index
from contentbot.index.meilisearch.connection import Connection
from contentbot.index.query import SearchRequest, SearchResult

QUESTIONS = (
    "reproducible builds",
    "do I have to pay for java licences",
    "round images with css",
    "logging performance",
    "responsive layouts in JavaFX",
    "Auswirkungen des Cyber Resilience Act",
    "Jahresrückblick 2024",
    "digitale Souveränität",
    "gehärtete Software für Verwaltungen",
    "wenn Beiträge zur Belastung werden",
)
_BATCH = 100
_REPEATED = 20


@dataclass(frozen=True)
class Compared:
    """One question's answers."""

    question: str
    embedded: str
    server: str
    embedded_total: int
    server_total: int
    common_of_five: int
    embedded_ms: float
    server_ms: float

    @property
    def same(self) -> bool:
        """The first document is the same."""
        return self.embedded == self.server


def main() -> None:
    """Compare, print, and fail where fewer than nine of ten first documents are the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=Path, help="documents as `contentbot export` writes them")
    parser.add_argument("--url", required=True, help="the address of a Meilisearch")
    parser.add_argument("--queries", type=Path, help="one question a line")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    lines = options.export.read_text(encoding="utf-8").split("\n")
    documents = [ContentDocument.model_validate_json(line) for line in lines if line]
    questions = options.queries.read_text(encoding="utf-8").splitlines() if options.queries else QUESTIONS
    compared = compare(documents, options.url, list(filter(None, questions)))
    same = sum(one.same for one in compared)
    if options.json:
        print(json.dumps({"same": same, "questions": [asdict(one) for one in compared]}, ensure_ascii=False, indent=1))
    else:
        show(compared)
        print(f"{same} of {len(compared)} first documents are the same ({len(documents)} documents)")
    sys.exit(same < 0.9 * len(compared))


def compare(documents: Sequence[ContentDocument], url: str, questions: Sequence[str]) -> list[Compared]:
    """Index the documents with both engines and ask both."""
    prefix = f"compare{secrets.token_hex(4)}_"
    key = SecretStr(os.environ.get("CONTENTBOT_INDEX_KEY", ""))
    with (
        tempfile.TemporaryDirectory() as folder,
        open_index(folder) as embedded,
        open_index(url, key=key, prefix=prefix) as server,
    ):
        try:
            for start in range(0, len(documents), _BATCH):
                for index in (embedded, server):
                    index.upsert(documents[start : start + _BATCH])
            return [compared(question, embedded, server) for question in questions]
        finally:
            drop(url, key, prefix)


def compared(question: str, embedded: Index, server: Index) -> Compared:
    """Ask both engines one question."""
    first, first_ms = timed(embedded, question)
    second, second_ms = timed(server, question)
    heads = [[hit.document.id for hit in result.hits[:5]] for result in (first, second)]
    return Compared(
        question=question,
        embedded=next(iter(heads[0]), ""),
        server=next(iter(heads[1]), ""),
        embedded_total=first.total,
        server_total=second.total,
        common_of_five=len(set(heads[0]) & set(heads[1])),
        embedded_ms=first_ms,
        server_ms=second_ms,
    )


def timed(index: Index, question: str) -> tuple[SearchResult, float]:
    """Return the answer, and the median of how many milliseconds it took."""
    took = []
    for _ in range(_REPEATED):
        started = time.perf_counter()
        result = index.search(SearchRequest(question), principal=PUBLIC)
        took.append(1000 * (time.perf_counter() - started))
    return result, round(median(took), 1)


def show(compared: Sequence[Compared]) -> None:
    """Print a line for each question, and both first documents where they differ."""
    for one in compared:
        mark = "=" if one.same else "≠"
        found = f"{one.embedded_total}/{one.server_total} found, {one.common_of_five} of five in common"
        print(f"{mark} {one.question}: {found}, {one.embedded_ms}/{one.server_ms} ms")
        print("\n".join(f"    {name}" for name in dict.fromkeys((one.embedded, one.server))))


def drop(url: str, key: SecretStr, prefix: str) -> None:
    """Delete the indexes that were made."""
    connection = Connection(url, key)
    found = connection.ask(lambda client: client.get_indexes({"limit": 1_000}))["results"]
    connection.finish([connection.drop(index.uid) for index in found if index.uid.startswith(prefix)])
    connection.close()


if __name__ == "__main__":
    main()
