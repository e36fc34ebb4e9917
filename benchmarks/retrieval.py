"""How well the index finds what people judged relevant.

    python benchmarks/retrieval.py FOLDER [--locale en] [--run RUN.json] [--json]

FOLDER has the files of a BEIR-style set: corpus.jsonl (_id, title, text), queries.jsonl (_id, text) and qrels.tsv
(query-id, corpus-id, score). Documents are indexed and queries asked through `contentbot.index`, as any caller would.
Prints nDCG@10 (linear gain, log2 discount) and Recall@100, averaged over the judged queries.
"""

import argparse
import csv
import json
import math
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.index import Index, open_index
from contentbot.index.query import SearchRequest

_DEPTH = 100


def documents(folder: Path, locale: str) -> list[ContentDocument]:
    """Read the corpus; a text that repeats the title at its start loses it there."""
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        return [_document(json.loads(line), locale) for line in lines]


def _document(row: Mapping[str, str], locale: str) -> ContentDocument:
    name, title = row["_id"], row.get("title", "")
    url = f"https://corpus.example/{name}"
    return ContentDocument(
        id=name, key=name, source="corpus", locale=locale, url=url, path=f"/{name}", title=title, body=row["text"]
    )


def queries(folder: Path) -> dict[str, str]:
    """Read the queries by their id."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        return {row["_id"]: row["text"] for row in map(json.loads, lines)}


def judgements(folder: Path) -> dict[str, dict[str, float]]:
    """Read the gains of the documents that were judged relevant, by query."""
    judged: dict[str, dict[str, float]] = defaultdict(dict)
    with (folder / "qrels.tsv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if float(row["score"]) > 0:
                judged[row["query-id"]][row["corpus-id"]] = float(row["score"])
    return dict(judged)


def ranking(index: Index, query: str) -> list[str]:
    """Return the ids of the best documents."""
    result = index.search(SearchRequest(query, limit=_DEPTH, snippet_words=0), principal=PUBLIC)
    return [hit.document.id for hit in result.hits]


def score(run: Mapping[str, Sequence[str]], judged: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return nDCG@10 and Recall@100 of a run."""
    ndcg, recall = [], []
    for query, gains in judged.items():
        found = run.get(query, [])
        best = _dcg(sorted(gains.values(), reverse=True)[:10])
        ndcg.append(_dcg([gains.get(name, 0.0) for name in found[:10]]) / best)
        recall.append(len(set(found[:_DEPTH]) & set(gains)) / len(gains))
    return {"ndcg@10": round(mean(ndcg), 4), "recall@100": round(mean(recall), 4), "queries": len(judged)}


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def main() -> None:
    """Index, ask, score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--locale", default="en", help="the corpus's language (default: en)")
    parser.add_argument("--run", type=Path, help="write the ranking of every query to this file")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_index(f"tantivy:{folder}/index") as index:
        index.upsert(documents(options.folder, options.locale))
        asked, judged = queries(options.folder), judgements(options.folder)
        started = time.perf_counter()
        run = {name: ranking(index, text) for name, text in asked.items() if name in judged}
        taken = (time.perf_counter() - started) / len(run)
    if options.run:
        options.run.write_text(json.dumps(run), encoding="utf-8")
    scores = score(run, judged) | {"ms_per_query": round(taken * 1000, 2)}
    print(json.dumps(scores) if options.json else "\n".join(f"{name:<14}{value:>10}" for name, value in scores.items()))


if __name__ == "__main__":
    main()
