"""How often the check of summaries is wrong: false alarms on what an article says, and mistakes that it misses.

Taken is a folder with a `gold.json` (page id to `text`, and `title` and `date` where they are known) or a file of JSON
lines as `contentbot export` writes them. Three sentences of each article stand for its summary: they say what it says,
so every error is a false alarm. Then one number of them is changed, or one name, to one that the article does not have:
what is not found then is missed. The choice is the same in every run.

    python benchmarks/summaries.py FOLDER
    python benchmarks/summaries.py documents.jsonl --show
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from contentbot.documents import ContentDocument
from contentbot.summaries import Article, Code, Finding, Severity, Wishes, of_document
from contentbot.summaries.language import detected, primary
from contentbot.summaries.text import sentences
from contentbot.summaries.validator import Evidence, check

FEWEST_WORDS = 120
STRANGERS = ("Hollingsworth", "Teneriffa", "Krasnodar", "Wilhelmina", "Quillfeather")
NUMBER = re.compile(r"(?<![\w.,-])\d{2,4}(?![\w.,-])")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b(?=[ ,.])")
ABOUT_A_CLAIM = frozenset({Code.NUMBER, Code.DATE, Code.NAME})


def articles(path: Path) -> Iterator[Article]:
    """Yield the articles of a benchmark set or an export."""
    if path.is_dir():
        for page in json.loads((path / "gold.json").read_text(encoding="utf-8")).values():
            if page.get("page_type", "article") in {"article", "documentation", "service"}:
                title, date = page.get("title") or "Untitled", page.get("date") or ""
                yield Article(
                    text=page["text"], title=title, published_at=date, language=detected(page["text"]) or "en"
                )
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        yield of_document(ContentDocument.model_validate_json(line))


def lead(article: Article) -> str:
    """Return three sentences from near the beginning; nothing where the article is too short."""
    if len(article.text.split()) < FEWEST_WORDS:
        return ""
    found = [one for one in sentences(" ".join(article.text.split())) if 8 <= len(one.split()) <= 50]
    return " ".join(found[2:5]) if len(found) >= 6 else ""


def errors(said: str, evidence: Evidence) -> list[Finding]:
    """Return the errors of a summary that says this."""
    article = evidence.article
    draft = {"title": article.title[:200] or "-", "language": article.language or "en", "summary": said[:4000]}
    return [one for one in check(draft, evidence, Wishes(sentences=20))[1] if one.severity is Severity.ERROR]


def changed(said: str, article: Article, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the summary with one number, and with one name, that the article does not have."""
    numbers = [match for match in NUMBER.finditer(said) if len(match[0]) < 4]
    if numbers:
        match = dice.choice(numbers)
        other = str(int(match[0]) + dice.choice([3, 7, 11]))
        if other not in article.text:
            yield "number", said[: match.start()] + other + said[match.end() :]
    names = [*NAME.finditer(said)] if primary(article.language) != "de" else []
    if names:
        match = dice.choice(names)
        yield "name", said[: match.start()] + dice.choice(STRANGERS) + said[match.end() :]


def main() -> None:
    """Measure, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("articles", type=Path, help="a folder with gold.json, or a file of JSON lines")
    parser.add_argument("--show", action="store_true", help="print every false alarm")
    asked = parser.parse_args()
    dice, alarms, made, missed = random.Random(1), Counter[str](), Counter[str](), Counter[str]()
    summaries = alarmed = 0
    spent = 0.0
    for article in articles(asked.articles):
        said = lead(article)
        if not said:
            continue
        evidence = Evidence(article)
        start = time.perf_counter()
        found = errors(said, evidence)
        spent += time.perf_counter() - start
        summaries, alarmed = summaries + 1, alarmed + bool(found)
        alarms.update(one.code.value for one in found)
        if asked.show:
            for one in found:
                print(f"{one.code}: {one.found!r}: {one.message}")
        for kind, wrong in changed(said, article, dice):
            made[kind] += 1
            missed[kind] += ABOUT_A_CLAIM.isdisjoint(one.code for one in errors(wrong, evidence))
    figures = {
        "summaries": summaries,
        "with a false alarm": alarmed,
        "false alarms": dict(alarms),
        **{f"{kind}s changed": made[kind] for kind in made},
        **{f"{kind}s missed": missed[kind] for kind in made},
        "ms a summary": round(1000 * spent / max(1, summaries), 1),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
