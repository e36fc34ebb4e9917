"""Where in a section the words of a query are, in whatever form they matched."""

import re

from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.terms import Terms

_TOKEN = re.compile(rf"{analysis.SIGNED}|[^\W_]+", re.IGNORECASE)


class Marker:
    """Finds the words that a query's terms stand for; made for one search, it remembers what it has seen."""

    def __init__(self, terms: Terms, family: str) -> None:
        self._family = (family,)
        self._words = {word for group in terms.marked_words() for word in group}
        self._stems = {stem for stems in terms.stems for stem in stems}
        self._seen: dict[str, bool] = {}

    def marks(self, text: str) -> list[tuple[int, int]]:
        """Return the character ranges of the text that match, in order and apart from each other."""
        found: list[tuple[int, int]] = []
        for token in _TOKEN.finditer(text):
            for low, high in self._within(token[0]):
                start, end = token.start() + low, token.start() + high
                if found and start <= found[-1][1] and analysis.is_unspaced(text[start]):
                    # neighbouring pairs of one run of characters: 東京 and 京都 are one mark
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((start, end))
        return found

    def _within(self, token: str) -> list[tuple[int, int]]:
        if analysis.is_unspaced(token[0]):
            pairs = ((at, at + 2) for at in range(max(1, len(token) - 1)))
            return [(low, min(high, len(token))) for low, high in pairs if self._matches(token[low:high])]
        return [(0, len(token))] if self._matches(token) else []

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
