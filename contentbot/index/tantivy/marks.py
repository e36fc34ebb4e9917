"""Where in a section the words of a query are, in whatever form they matched."""

import re
from collections.abc import Collection

from contentbot.index.scripts import UNSPACED, is_unspaced
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.terms import Terms

_TOKEN = re.compile(rf"{analysis.SIGNED}|[{UNSPACED}]+|[^\W_{UNSPACED}]+")
_SPECIAL = re.compile(rf"[{UNSPACED}]|{analysis.SIGNED}")


class Marker:
    """Finds the words that a query's terms stand for; made for one search, it remembers what it has seen."""

    def __init__(self, terms: Terms, family: str) -> None:
        self._family = (family,)
        self._words = {word for group in terms.marked_words() for word in group}
        self._stems = {stem for stems in terms.stems for stem in stems}
        self._candidates = _candidates(self._words | self._stems)
        self._seen: dict[str, bool] = {}

    def marks(self, text: str) -> list[tuple[int, int]]:
        """Return the character ranges of the text that match, in order and apart from each other."""
        found: list[tuple[int, int]] = []
        tokens = _TOKEN if _SPECIAL.search(text) else self._candidates
        for candidate in tokens.finditer(text):
            word = candidate[0]
            if is_unspaced(word[0]):
                _extend(found, candidate.start(), self._pairs(word))
            elif self._matches(word):
                found.append(candidate.span())
        return found

    def _pairs(self, run: str) -> list[tuple[int, int]]:
        pairs = ((at, min(at + 2, len(run))) for at in range(max(1, len(run) - 1)))
        return [(low, high) for low, high in pairs if self._matches(run[low:high])]

    def _matches(self, token: str) -> bool:
        if token not in self._seen:
            self._seen[token] = self._compare(token)
        return self._seen[token]

    def _compare(self, token: str) -> bool:
        words = analysis.split(token)
        if not self._words.isdisjoint(words):
            return True
        forms = [*words, *analysis.split(analysis.parts_of(token))]
        return any(not self._stems.isdisjoint(analysis.stems(word, self._family)) for word in forms)


def _candidates(wanted: Collection[str]) -> re.Pattern[str]:
    """Match what may be one of the wanted words, by their first two letters: no stemmer changes these.

    Words that begin with an accent and identifiers with inner capitals are always worth a look.
    """
    beginnings = "|".join(sorted(re.escape(each) for each in {word[:2] for word in wanted if word}))
    return re.compile(
        rf"(?<![^\W_])(?:(?i:{beginnings or '(?!)'})|[^\W_]?[^\W_\x00-\x7f]|[^\W_]*[^\W_A-Z][A-Z])[^\W_]*"
    )


def _extend(found: list[tuple[int, int]], start: int, pairs: list[tuple[int, int]]) -> None:
    """Add pairs of characters; pairs that touch are one mark."""
    for low, high in pairs:
        if found and start + low <= found[-1][1]:
            found[-1] = (found[-1][0], start + high)
        else:
            found.append((start + low, start + high))
