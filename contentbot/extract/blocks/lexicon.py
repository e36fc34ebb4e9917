"""Learned scores of words: how much likelier than others a text is content that they name or that holds them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from contentbot.extract.blocks.layout import Floats
from contentbot.extract.blocks.walk import Containers

WORD = re.compile(r"\w+")
# of longer texts only the first words are looked up
SHORT = 90
_DECAY = 0.7


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Log odds, 0 for words that say nothing.

    Attributes:
        names: of sub-words of class names and ids.
        words: of the words of short texts; `^word` begins one, `=text` is the whole of one, `^^` begins a long text.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


def keys_of(text: str, words: Sequence[str]) -> Sequence[str]:
    """Return what a text is looked up by; `words` are its words in lower case, at least the first ones."""
    if len(text) < SHORT:
        keys = dict.fromkeys(words)
        if words:
            keys[f"^{words[0]}"] = None
        if len(words) <= 4:
            keys[f"={' '.join(words)}"] = None
        return list(keys)
    return (f"^^{words[0]}", f"^^{' '.join(words[:2])}") if words else ()


@dataclass(frozen=True, slots=True)
class NameScores:
    """What the names of each container say.

    Attributes:
        worst, best: the lowest and the highest score of it and all containers around it.
        fading: the sum of all of them, those further out counting less.
        own: of its names alone.
    """

    worst: Floats
    best: Floats
    fading: Floats
    own: Floats


def score_names(nodes: Containers, lexicon: Lexicon) -> NameScores:
    """Score all containers of a page."""
    known: dict[tuple[str, ...], tuple[float, float, float]] = {(): (0.0, 0.0, 0.0)}
    get = lexicon.names.get
    rows: list[tuple[float, float, float, float]] = []
    for names, parent in zip(nodes.names, nodes.parent, strict=True):
        worst, best, fading, _ = rows[parent] if parent >= 0 else (0.0, 0.0, 0.0, 0.0)
        scores = known.get(names)
        if scores is None:
            values = [get(name, 0.0) for name in names]
            scores = known[names] = (min(values), max(values), sum(values))
        low, high, sum_ = scores
        rows.append((min(low, worst), max(high, best), _DECAY * fading + sum_, low + high))
    return NameScores(*np.array(rows, np.float32).T)
