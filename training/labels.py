"""Which blocks of a page stand in its gold text."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from contentbot.extract.blocks.layout import Floats
from contentbot.extract.blocks.lexicon import WORD

GRAM = 4
# a short block is content only as a whole; of a long one the gold may lack a line
_SHORT, _LEAST_OF_SHORT, _LEAST_OF_LONG = 120, 0.85, 0.6
_REACH, _CAP = 6, 40


def label(blocks: Sequence[str], gold: str) -> Floats:
    """Return 1 for the blocks that are content, else 0.

    A block is content when enough of its words stand in 4-grams that the gold has too, or when it is a line of the
    gold. Of a text that the page shows more often than the gold, those in the best company count.
    """
    words = [WORD.findall(block.lower()) for block in blocks]
    cover = _cover(words, gold)
    enough = [_LEAST_OF_SHORT if len(block) < _SHORT else _LEAST_OF_LONG for block in blocks]
    return (np.array(cover) >= np.array(enough)).astype(np.float32)


def _cover(words: Sequence[list[str]], gold: str) -> list[float]:
    wanted = WORD.findall(gold.lower())
    lines = {" ".join(WORD.findall(line.lower())) for line in gold.splitlines()}
    cover = list(_shares(words, wanted))
    for number, found in enumerate(words):
        if found and cover[number] < 0.5 and " ".join(found) in lines:
            cover[number] = 1.0
    _drop_copies(cover, words, wanted)
    return cover


def _shares(words: Sequence[list[str]], wanted: list[str]) -> Iterator[float]:
    """Yield the share of each block's words that stand in a run of words of the gold."""
    grams = set(zip(*(wanted[start:] for start in range(GRAM)), strict=False))
    run = [word for found in words for word in found]
    covered = bytearray(len(run))
    for start, gram in enumerate(zip(*(run[start:] for start in range(GRAM)), strict=False)):
        if gram in grams:
            covered[start : start + GRAM] = b"\1" * GRAM
    position = 0
    for found in words:
        yield sum(covered[position : position + len(found)]) / len(found) if found else 0.0
        position += len(found)


def _drop_copies(cover: list[float], words: Sequence[list[str]], wanted: list[str]) -> None:
    places = defaultdict(list)
    for number, found in enumerate(words):
        if found and cover[number] >= 0.5:
            places[" ".join(found)].append(number)
    text, before = f" {' '.join(wanted)} ", list(cover)
    for key, numbers in places.items():
        copies = max(1, text.count(f" {key} ")) if len(numbers) > 1 else 1
        for number in sorted(numbers, key=lambda number: -_company(number, before, words))[copies:]:
            cover[number] = 0.0


def _company(number: int, cover: Sequence[float], words: Sequence[list[str]]) -> float:
    """Return how much of what stands near a block is content."""
    near = [other for other in range(max(0, number - _REACH), min(len(cover), number + _REACH + 1)) if other != number]
    weights = Counter({other: min(len(words[other]), _CAP) for other in near})
    return sum(cover[other] * weight for other, weight in weights.items()) / (1 + weights.total())
