"""The recipe: from examples to a model, and to the models of a cross-validation.

Every stage reads what the one before says of pages that it has not seen, as it will in use: the learned scores of
words, the page model and the first stage are made once for each fold, without its pages.
"""

import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from contentbot.extract.blocks.forest import Forest
from contentbot.extract.blocks.layout import Bools, Floats, Layout
from contentbot.extract.blocks.lexicon import Lexicon
from contentbot.extract.blocks.model import BlockTable, Model, blend, tabulate
from contentbot.extract.blocks.pagekind import KINDS, PageModel, summarise
from training.examples import Example
from training.trees import average, grow
from training.words import Counts, count_words, learn_kind_words, learn_lexicon

# what a page counts, by where its gold comes from: AEB's was made most carefully, `tf` is another extractor's output
WEIGHTS: Mapping[str, float] = {"wcxb-dev": 1.0, "aeb-dev": 8.0, "tf": 0.6, "mz": 1.2, "mha": 1.2, "mhf": 1.0}
# articles are the most of all sets, and the easiest
OTHER_KINDS = 1.3
# sets with other ideas of whether titles and datelines are content: no lesson from their first lines
_OWN_CONVENTIONS = frozenset(["tf", "mz", "mha", "mhf"])
_ROUNDS_1, _ROUNDS_2, _ROUNDS_PAGE = 250, 130, 150
_FIRST = {
    "learning_rate": 0.07,
    "num_leaves": 16,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.6,
}
_SECOND = {
    "learning_rate": 0.05,
    "num_leaves": 12,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.6,
}
_PAGE = {
    "learning_rate": 0.06,
    "num_leaves": 7,
    "min_data_in_leaf": 15,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.7,
}
_SEEDS = (1, 2)

Part = TypeVar("Part")


@dataclass(slots=True)
class Page:
    """An example on its way through the stages."""

    example: Example
    fold: int
    layout: Layout
    table: BlockTable
    judged: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    first: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    second: Floats = field(default_factory=lambda: np.zeros(0, np.float32))


@dataclass(slots=True)
class Trained:
    """A model for each fold, which saw no page of it, and the pages with what those models say."""

    models: list[Model]
    pages: list[Page]
    counts: list[Counts]


def cross_validate(examples: Sequence[Example], folds: int, workers: int = 2) -> Trained:
    """Train a model without the pages of each fold."""
    with ProcessPoolExecutor(workers) as pool:
        counts = list(pool.map(count_words, examples, chunksize=32))
        lexicons = [
            learn_lexicon(page for page, example in zip(counts, examples, strict=True) if example.fold(folds) != fold)
            for fold in range(folds)
        ]
        _say("lexicons")
        numbers = [example.fold(folds) for example in examples]
        pages = list(pool.map(_page, examples, [lexicons[number] for number in numbers], numbers, chunksize=32))
    _say(f"{len(pages)} pages, {pages[0].table.values.shape[1]} features")
    judges = _by_fold(pages, folds, workers, learn_pages)
    for page in pages:
        page.judged = judges[page.fold].judge(page.layout, page.example.hints, page.table.page, page.table.values)
    _say("page models")
    firsts = _by_fold(pages, folds, workers, grow_first)
    for page in pages:
        page.first = firsts[page.fold].probabilities(page.table.with_page(page.judged))
    _say("first stage")
    seconds = _by_fold(pages, folds, workers, grow_second)
    for page in pages:
        page.second = seconds[page.fold].probabilities(page.table.second_look(page.layout, page.first, page.judged))
    _say("second stage")
    models = [Model(*parts) for parts in zip(lexicons, judges, firsts, seconds, strict=True)]
    return Trained(models, pages, counts)


def finish(trained: Trained, workers: int = 2) -> Model:
    """Train the model that is shipped, on all pages of a cross-validation."""
    pages = trained.pages
    with ThreadPoolExecutor(workers) as pool:
        firsts = [pool.submit(grow_first, pages, seed) for seed in _SEEDS]
        seconds = [pool.submit(grow_second, pages, seed) for seed in _SEEDS]
        judge = pool.submit(learn_pages, pages)
        first, second = (average([part.result() for part in parts]) for parts in (firsts, seconds))
    _say("model")
    return Model(learn_lexicon(trained.counts), judge.result(), first, second)


def likely(page: Page) -> Floats:
    """Return what the models of its fold think of a page."""
    return blend(page.first, page.second)


def learn_pages(pages: Sequence[Page]) -> PageModel:
    """Train the models that look at whole pages."""
    pages = [page for page in pages if page.example.source != "tf"]
    words, own = learn_kind_words([page.example for page in pages])
    rows = np.array(
        [
            summarise(page.table.page, page.table.values, page.layout.length, without)
            for page, without in zip(pages, own, strict=True)
        ]
    )
    weights = np.array([1.0 if page.example.source == "wcxb-dev" else 0.5 for page in pages])
    kinds = np.array([KINDS.index(page.example.kind) for page in pages], np.float32)
    shares = np.array([float((page.layout.length * page.example.labels).sum()) / page.layout.total for page in pages])
    kind = grow(rows, kinds, weights, _ROUNDS_PAGE, objective="multiclass", num_class=len(KINDS), **_PAGE)
    return PageModel(words, kind, grow(rows, shares, weights, _ROUNDS_PAGE, objective="cross_entropy", **_PAGE))


def grow_first(pages: Sequence[Page], seed: int = _SEEDS[0]) -> Forest:
    """Train the first stage."""
    return _grow(
        pages,
        lambda page: page.table.with_page(page.judged),
        lambda page: (np.array(page.layout.linked) > 0.8) | (page.layout.length < 20),
        0.35,
        _ROUNDS_1,
        _FIRST | {"seed": seed},
    )


def grow_second(pages: Sequence[Page], seed: int = _SEEDS[0]) -> Forest:
    """Train the second stage."""
    return _grow(
        pages,
        lambda page: page.table.second_look(page.layout, page.first, page.judged),
        lambda page: page.first < 0.02,
        0.2,
        _ROUNDS_2,
        _SECOND | {"seed": seed},
    )


def _grow(
    pages: Sequence[Page],
    rows_of: Callable[[Page], Floats],
    is_easy: Callable[[Page], Bools],
    share: float,
    rounds: int,
    parameters: Mapping[str, float],
) -> Forest:
    """Grow a forest; of the blocks that are no content and easily seen to be none, a share stands for all."""
    rows, labels, weights = [], [], []
    for page in pages:
        easy = is_easy(page) & (page.example.labels < 0.5)
        chance = np.random.RandomState(zlib.crc32(repr(page.example.name).encode())).rand(page.layout.count)
        kept = (~easy | (chance < share)) & _teaches(page)
        rows.append(rows_of(page)[kept])
        labels.append(page.example.labels[kept])
        weights.append((_weigh(page) * np.where(easy, 1 / share, 1))[kept])
    table, targets, each = np.concatenate(rows), np.concatenate(labels), np.concatenate(weights)
    return grow(table, targets, each, rounds, objective="binary", **parameters)


def _teaches(page: Page) -> Bools:
    """Return which blocks count: all, or only those from the first paragraph on."""
    every = np.ones(page.layout.count, np.bool_)
    if page.example.source not in _OWN_CONVENTIONS:
        return every
    content = np.flatnonzero((page.example.labels > 0) & (page.layout.length > 60))
    start = content[0] if len(content) else 0
    return ~((page.layout.length < 60) & (page.layout.index < start))


def _weigh(page: Page) -> Floats:
    """Return what each block counts: its part of what a page's F1 is made of."""
    weight = np.minimum(page.layout.length, 600) ** 0.8
    whole = max(float(weight[page.example.labels > 0].sum()), 0.15 * float(weight.sum()), 200.0)
    counts = WEIGHTS.get(page.example.source, 1.0) * (1.0 if page.example.kind == "article" else OTHER_KINDS)
    return np.asarray(weight / whole * counts, np.float32)


def _page(example: Example, lexicon: Lexicon, fold: int) -> Page:
    layout = example.layout
    # a language that no page was in: what the words say is not there to be relied on
    if example.name[0] == "wcxb-dev" and zlib.crc32(f"w{example.name[1]}".encode()) % 5 == 0:
        lexicon = Lexicon(lexicon.names, {})
    return Page(example, fold, layout, tabulate(layout, example.hints, example.votes, lexicon))


def _by_fold(pages: Sequence[Page], folds: int, workers: int, learn: Callable[[Sequence[Page]], Part]) -> list[Part]:
    """Learn once for each fold without its pages; in threads, for lightgbm works outside of Python."""
    seen = [[page for page in pages if page.fold != fold] for fold in range(folds)]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(learn, seen))


def _say(what: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {what}\n")
