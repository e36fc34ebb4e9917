"""How good and how fast extraction without selectors is, on pages with gold, beside trafilatura on the same pages.

    python benchmarks/extraction.py SET… [--json]                   the shipped model, on pages that it has not seen
    python benchmarks/extraction.py SET… --folds 5 [--also SET…]    each page by a model that was trained without it

A SET is a folder with `gold.json` and `html/KEY.html`. Each entry of the gold has `text`, and as far as it is known
`url`, `page_type`, `title`, `author` and `date`; entries without `text` are for their metadata. Sets in `--also` are
trained on and not scored. `--limit N` takes every so many-th page, about N of a set.

Measured is what the product makes of a page: the plain text of its rendering, and its metadata.

  shingles  F1 of the mean precision and the mean recall of 4-word runs, case counts; exact: the words are the same
  words     the mean over pages of the F1 of the two multisets of lower-case words, by type of page and by language
  title, author   the same words, case folded
  date            the same day: of publication, or of the last change where a page names only that; `date_precision` is
                  the share of right days among those that were given
  speed     pages a second of CPU time: metadata, text and Markdown
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import py3langid
import trafilatura

from contentbot.documents import Page
from contentbot.errors import ExtractionError
from contentbot.extract.blocks.lexicon import WORD
from contentbot.extract.blocks.model import Model, load, shipped, using
from contentbot.extract.extractor import Reading, open_page, render_body
from contentbot.extract.metadata import read_metadata
from contentbot.extract.warm import warm_up
from training.examples import fold_of, page_of, read_set, rules, site_of

Gold = Mapping[str, dict[str, Any]]
_FIELDS = ("title", "author", "date")
_FEWEST = 5  # pages of a language, to be told on its own


@dataclass(frozen=True, slots=True)
class Guess:
    """What an extractor makes of a page; empty where it finds nothing."""

    text: str = ""
    title: str = ""
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """An extractor on a set; `seconds` of CPU time for metadata, text and Markdown of all pages."""

    guesses: dict[str, Guess]
    seconds: float


def ours(page: Page) -> tuple[Guess, float]:
    """Extract as `contentbot.extract.extract` does, whatever the page says about its address and about indexing."""
    reading, text, start = Reading(), "", time.process_time()
    try:
        tree = open_page(page, rules(), reading)
        reading.metadata = read_metadata(tree, url=page.final_url, now=page.fetched_at, headers=page.headers)
        text = render_body(tree, page, rules(), reading).plain_text
    except ExtractionError as error:
        if reading.metadata is None:
            sys.stderr.write(f"{page.url}: {error}\n")
    seconds, told = time.process_time() - start, reading.metadata
    return (Guess(text, told.title, told.author, told.date[:10]) if told else Guess()), seconds


def theirs(page: Page) -> tuple[Guess, float]:
    """Extract with trafilatura without comments: timed as metadata and Markdown, measured as its plain text."""
    body, start = page.body.decode("utf-8", "replace"), time.process_time()
    wishes: dict[str, Any] = {"url": page.final_url, "include_comments": False}
    trafilatura.extract(body, with_metadata=True, output_format="markdown", **wishes)
    seconds = time.process_time() - start
    found = trafilatura.bare_extraction(body, with_metadata=True, **wishes)
    if not isinstance(found, trafilatura.settings.Document):
        return Guess(), seconds
    text = trafilatura.extract(body, **wishes) or ""
    return Guess(text, found.title or "", found.author or "", (found.date or "")[:10]), seconds


def run(extract: Callable[[Page], tuple[Guess, float]], pages: Mapping[str, Page]) -> Run:
    """Extract all pages."""
    found = {key: extract(page) for key, page in pages.items()}
    return Run({key: guess for key, (guess, _) in found.items()}, sum(seconds for _, seconds in found.values()))


def cross_validated(pages: Mapping[str, Page], gold: Gold, models: Sequence[Model]) -> Run:
    """Extract each page with the model of its fold."""
    whole = Run({}, 0.0)
    for number, model in enumerate(models):
        fold = {key: page for key, page in pages.items() if fold_of(site_of(key, gold[key]), len(models)) == number}
        with using(model):
            part = run(ours, fold)
        whole = Run(whole.guesses | part.guesses, whole.seconds + part.seconds)
    return whole


def word_f1(found: str, wanted: str) -> float:
    """Return the F1 of two texts as multisets of lower-case words; 1 where both are empty."""
    left, right = WORD.findall(found.lower()), WORD.findall(wanted.lower())
    if not left or not right:
        return float(not left and not right)
    return 2 * (Counter(left) & Counter(right)).total() / (len(left) + len(right))


def runs_of_words(text: str, size: int = 4) -> Counter[tuple[str, ...]]:
    """Return the runs of words of a text; a shorter text is one run."""
    words = WORD.findall(text)
    return Counter(tuple(words[start : start + size]) for start in range(max(bool(words), len(words) - size + 1)))


def shingles(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return precision, recall and F1 over pages of (found, wanted), and the share of pages that are exact."""
    precision, recall, exact = [], [], []
    for found, wanted in pairs:
        left, right = runs_of_words(found), runs_of_words(wanted)
        hits = (left & right).total()
        precision += [hits / left.total()] if left else []
        recall += [hits / right.total()] if right else []
        exact.append(WORD.findall(found) == WORD.findall(wanted))
    p, r = mean(precision or [0.0]), mean(recall or [0.0])
    return {"f1": 2 * p * r / ((p + r) or 1), "precision": p, "recall": r, "exact": mean(exact)}


def same(field: str, found: str, wanted: str) -> bool:
    """Say whether a metadata field is right."""
    if field == "date":
        return found[:10] == wanted[:10]
    return WORD.findall(found.casefold()) == WORD.findall(wanted.casefold())


def figures(guesses: Mapping[str, Guess], gold: Gold) -> dict[str, Any]:
    """Return all measures of a set."""
    told: dict[str, Any] = {"pages": len(guesses)}
    with_text = [key for key in guesses if gold[key].get("text")]
    if with_text:
        pairs = {key: (guesses[key].text, gold[key]["text"]) for key in with_text}
        told["shingles"] = shingles(list(pairs.values()))
        each = {key: word_f1(*pair) for key, pair in pairs.items()}
        told["words"] = {"all": mean(each.values())}
        told["words"] |= grouped(each, lambda key: gold[key].get("page_type") or "")
        told["languages"] = grouped(each, lambda key: language(gold[key]["text"]), _FEWEST)
    for field in _FIELDS:
        # titles and authors are told for articles, as the public sets do
        known = [key for key in guesses if gold[key].get(field) and gold[key].get("page_type", "article") == "article"]
        if known:
            told[field] = mean(same(field, getattr(guesses[key], field), gold[key][field]) for key in known)
        if field == "date" and (given := [key for key in known if guesses[key].date]):
            told["date_precision"] = mean(same(field, guesses[key].date, gold[key][field]) for key in given)
    return told


def grouped(each: Mapping[str, float], group: Callable[[str], str], fewest: int = 1) -> dict[str, float]:
    """Return the mean of each group that has a name and enough pages."""
    groups = defaultdict(list)
    for key, value in each.items():
        groups[group(key)].append(value)
    return {name: mean(values) for name, values in sorted(groups.items()) if name and len(values) >= fewest}


def language(text: str) -> str:
    """Return the language of a text, by the text alone."""
    return str(py3langid.classify(text[:5000])[0])


def measure(folder: Path, models: Sequence[Model], limit: int) -> dict[str, Any]:
    """Measure one set."""
    gold: Gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    keys = sorted(gold)
    pages = {key: page_of(key, gold[key], folder) for key in keys[:: max(1, len(keys) // limit) if limit else 1]}
    first = next(iter(pages.values()))
    warm_up(), ours(first), theirs(first)  # what is loaded once is not a page's time
    mine = cross_validated(pages, gold, models) if models else run(ours, pages)
    other = run(theirs, pages)
    told = {
        name: figures(one.guesses, gold) | {"pages_a_second": len(pages) / one.seconds}
        for name, one in (("contentbot", mine), ("trafilatura", other))
    }
    return told | {"speed": other.seconds / mine.seconds}


def trained(sets: Sequence[Path], also: Sequence[Path], folds: int, cache: Path) -> list[Model]:
    """Train a model without each fold."""
    from training.recipe import cross_validate  # noqa: PLC0415 - lightgbm is an extra, for training only

    examples = [example for folder in [*sets, *also] for example in read_set(folder, cache)]
    return cross_validate(examples, folds).models


def lines(name: str, told: Mapping[str, Any]) -> Iterator[str]:
    """Yield a set's figures for a reader."""
    mine, other = told["contentbot"], told["trafilatura"]
    yield f"{name}: {mine['pages']} pages" + " " * 16 + "contentbot  trafilatura"
    for measure_name, value in mine.items():
        if measure_name == "pages":
            continue
        rows = value if isinstance(value, dict) else {"": value}
        theirs_ = other[measure_name] if isinstance(value, dict) else {"": other[measure_name]}
        for row, figure in rows.items():
            yield f"  {measure_name} {row}".ljust(36) + f"{figure:10.4f}  {theirs_[row]:11.4f}"
    yield f"  {told['speed']:.2f} times trafilatura's pages a second"


def main() -> None:
    """Measure the sets that the command names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--folds", type=int, default=0, help="cross-validate: train as many models (minutes each)")
    parser.add_argument("--also", nargs="*", type=Path, default=[], metavar="SET", help="trained on, not scored")
    parser.add_argument("--models", type=Path, help="a folder with fold0.npz … of an earlier training")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "contentbot-training")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.folds and given.models:
        models = [load(given.models / f"fold{number}.npz") for number in range(given.folds)]
    else:
        models = trained(given.sets, given.also, given.folds, given.cache) if given.folds else []
    if not models:
        shipped()
    told = {folder.name: measure(folder, models, given.limit) for folder in given.sets}
    told["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if given.json:
        print(json.dumps(told, indent=1))
        return
    for folder in given.sets:
        print("\n".join(lines(folder.name, told[folder.name])))
    print(f"peak memory {told['peak_memory_mb']} MB")


if __name__ == "__main__":
    main()
