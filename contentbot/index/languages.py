"""What the operator knows about the languages of the sources: words to ignore, and words that mean the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field

KNOWN = ("en", "de")
"""Languages that are analysed without a file of their own."""


@dataclass(frozen=True, slots=True)
class Languages:
    """The word lists by language (BCP 47, its first part). All words are in lower case.

    `synonyms` maps a word to the words that it also finds; `A: [B]` says nothing of a search for B.
    """

    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    synonyms: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def codes(self) -> list[str]:
        """Every language that may be met, sorted."""
        return sorted({*KNOWN, *self.stop_words, *self.synonyms})

    def merged_synonyms(self) -> dict[str, list[str]]:
        """Return the synonyms of all languages as one table."""
        merged: dict[str, set[str]] = {}
        for table in self.synonyms.values():
            for word, others in table.items():
                merged.setdefault(word, set()).update(others)
        return {word: sorted(others) for word, others in sorted(merged.items())}
