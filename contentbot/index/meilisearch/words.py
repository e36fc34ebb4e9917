"""A query as the engine's queries.

The engine has one meaning for a query's words: all of them, or all but some. Ours is wider: a document is found by any
of the words, in any form. So a question becomes several queries whose answers the engine merges:

- the words as they were typed, with its own typos and beginnings;
- their stems, once for each family of languages that may be meant, in the fields of stems;
- the words as parts of German compounds, where German may be meant;
- every word, stem and part alone, which find what the others leave out. They say what the answer consists of, and rank
  behind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from contentbot.index.meilisearch.records import fold
from contentbot.index.question import ParsedQuery
from contentbot.index.scripts import holds_unspaced
from contentbot.index.tantivy import analysis
from contentbot.sources.languages import Languages

MAX_RANKED = 10
"""The engine reads so many words and phrases of one query."""

STEMMED_WEIGHT, COMPOUND_WEIGHT, SINGLE_WEIGHT = 0.9, 0.7, 0.001
"""What a match counts that is not by the words as they were typed."""


class Channel(StrEnum):
    """In which form of the texts a query looks."""

    TYPED = "typed"
    STEMS = "stems"
    COMPOUNDS = "compounds"


@dataclass(frozen=True, slots=True)
class Part:
    """One of the engine's queries: its text, where it looks, and what its matches count."""

    text: str
    channel: Channel = Channel.TYPED
    weight: float = 1.0


@dataclass(frozen=True)
class Words:
    """The words of a question.

    Args:
        parsed: the query in parts.
        locale: the language they are in, empty if any may be.
        languages: the operator's word lists.
    """

    parsed: ParsedQuery
    locale: str = ""
    languages: Languages = field(default_factory=Languages)

    @cached_property
    def typed(self) -> list[str]:
        """The words in the engine's sense, each once; without stop words, unless there are no others."""
        words = list(dict.fromkeys(word for text in self.parsed.words for word in _split(text)))
        content = [word for word in words if not self._is_stopped(word)]
        return content or words

    @cached_property
    def phrases(self) -> list[str]:
        """The phrases that have to be there, quoted."""
        return [quoted for phrase in self.parsed.phrases if (quoted := _quoted(phrase))]

    @cached_property
    def excluded(self) -> str:
        """What must not be there, as the beginning of a query: the engine drops what stands behind the tenth word."""
        return "".join(f"-{quoted} " for phrase in self.parsed.excluded if (quoted := _quoted(phrase)))

    @property
    def has_any(self) -> bool:
        """There is something to rank by."""
        return bool(self.typed or self.phrases)

    @property
    def spans_sections(self) -> bool:
        """One section cannot tell whether its document belongs to the answer."""
        return len(self.phrases) > 1 or bool(self.excluded)

    @property
    def unranked(self) -> int:
        """How many words the engine does not rank by."""
        return max(0, len(self.typed) + len(self.phrases) - MAX_RANKED)

    def membership(self) -> list[Part]:
        """Return the queries that say together which documents belong to the answer."""
        if self.phrases or not self.typed:
            return [Part(f"{self.excluded}{' '.join(self.phrases)} ".lstrip())]
        return [Part(f"{self.excluded}{part.text}", part.channel) for part in self.singles(1.0)]

    def ranking(self) -> list[Part]:
        """Return the queries that rank sections."""
        ranked = self.typed[: MAX_RANKED - 1 if self.phrases else MAX_RANKED]
        typed = f"{' '.join(ranked)}{self._end(ranked)}"
        if self.phrases:
            # a section holds one of the phrases; that its document holds all of them is known already
            return [Part(f"{phrase} {typed}") for phrase in self.phrases]
        stemmed = dict.fromkeys(self._stemmed(ranked))
        parts = [Part(typed), *(Part(text, Channel.STEMS, STEMMED_WEIGHT) for text in stemmed)]
        if self._may_be_german:
            parts.append(Part(f"{' '.join(ranked)} ", Channel.COMPOUNDS, COMPOUND_WEIGHT))
        return parts

    def finding(self) -> list[Part]:
        """Return the queries that rank sections and leave no document of the answer out."""
        # a phrase has to be there: whatever holds it is ranked, and nothing else may be found
        return self.ranking() if self.phrases else [*self.ranking(), *self.singles()]

    def singles(self, weight: float = SINGLE_WEIGHT) -> list[Part]:
        """Return every word, stem and part of a compound as a query."""
        parts = [Part(f"{word}{self._end([word])}", weight=weight) for word in self.typed]
        stems = dict.fromkeys(text for word in self.typed for text in self._stemmed([word]))
        parts += [Part(text, Channel.STEMS, weight) for text in stems]
        if self._may_be_german:
            # quoted: what the engine takes a word apart into has to stand together
            parts += [Part(f'"{word}"', Channel.COMPOUNDS, weight) for word in self.typed if word.isalpha()]
        return parts

    @property
    def families(self) -> Sequence[str]:
        """The families of languages that the words may be of."""
        return (analysis.family_of(self.locale),) if self.locale else analysis.FAMILIES

    @property
    def _may_be_german(self) -> bool:
        return "de" in self.families

    def _stemmed(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words as stems of each family; a beginning with letters that are folded stays one."""
        begun = words[-1] if not self._end(words) and not words[-1].isascii() and not holds_unspaced(words[-1]) else ""
        whole = words[:-1] if begun else words
        for family in dict.fromkeys(self.families):
            stems = [stem for word in whole for stem in _stems(word, family)]
            if begun:
                yield " ".join([*stems, fold(begun)])
            elif stems:
                yield f"{' '.join(stems)} "

    def _end(self, words: Sequence[str]) -> str:
        """Return what stands behind the last word: nothing if it is a beginning, else the space that ends it."""
        return "" if self.parsed.open_ended and words and words[-1] == self.last else " "

    @cached_property
    def last(self) -> str:
        """The last word as it was typed."""
        return next(reversed(_split(self.parsed.words[-1])), "") if self.parsed.words else ""

    def _is_stopped(self, word: str) -> bool:
        if any(not analysis.family_stems(word, family) for family in self.families):
            return True
        return self.languages.is_stopped(word, analysis.language_of(self.locale))


def _split(text: str) -> list[str]:
    # the engine divides scripts without spaces itself, and better than in pairs
    return [text] if holds_unspaced(text) else analysis.split(text)


def _stems(word: str, family: str) -> list[str]:
    return [fold(stem) for each in analysis.split(word) for stem in analysis.family_stems(each, family)]


def _quoted(phrase: str) -> str:
    words = " ".join(_split(phrase)) if not holds_unspaced(phrase) else phrase.replace('"', " ")
    return f'"{words}"' if words else ""
