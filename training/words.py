"""The learned scores of words: of class names, of short texts, and of pages of a kind."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from contentbot.extract.blocks.layout import Floats
from contentbot.extract.blocks.lexicon import WORD, Lexicon, keys_of
from contentbot.extract.blocks.pagekind import KINDS, KindWords, page_words
from training.examples import Example

# how many pages a word has to be on, and how much its score has to be
_NAMES, _WORDS, _KIND_WORDS = (5, 0.2), (8, 0.5), 6
_PRIOR = 3


class _Tally:
    """For each word, on how many pages it is and the sum of the shares of content there."""

    def __init__(self) -> None:
        self.pages: Counter[str] = Counter()
        self.content: dict[str, float] = defaultdict(float)

    def add_page(self, found: Mapping[str, tuple[float, float]]) -> None:
        for word, (whole, content) in found.items():
            self.pages[word] += 1
            self.content[word] += content / whole

    def scores(self, least: int, strong: float) -> dict[str, float]:
        mean = sum(self.content.values()) / max(1, self.pages.total())
        odds = np.log(mean / (1 - mean))
        found = {}
        for word, pages in sorted(self.pages.items()):
            if pages >= least:
                share = (self.content[word] + _PRIOR * mean) / (pages + _PRIOR)
                found[word] = round(float(np.log(share / (1 - share)) - odds), 2)
        return {word: score for word, score in found.items() if abs(score) >= strong}


@dataclass(frozen=True, slots=True)
class Counts:
    """What one page adds to the lexicon: for each word how much text it names or stands in, and how much is content."""

    names: Mapping[str, tuple[float, float]]
    words: Mapping[str, tuple[float, float]]


def count_words(example: Example) -> Counts:
    """Count the words of a page."""
    return Counts(_by_name(example), _by_word(example))


def learn_lexicon(pages: Iterable[Counts]) -> Lexicon:
    """Learn what class names and short texts say."""
    names, words = _Tally(), _Tally()
    for page in pages:
        names.add_page(page.names)
        words.add_page(page.words)
    return Lexicon(names.scores(*_NAMES), words.scores(*_WORDS))


def _by_name(example: Example) -> dict[str, tuple[float, float]]:
    """Return for each sub-word the characters in the containers so named, and those of content."""
    nodes, length = example.blocks.containers, np.array([len(text) for text in example.blocks.text], float)
    whole = np.concatenate([[0.0], np.cumsum(length)])
    content = np.concatenate([[0.0], np.cumsum(length * example.labels)])
    found: dict[str, tuple[float, float]] = {}
    for names, first, end in zip(nodes.names, nodes.first, nodes.end, strict=True):
        if end > first:
            for name in names:
                chars, hits = found.get(name, (0.0, 0.0))
                found[name] = chars + whole[end] - whole[first], hits + content[end] - content[first]
    return found


def _by_word(example: Example) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for text, content in zip(example.blocks.text, example.labels.tolist(), strict=True):
        for key in keys_of(text, WORD.findall(text[:160].lower())):
            count, hits = found.get(key, (0.0, 0.0))
            found[key] = count + 1, hits + content
    return found


def learn_kind_words(examples: Sequence[Example]) -> tuple[KindWords, list[Floats]]:
    """Learn which words tell a page's kind; return also what they say of each page without that page's own part."""
    words = [page_words(example.layout, example.hints) for example in examples]
    count = Counter(word for found in words for word in found)
    number = {
        word: place for place, word in enumerate(sorted(word for word, pages in count.items() if pages >= _KIND_WORDS))
    }
    seen, pages = np.zeros((len(number), len(KINDS))), np.zeros(len(KINDS))
    known = [sorted(number[word] for word in found if word in number) for found in words]
    for ids, example in zip(known, examples, strict=True):
        kind = KINDS.index(example.kind)
        pages[kind] += 1
        seen[ids, kind] += 1
    without = [
        _without(seen[ids], pages, KINDS.index(example.kind)) for ids, example in zip(known, examples, strict=True)
    ]
    return KindWords(number, _odds(seen, pages)), without


def _without(rows: Floats, pages: Floats, kind: int) -> Floats:
    rows, pages = rows.copy(), pages.copy()
    rows[:, kind] -= 1
    pages[kind] -= 1
    names = {str(place): place for place in range(len(rows))}
    return KindWords(names, _odds(rows, pages)).weigh(names)


def _odds(seen: Floats, pages: Floats) -> Floats:
    usual = (seen.sum(1, keepdims=True) + 1) / (pages.sum() + 2)
    return np.round(np.log((seen + 4 * usual) / (pages + 4) / usual), 2).astype(np.float32)
