"""The words of the index, to find other spellings, typos and continuations of a word.

Words are read from the engine per first letter, when a query needs them, and kept as long as the commit they belong to.
Letters are compared folded (no accents; ü, ue and u are one), so a bucket holds every letter that folds to the same.
"""

import bisect
import math
import threading
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache, lru_cache

import tantivy
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from contentbot.index.tantivy.analysis import fold, spell_out, strip_accents

FIELD = "all_words"
ONE_TYPO, TWO_TYPOS = 5, 9
"""How many letters a word needs for one typo and for two."""

MAX_SPELLINGS = 16
MAX_TYPOS = 24
MAX_CONTINUATIONS = 48
MAX_REMEMBERED = 4096


class Kinship(IntEnum):
    """How a word of the index came to stand for a word of the query, closest first."""

    SAME = 0
    SPELLING = 1
    CONTINUATION = 2
    FOLDED_CONTINUATION = 3
    TYPO = 4
    TWO_TYPOS = 5


@dataclass(frozen=True, slots=True)
class Relative:
    """A word of the index that stands for a word of the query; `frequency` is the number of documents with it."""

    word: str
    kinship: Kinship
    frequency: int


@dataclass(slots=True)
class _Bucket:
    """The words that begin with one (folded) letter."""

    words: dict[str, int] = field(default_factory=dict)
    by_fold: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sorted_folds: list[str] = field(default_factory=list)
    plain: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    plain_by_length: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


class Vocabulary:
    """The words of one commit."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self._searcher = searcher
        self._buckets: dict[str, _Bucket] = {}
        self._guard = threading.Lock()
        self._relatives = lru_cache(maxsize=MAX_REMEMBERED)(self._find_relatives)

    def relatives(self, word: str, *, open_ended: bool = False) -> Sequence[Relative]:
        """Return the words of the index that a query's word may mean, the word itself always first."""
        return self._relatives(word, open_ended)

    def _find_relatives(self, word: str, open_ended: bool) -> Sequence[Relative]:
        folded = fold(word)
        found: dict[str, Kinship] = {word: Kinship.SAME}
        bucket = self._bucket(folded[:1])
        self._add(found, self._common(bucket, bucket.by_fold.get(folded, []), MAX_SPELLINGS), Kinship.SPELLING)
        if open_ended:
            starting = _starting(bucket, word, folded)
            common = self._common(bucket, starting, MAX_CONTINUATIONS)
            self._add(found, [each for each in common if each.startswith(word)], Kinship.CONTINUATION)
            self._add(found, common, Kinship.FOLDED_CONTINUATION)
        for kinship, words in self._typos(bucket, strip_accents(word)):
            self._add(found, words, kinship)
        return [Relative(each, kinship, self._frequency(each)) for each, kinship in found.items()]

    def spellings(self, word: str) -> list[str]:
        """Return the word and its spellings in the index."""
        bucket = self._bucket(fold(word)[:1])
        return list(dict.fromkeys([word, *self._common(bucket, bucket.by_fold.get(fold(word), []), MAX_SPELLINGS)]))

    @staticmethod
    def _add(found: dict[str, Kinship], words: list[str], kinship: Kinship) -> None:
        for word in words:
            found.setdefault(word, kinship)

    @staticmethod
    def _common(bucket: _Bucket, words: list[str], limit: int) -> list[str]:
        return sorted(words, key=lambda each: (-bucket.words.get(each, 0), each))[:limit]

    def _typos(self, bucket: _Bucket, word: str) -> Iterator[tuple[Kinship, list[str]]]:
        """Yield words with one typo and with two, as far as the length of the word allows them."""
        if len(word) < ONE_TYPO or not word.isalpha():
            return
        allowed = 1 if len(word) < TWO_TYPOS else 2
        near: dict[int, list[str]] = {1: [], 2: []}
        for length in range(len(word) - allowed, len(word) + allowed + 1):
            candidates = bucket.plain_by_length.get(length, [])
            close = extract(word, candidates, scorer=OSA.distance, score_cutoff=allowed, limit=None, processor=None)
            for key, distance, _ in close:
                if distance:
                    near[int(distance)].extend(bucket.plain[key])
        if allowed == 2:
            near[2].extend(self._other_first_letter(word))
        yield Kinship.TYPO, self._common(bucket, near[1], MAX_TYPOS)
        yield Kinship.TWO_TYPOS, self._common(bucket, near[2], MAX_TYPOS)

    def _other_first_letter(self, word: str) -> list[str]:
        """Return existing words that differ in the first letter only: such a typo counts two."""
        guesses = {word[1:], word[1] + word[0] + word[2:]}
        guesses |= {letter + word[1:] for letter in "abcdefghijklmnopqrstuvwxyz"}
        guesses |= {letter + word for letter in "abcdefghijklmnopqrstuvwxyz"}
        return sorted(guess for guess in guesses if guess[0] != word[0] and self._frequency(guess))

    def _frequency(self, word: str) -> int:
        return int(self._searcher.doc_freq(FIELD, word))

    def _bucket(self, letter: str) -> _Bucket:
        with self._guard:
            if letter not in self._buckets:
                self._buckets[letter] = self._read(letter)
            return self._buckets[letter]

    def _read(self, letter: str) -> _Bucket:
        bucket = _Bucket()
        for start in sorted(_letters().get(letter, {letter}) | {letter}):
            bucket.words.update(self._searcher.terms_with_prefix(FIELD, start))
        for word in bucket.words:
            bucket.by_fold[fold(word)].append(word)
            bucket.plain[strip_accents(word)].append(word)
        bucket.sorted_folds = sorted(bucket.by_fold)
        for key in bucket.plain:
            bucket.plain_by_length[len(key)].append(key)
        return bucket


def _starting(bucket: _Bucket, word: str, folded: str) -> list[str]:
    """Return the words that begin with what was typed so far."""
    low = bisect.bisect_left(bucket.sorted_folds, folded)
    high = bisect.bisect_left(bucket.sorted_folds, folded + "\U0010ffff")
    found = [each for key in bucket.sorted_folds[low:high] for each in bucket.by_fold[key]]
    if word[-2:] in ("ae", "oe", "ue"):
        # mue begins Mueller and Müller, not Museum
        return [each for each in found if spell_out(each).startswith(word)]
    return found


@cache
def _letters() -> Mapping[str, set[str]]:
    """Map each plain letter to the Latin letters that fold to it."""
    letters: dict[str, set[str]] = defaultdict(set)
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        character = chr(code)
        if character.islower() and unicodedata.category(character).startswith("L"):
            letters[fold(character)[:1]].add(character)
    return letters


def rarity(frequency: int, documents: int) -> float:
    """Return the inverse document frequency as BM25 has it."""
    return math.log(1 + (documents - min(frequency, documents) + 0.5) / (frequency + 0.5))
