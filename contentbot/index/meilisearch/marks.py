"""Where in a section the words of a question are: what the engine matched, and other forms of the words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from contentbot.index.meilisearch.records import fold
from contentbot.index.meilisearch.words import Words
from contentbot.index.scripts import holds_unspaced, is_unspaced
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.marks import Marker
from contentbot.index.tantivy.terms import Terms

_LETTER = re.compile(r"[^\W_]")
_WORD = re.compile(rf"{analysis.SIGNED}|[^\W_]+")


class Marks:
    """Marks the sections of one answer; it remembers what it has seen."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._seen: dict[tuple[str, str], bool] = {}
        self._stems: dict[str, set[str]] = {}

    def of(self, text: str, positions: Sequence[Mapping[str, int]], locale: str) -> list[tuple[int, int]]:
        """Return the character ranges of a section's text that matched, in order and apart from each other.

        Args:
            positions: the engine's, in bytes of the text's UTF-8; of a word that was begun it tells the beginning.
            locale: that of the document.
        """
        family = analysis.family_of(locale)
        found = [_whole_word(text, *span) for span in _characters(text, positions)]
        if holds_unspaced(text):
            found += self._pairs(family).marks(text)
        found += [word.span() for word in _WORD.finditer(text) if self._matches(word[0], family)]
        return _merged(found)

    def _pairs(self, family: str) -> Marker:
        """Return what marks scripts without spaces, whose words are pairs of characters."""
        return Marker(Terms(stems=[{}], words=[dict.fromkeys(self._typed, 1.0)], stopped=[False]), family)

    @cached_property
    def _typed(self) -> frozenset[str]:
        texts = [*self._words.typed, *self._words.parsed.phrases]
        return frozenset(word for text in texts for word in analysis.split(text))

    def _matches(self, token: str, family: str) -> bool:
        key = token, family
        if key not in self._seen:
            self._seen[key] = not holds_unspaced(token) and self._compare(token, family)
        return self._seen[key]

    def _compare(self, token: str, family: str) -> bool:
        words = analysis.split(f"{token} {analysis.parts_of(token)}")
        if family not in self._stems:
            self._stems[family] = _stems(self._typed, family)
        return not self._stems[family].isdisjoint(_stems(words, family)) or not self._typed.isdisjoint(words)


def _stems(words: Iterable[str], family: str) -> set[str]:
    return {fold(stem) for word in words for stem in analysis.family_stems(word, family)}


def _characters(text: str, positions: Sequence[Mapping[str, int]]) -> Iterable[tuple[int, int]]:
    if text.isascii():
        return [(one["start"], one["start"] + one["length"]) for one in positions]
    encoded = text.encode()
    at, count, found = 0, 0, []
    for one in sorted(positions, key=lambda each: each["start"]):
        # counted from one place to the next: the text is decoded once
        count += len(encoded[at : one["start"]].decode(errors="ignore"))
        at = one["start"]
        found.append((count, count + len(encoded[at : at + one["length"]].decode(errors="ignore"))))
    return found


def _whole_word(text: str, low: int, high: int) -> tuple[int, int]:
    while low and _LETTER.match(text, low - 1) and not is_unspaced(text[low]):
        low -= 1
    while high < len(text) and _LETTER.match(text, high) and not is_unspaced(text[high]):
        high += 1
    return low, high


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        elif high > low:
            merged.append((low, high))
    return merged
