"""How long a search takes, and how fast documents are indexed.

    python benchmarks/search.py [--documents 10000] [--queries 200] [--json]

Documents are made up: words by Zipf's law, several sections each, sources, locales, authors, categories, dates and
access rules. Every question goes through `contentbot.index` as any caller's would, ten hits with snippets and exact
totals. Beside it, in the same run and on the same documents, stand two floors: SQLite's FTS5, whole documents, ten rows
by BM25, no totals, no snippets, no typos; and the engine itself with one word of the query, ten addresses by BM25.
Processor times are the figures to compare by; with 100,000 documents it takes about five minutes.
"""

import argparse
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from statistics import fmean, quantiles

import tantivy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from contentbot.access import PUBLIC_RULE, AccessRule, IdentityType, Principal
from contentbot.documents import ContentDocument, Heading, document_key
from contentbot.index import Index, open_index
from contentbot.index.query import EVERYTHING, And, AnyOf, Between, Equals, Filter, Not, SearchRequest, Sort

_ONSETS = ["b", "br", "d", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w", "sch"]
_NUCLEI = ["a", "e", "i", "o", "u", "ei", "au", "ü"]
_CODAS = ["", "n", "r", "s", "t", "l", "nd", "ng"]
_BATCH = 500
_READER = Principal("ada", frozenset({"editors"}))
_FOUR_FILTERS: Filter = And(
    (
        AnyOf("source", ("s0", "s1")),
        Equals("locale", "en"),
        Between("published", low=1_500_000_000),
        Not(Equals("category", "c3")),
    )
)
_FACETS = ("source", "category", "author")


class Corpus:
    """Made-up documents and questions about them; the same for the same seed."""

    def __init__(self, seed: int = 1, vocabulary: int = 60_000) -> None:
        self._random = random.Random(seed)
        self._words = self._vocabulary(vocabulary)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(vocabulary)))

    def documents(self) -> Iterator[ContentDocument]:
        """Yield documents without end."""
        number = 0
        while True:
            yield self._document(number)
            number += 1

    def queries(self, count: int) -> list[str]:
        """Return questions of one to four words; every fifth has a typo, every fourth is still being typed."""
        return [self._query(number) for number in range(count)]

    def _vocabulary(self, size: int) -> list[str]:
        words: dict[str, None] = {}
        while len(words) < size:
            syllables = self._random.choices((1, 2, 3, 4), (2, 5, 4, 2))[0]
            words["".join(self._syllable() for _ in range(syllables))] = None
        return list(words)

    def _syllable(self) -> str:
        return "".join(self._random.choice(part) for part in (_ONSETS, _NUCLEI, _CODAS))

    def _text(self, words: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=words))

    def _document(self, number: int) -> ContentDocument:
        draw = self._random
        source, day = f"s{number % 4}", draw.randrange(1, 28)
        url = f"https://{source}.example/posts/{number}"
        body, outline = self._body()
        return ContentDocument(
            id=f"{source}:posts/{number}",
            key=document_key(source, url),
            source=source,
            locale=draw.choice(("en", "en", "de")),
            url=url,
            path=f"/posts/{number}",
            title=self._text(draw.randrange(3, 9)).capitalize(),
            excerpt=self._text(20),
            body=body,
            author=f"Author {int(draw.paretovariate(1)) % 200}",
            categories=[f"c{int(draw.paretovariate(0.8)) % 40}" for _ in range(2)],
            published_date=f"{draw.randrange(2012, 2026)}-{draw.randrange(1, 13):02}-{day:02}",
            access=[PUBLIC_RULE] if draw.random() < 0.8 else [self._rule()],
            outline=outline,
        )

    def _rule(self) -> AccessRule:
        return AccessRule(identity=self._random.choice(("editors", "staff")), identity_type=IdentityType.ROLE)

    def _body(self) -> tuple[str, list[Heading]]:
        lines: list[str] = []
        outline = []
        for _ in range(self._random.randrange(1, 6)):
            start = len(lines) + 1
            title = self._text(3)
            lines += [f"## {title}", "", self._text(self._random.randrange(30, 120)), ""]
            outline.append(Heading(level=2, title=title, line_start=start, line_end=len(lines)))
        return "\n".join(lines), outline

    def _query(self, number: int) -> str:
        words = self._text(self._random.choice((1, 2, 2, 3, 4))).split()
        if number % 5 == 0 and len(words[0]) > 5:
            words[0] = words[0][:2] + words[0][3:]
        if number % 4 == 0 and len(words[-1]) > 5:
            return " ".join([*words[:-1], words[-1][:5]])
        return " ".join(words) + " "


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile in milliseconds."""
    cuts = quantiles(times, n=20)
    return {"p50_ms": round(cuts[9] * 1000, 2), "p95_ms": round(cuts[18] * 1000, 2)}


def cpu(times: Sequence[float]) -> dict[str, float]:
    """Return the mean processor time, which a busy machine changes less."""
    return {"cpu_ms": round(fmean(times) * 1000, 2)}


def timed(ask: Callable[[str], object], queries: Sequence[str]) -> dict[str, float]:
    """Ask every question once and return how long they took."""
    for query in queries[:20]:
        ask(query)
    times, busy = [], []
    for query in queries:
        started, worked = time.perf_counter(), time.thread_time()
        ask(query)
        times.append(time.perf_counter() - started)
        busy.append(time.thread_time() - worked)
    return percentiles(times) | cpu(busy)


def asking(
    index: Index, where: Filter = EVERYTHING, facets: tuple[str, ...] = (), sort: Sort = Sort.RELEVANCE
) -> Callable[[str], object]:
    """Return a function that asks one question."""
    return lambda query: index.search(SearchRequest(query, filter=where, facets=facets, sort=sort), principal=_READER)


def fill(index: Index, floor: sqlite3.Connection, documents: Iterator[ContentDocument]) -> tuple[float, float, float]:
    """Index documents in batches on both sides; returns the seconds and processor seconds of ours, and its seconds."""
    floor.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize='porter unicode61')")
    ours = busy = theirs = 0.0
    while batch := list(islice(documents, _BATCH)):
        started, worked = time.perf_counter(), time.process_time()
        index.upsert(batch)
        between, busy = time.perf_counter(), busy + time.process_time() - worked
        with floor:
            floor.executemany("INSERT INTO pages VALUES (?, ?)", ((one.title, one.body) for one in batch))
        ours, theirs = ours + between - started, theirs + time.perf_counter() - between
    return ours, busy, theirs


def sqlite_search(floor: sqlite3.Connection, query: str) -> object:
    """Ask the floor: any of the words, ten rows by BM25."""
    words = " OR ".join(f'"{word}"' for word in query.split())
    return floor.execute("SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT 10", (words,)).fetchall()


def engine_search(folder: str) -> Callable[[str], object]:
    """Return the other floor: the ten best sections for the longest word of a query, nothing read."""
    pointer = json.loads(Path(folder, "CURRENT").read_text(encoding="utf-8"))
    engine = tantivy.Index.open(str(Path(folder, pointer["generation"])))
    searcher, schema = engine.searcher(), engine.schema

    def ask(query: str) -> object:
        word = max(query.split(), key=len)
        return searcher.search(tantivy.Query.term_query(schema, "words", word, "freq"), limit=10, count=False)

    return ask


def measure(count: int, questions: int) -> dict[str, object]:
    """Fill one index of a size and ask it everything."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder, open_index(f"tantivy:{folder}/index") as index:
        floor = sqlite3.connect(f"{folder}/floor.sqlite")
        seconds, busy, floor_seconds = fill(index, floor, islice(corpus.documents(), count))
        queries = corpus.queries(questions)
        size = sum(file.stat().st_size for file in Path(folder, "index").rglob("*") if file.is_file())
        return {
            "documents": count,
            "documents_per_s": round(count / seconds),
            "documents_per_cpu_s": round(count / busy),
            "floor_documents_per_s": round(count / floor_seconds),
            "index_mb": round(size / 1e6),
            "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
            "search": timed(asking(index), queries),
            "four filters": timed(asking(index, _FOUR_FILTERS), queries),
            "three facets": timed(asking(index, facets=_FACETS), queries),
            "four filters, three facets": timed(asking(index, _FOUR_FILTERS, _FACETS), queries),
            "newest first": timed(asking(index, sort=Sort.NEWEST), queries),
            "floor: SQLite FTS5": timed(lambda query: sqlite_search(floor, query), queries),
            "floor: one term, tantivy": timed(engine_search(f"{folder}/index"), queries),
        }


def table(results: Sequence[dict[str, object]]) -> str:
    """Return the results as lines of text."""
    lines = []
    for result in results:
        lines.append(f"\n{result['documents']} documents")
        for name, value in result.items():
            shown = _line(value) if isinstance(value, dict) else value
            lines.append(f"  {name:<28}{shown}")
    return "\n".join(lines)


def _line(value: Mapping[str, float]) -> str:
    return f"p50 {value['p50_ms']:8.2f} ms  p95 {value['p95_ms']:8.2f} ms  cpu {value['cpu_ms']:8.2f} ms"


def main() -> None:
    """Measure every size and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    results = [measure(count, options.queries) for count in options.documents]
    print(json.dumps(results) if options.json else table(results))


if __name__ == "__main__":
    main()
