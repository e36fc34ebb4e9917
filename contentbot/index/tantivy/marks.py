"""Where in a section the words of a query are, in whatever form they matched."""

import re
from collections.abc import Collection, Iterator
from unicodedata import is_normalized

from contentbot.index.scripts import UNSPACED, holds_unspaced, is_unspaced
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.terms import Terms

_TOKEN = re.compile(rf"{analysis.SIGNED}|[{UNSPACED}]+|[^\W_{UNSPACED}]+")
# in a word that may match although it begins otherwise: the next part of an identifier, or a letter with an accent
_ODD = re.compile(r"[A-Z\x80-\U0010ffff](?:(?<=[a-z0-9][A-Z])|(?<=[^\W_\x00-\x7f])(?<![^\W_][^\W_].))")


class Marker:
    """Finds the words that a query's terms stand for; made for one search, it remembers what it has seen."""

    def __init__(self, terms: Terms, family: str) -> None:
        self._family = family
        self._words = {word for group in terms.marked_words() for word in group}
        self._stems = {stem for stems in terms.marked_stems() for stem in stems}
        self._beginnings = {word[:2] for word in self._words | self._stems}
        self._candidates = _beginning_with(self._beginnings)
        self._seen: dict[str, bool] = {}

    def marks(self, text: str) -> list[tuple[int, int]]:
        """Return the character ranges of the text that match, in order and apart from each other."""
        lower = text.lower()
        if len(lower) != len(text) or analysis.may_hold_signs(text) or holds_unspaced(text):
            return self._special_marks(text)
        spans = {found.span() for found in self._candidates.finditer(lower)} | set(_odd_words(text))
        return [(low, high) for low, high in sorted(spans) if self._matches(text[low:high])]

    def _special_marks(self, text: str) -> list[tuple[int, int]]:
        """Do the same where the text has signs that belong to words, or scripts without spaces."""
        found: list[tuple[int, int]] = []
        for token in _TOKEN.finditer(text):
            if is_unspaced(token[0][0]):
                _extend(found, token.start(), self._pairs(token[0]))
            elif self._matches(token[0]):
                found.append(token.span())
        return found

    def _pairs(self, run: str) -> list[tuple[int, int]]:
        pairs = ((at, min(at + 2, len(run))) for at in range(max(1, len(run) - 1)))
        return [(low, high) for low, high in pairs if self._matches(run[low:high])]

    def _matches(self, token: str) -> bool:
        known = self._seen.get(token)
        if known is None:
            known = self._seen[token] = self._compare(token)
        return known

    def _compare(self, token: str) -> bool:
        lower = token.lower()
        if token.isalpha() and token[1:] == lower[1:] and is_normalized("NFKC", token):
            # nearly every word: nothing to prepare, nothing inside; and no stemmer changes the first two letters
            if token.isascii() and lower[:2] not in self._beginnings:
                return False
            words = [lower]
        else:
            words = analysis.split(f"{token} {analysis.parts_of(token)}")
        if not self._words.isdisjoint(words):
            return True
        return any(not self._stems.isdisjoint(analysis.family_stems(word, self._family)) for word in words)


def _beginning_with(beginnings: Collection[str]) -> re.Pattern[str]:
    """Return an expression for whole words in lower case that begin with any of these: nearly every word does not."""
    # looking back after the letters, not before them, lets the engine skip to the letters
    begun = (rf"{re.escape(letters)}(?<![^\W_].{{{len(letters)}}})" for letters in sorted(beginnings))
    return re.compile(rf"(?:{'|'.join(begun)})[^\W_]*" if beginnings else r"(?!)")


def _odd_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of words that may match by something else than how they begin."""
    end = 0
    for odd in _ODD.finditer(text):
        if odd.start() < end:
            continue
        start, end = odd.span()
        while start and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        yield start, end


def _extend(found: list[tuple[int, int]], start: int, pairs: list[tuple[int, int]]) -> None:
    """Add pairs of characters; pairs that touch are one mark."""
    for low, high in pairs:
        if found and start + low <= found[-1][1]:
            found[-1] = (found[-1][0], start + high)
        else:
            found.append((start + low, start + high))
