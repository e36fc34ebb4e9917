"""How true an export is to what the authors wrote.

    contentbot export --source ID > EXPORT
    python benchmarks/fidelity.py EXPORT TRUTH [--json]

EXPORT and TRUTH are JSON lines. A TRUTH row has `url`, `title`, `date`, `author`, `locale`, `categories` and
`body_markdown`; an empty value means that the page shows none. `page_exists: false` leaves the row out, a true
`glued_fences` or `liquid` (the page itself differs from its Markdown) leaves its body out. The measure of a body is
the F1 of the two multisets of `\\w+` words: `markdown` compares the sources as they stand,
`text` what a reader sees of both.
"""

import argparse
import html
import json
import re
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt

WORD = re.compile(r"\w+")
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def rows(file: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def address(url: str) -> str:
    """Spell one page's URL one way."""
    return unquote(url).rstrip("/").casefold()


def word_f1(found: str, wanted: str) -> float:
    """Return the F1 of two texts as multisets of lower-case words."""
    left, right = Counter(WORD.findall(found.lower())), Counter(WORD.findall(wanted.lower()))
    hits = (left & right).total()
    return 2 * hits / ((left.total() + right.total()) or 1)


def visible(markdown: str) -> str:
    """Return the words a reader sees of the Markdown."""
    return html.unescape(re.sub(r"<[^>]*>", " ", RENDERER.render(markdown)))


def names(value: str | list[str] | None) -> set[str]:
    """Fold a name or a list of names for comparison."""
    listed = re.split(r"\s*,\s*", value) if isinstance(value, str) else value or []
    return {" ".join(name.casefold().split()) for name in listed if name}


def agreement(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, bool]:
    """Compare one document's metadata with the truth, field by field."""
    date, true_date = (found.get("publishedDate") or "")[:10], (wanted.get("date") or "")[:10]
    return {
        "title": " ".join(found["title"].split()) == " ".join(wanted["title"].split()),
        "date": date == true_date,
        "wrong date": bool(date) and date != true_date,
        "author": names(found.get("author")) == names(wanted.get("author")),
        "locale": found.get("locale") == wanted.get("locale", found.get("locale")),
        "categories": names(found.get("categories")) == names(wanted.get("categories")),
    }


def score(export: list[dict[str, Any]], truth: list[dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """Return the figures, and a line for each disagreement."""
    documents = {address(row["url"]): row for row in export}
    wanted = {address(row["url"]): row for row in truth if row.get("page_exists", True)}
    counts: Counter[str] = Counter()
    markdown, text, remarks = [], [], []
    for url, row in wanted.items():
        if (document := documents.get(url)) is None:
            remarks.append(f"missing  {row['url']}")
            continue
        agreed = agreement(document, row)
        counts.update(field for field, holds in agreed.items() if holds)
        remarks += [f"{name:10} {row['url']}" for name, holds in agreed.items() if holds == (name == "wrong date")]
        if row.get("glued_fences") or row.get("liquid"):
            continue
        markdown.append(word_f1(document["body"], row["body_markdown"]))
        text.append(word_f1(document["plainText"], visible(row["body_markdown"])))
        if min(markdown[-1], text[-1]) < 0.97:
            remarks.append(f"body {markdown[-1]:.3f} {text[-1]:.3f} {row['url']}")
    remarks += [f"foreign  {documents[url]['url']}" for url in documents.keys() - wanted.keys()]
    figures = {
        "documents": len(export),
        "duplicates": len(export) - len(documents),
        "wanted": len(wanted),
        "missing": len(wanted.keys() - documents.keys()),
        "foreign": len(documents.keys() - wanted.keys()),
        **{name: counts[name] for name in ("title", "date", "wrong date", "author", "locale", "categories")},
        "bodies": len(markdown),
        "markdown F1": round(mean(markdown or [0]), 4),
        "text F1": round(mean(text or [0]), 4),
    }
    return figures, sorted(remarks)


def main() -> None:
    """Print the figures; the disagreements follow unless `--json` is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    figures, remarks = score(rows(args.export), rows(args.truth))
    if args.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:14} {value}")
    print(*remarks, sep="\n")


if __name__ == "__main__":
    main()
