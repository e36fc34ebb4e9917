"""Where in a section the words of a question are: what the engine matched, and other forms of the words."""

import re
from collections.abc import Iterable, Mapping, Sequence

from contentbot.index.meilisearch.words import Words
from contentbot.index.scripts import is_unspaced
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.marks import Marker
from contentbot.index.tantivy.terms import Terms

_LETTER = re.compile(r"[^\W_]")


class Marks:
    """Marks the sections of one answer."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._markers: dict[str, Marker] = {}

    def of(self, text: str, positions: Sequence[Mapping[str, int]], locale: str) -> list[tuple[int, int]]:
        """Return the character ranges of a section's text that matched, in order and apart from each other.

        Args:
            positions: the engine's, in bytes of the text's UTF-8; of a word that was begun it tells the beginning.
            locale: that of the document.
        """
        found = [_whole_word(text, *span) for span in _characters(text, positions)]
        return _merged([*found, *self._marker(locale).marks(text)])

    def _marker(self, locale: str) -> Marker:
        family = analysis.family_of(locale)
        if family not in self._markers:
            self._markers[family] = Marker(_terms(self._words, family), family)
        return self._markers[family]


def _terms(words: Words, family: str) -> Terms:
    texts = [*words.typed, *words.parsed.phrases]
    typed = [word for text in texts for word in analysis.split(text)]
    stems = [dict.fromkeys(analysis.family_stems(word, family), 1.0) for word in typed]
    return Terms(stems=stems, words=[{word: 1.0} for word in typed], stopped=[False] * len(typed))


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
