"""The model of what is content, and how it judges the blocks of a page.

    features of blocks -> page model -> first stage -> second stage -> probabilities

The file `model.npz` beside this module holds numbers and words only; `training/` makes it.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from contentbot.extract.blocks.columns import Columns
from contentbot.extract.blocks.features import read_features
from contentbot.extract.blocks.forest import Forest
from contentbot.extract.blocks.gravity import add_gravity
from contentbot.extract.blocks.hints import Hints
from contentbot.extract.blocks.layout import Floats, Layout
from contentbot.extract.blocks.lexicon import Lexicon
from contentbot.extract.blocks.pagekind import KINDS, KindWords, PageModel, read_page_features
from contentbot.extract.blocks.second import add_second_look
from contentbot.extract.blocks.voters import add_votes

SHIPPED = Path(__file__).with_name("model.npz")
# how much of the second stage is believed
_SECOND = 0.4
# page features that the second stage sees: the shares of the page's text
_PAGE_FEATURES = 15
# features of the first stage that the second one sees again
_SEEN_TWICE = (
    *["length", "log_length", "linked", "local", "strong", "tag", "ends", "ends_colon", "word_low", "word_high"],
    *["word_mean", "in_title", "in_description", "first_words", "date", "price", "after_h1", "in_body", "from_body"],
    *["pull_1", "pull_2", "pull_3", "rival", "body_share"],
)


class ModelError(Exception):
    """The model file is damaged, or is for other features than this code reads."""


@dataclass(frozen=True, slots=True)
class BlockTable:
    """The features of a page's blocks, by name."""

    names: Sequence[str]
    values: Floats
    page: Floats

    def with_page(self, judged: Floats) -> Floats:
        """Return what the first stage reads: each block with the page's own features and what is thought of it."""
        row = np.concatenate([self.page, judged]).astype(np.float32)
        return np.concatenate([self.values, np.broadcast_to(row, (len(self.values), len(row)))], 1)

    def second_look(self, layout: Layout, likely: Floats, judged: Floats) -> Floats:
        """Return what the second stage reads."""
        columns = Columns(layout.count)
        add_second_look(columns, layout, likely)
        seen = [number for number, name in enumerate(self.names) if name in _SEEN_TWICE or name.startswith("vote")]
        row = np.concatenate([judged, self.page[:_PAGE_FEATURES]]).astype(np.float32)
        page = np.broadcast_to(row, (layout.count, len(row)))
        return np.concatenate([columns.table(), self.values[:, seen], page], 1)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model thinks of a page: the probability that each block is content, and that of each kind of page."""

    likely: Floats
    kinds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Model:
    """All that was learned."""

    lexicon: Lexicon
    pages: PageModel
    first: Forest
    second: Forest

    def judge(self, layout: Layout, hints: Hints, votes: Sequence[Floats]) -> Judgement:
        """Judge the blocks of a page."""
        table = tabulate(layout, hints, votes, self.lexicon)
        judged = self.pages.judge(layout, hints, table.page, table.values)
        first = self.first.probabilities(table.with_page(judged))
        second = self.second.probabilities(table.second_look(layout, first, judged))
        kinds = {kind: float(share) for kind, share in zip(KINDS, judged, strict=False)}
        return Judgement(blend(first, second), kinds)

    def save(self, file: Path) -> None:
        """Write the model to a file."""
        words = self.pages.words
        said = {"names": self.lexicon.names, "words": self.lexicon.words, "kind_words": list(words.number)}
        text = json.dumps(said, ensure_ascii=False, sort_keys=True).encode()
        arrays: dict[str, NDArray[np.generic]] = {
            "said": np.frombuffer(text, np.uint8),
            "odds": words.odds.astype(np.float16),
        }
        for name, forest in self._forests().items():
            arrays |= forest.arrays(name)
        np.savez_compressed(file, allow_pickle=False, **arrays)

    def _forests(self) -> dict[str, Forest]:
        return {"first": self.first, "second": self.second, "kind": self.pages.kind, "share": self.pages.share}


def tabulate(layout: Layout, hints: Hints, votes: Sequence[Floats], lexicon: Lexicon) -> BlockTable:
    """Return the features of a page's blocks."""
    columns = read_features(layout, hints, lexicon)
    add_gravity(columns, layout)
    add_votes(columns, layout, votes)
    return BlockTable(columns.names, columns.table(), read_page_features(layout, hints))


def blend(first: Floats, second: Floats) -> Floats:
    """Return the probabilities of both stages as one."""
    return (1 - _SECOND) * first + _SECOND * second


@cache
def shipped() -> Model:
    """Return the model that comes with the package."""
    return load(SHIPPED)


# another model than the shipped one, while a benchmark measures it
_other: ContextVar[Model | None] = ContextVar("model", default=None)


def current() -> Model:
    """Return the model that judges."""
    return _other.get() or shipped()


@contextmanager
def using(model: Model) -> Iterator[None]:
    """Judge by another model than the shipped one."""
    token = _other.set(model)
    try:
        yield
    finally:
        _other.reset(token)


def load(file: Path) -> Model:
    """Read a model.

    Raises:
        ModelError: the file is damaged, or was made for other features.
    """
    try:
        with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as stored:
            said = json.loads(stored["said"].tobytes())
            kind_words = {word: number for number, word in enumerate(said["kind_words"])}
            forests = {name: Forest.from_arrays(stored, name) for name in ("first", "second", "kind", "share")}
            odds = np.asarray(stored["odds"], np.float32)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise ModelError(f"{file} is no model of this version; install the package anew") from error
    pages = PageModel(KindWords(kind_words, odds), forests["kind"], forests["share"])
    return Model(Lexicon(said["names"], said["words"]), pages, forests["first"], forests["second"])
