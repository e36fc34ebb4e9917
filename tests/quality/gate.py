"""How well the content of our own pages is found without a selector.

    python -m tests.quality.gate           what it is now, beside what it was
    python -m tests.quality.gate --renew   write the figures of now to figures.json

Run it with `--renew` when a figure drops on purpose, and say in the commit what was gained for it.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import fmean

from lxml.html import HtmlElement, document_fromstring

from contentbot.documents import Page
from contentbot.extract import ExtractRules, extract
from contentbot.sources.models import WebsiteSource

FOLDER = Path(__file__).parent
FIGURES = FOLDER / "figures.json"
ALLOWED = 0.003
"""How much a figure may drop."""

_HOME = "https://quality.example"
_WORD = re.compile(r"\w+")
# scripts without spaces are compared letter by letter
_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")
_MARK = re.compile(r" data-(?:gold|not)(?=[ >])")


@cache
def figures() -> dict[str, float]:
    """Return the word F1 of every page, and their mean."""
    found = {file.stem: _figure(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("pages/*.html"))}
    return {**found, "mean": round(fmean(found.values()), 4)}


def kept_figures() -> dict[str, float]:
    """Return what the figures were."""
    kept: dict[str, float] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return kept


def _figure(marked: str) -> float:
    """Return the F1 of what is extracted and the parts marked `data-gold`, as multisets of words."""
    page = Page(f"{_HOME}/page", f"{_HOME}/page", _MARK.sub("", marked).encode(), {"content-type": "text/html"})
    rules = ExtractRules(WebsiteSource.model_validate({"id": "quality", "type": "website", "base-url": _HOME}))
    found, wanted = _words(extract(page, rules).plain_text), _words(_gold(document_fromstring(marked)))
    hits = (found & wanted).total()
    return round(2 * hits / (found.total() + wanted.total()), 4)


def _gold(tree: HtmlElement) -> str:
    for element in tree.xpath("//*[@data-not]"):
        element.drop_tree()
    return " ".join(text for element in tree.xpath("//*[@data-gold]") for text in element.itertext())


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(_UNSPACED.sub(r" \1 ", text.casefold())))


def table(now: Mapping[str, float], before: Mapping[str, float]) -> str:
    """Return both figures of every page."""
    return "\n".join(f"{name:16} {now[name]:.4f}  {before.get(name, 0.0):.4f}" for name in now)


def main() -> None:
    """Print the figures, or write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true")
    if parser.parse_args().renew:
        FIGURES.write_text(json.dumps(figures(), indent=1) + "\n", encoding="utf-8")
    print(table(figures(), kept_figures()))


if __name__ == "__main__":
    main()
