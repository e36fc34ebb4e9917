"""The words of a query as terms of the index: stems, other spellings, typos, continuations."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from contentbot.index.question import ParsedQuery
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.vocabulary import Kinship, Relative, Vocabulary, rarity
from contentbot.sources.languages import NO_LANGUAGES, Languages

CLOSENESS = {
    Kinship.SAME: 1.0,
    Kinship.SPELLING: 0.9,
    Kinship.CONTINUATION: 0.5,
    Kinship.FOLDED_CONTINUATION: 0.45,
    Kinship.TYPO: 0.4,
    Kinship.TWO_TYPOS: 0.2,
}
"""What a match counts, by how it came to be one."""

SYNONYM = 0.8
"""What a word counts that the operator has said to mean the same; those of several words are left to other engines."""

Phrase = Sequence[Sequence[str]]
"""Words in a row, each in one or more spellings."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the words of a query became.

    Each word of the query has a group of terms for the analysed fields (`stems`) and one for the exact fields
    (`words`), with factors between 0 and 1. `stopped` are the stop words of a language that may be meant: in others
    they have stems, but nothing is made of their standing exactly as asked, as they do nearly everywhere.
    """

    stems: Sequence[Mapping[str, float]] = ()
    words: Sequence[Mapping[str, float]] = ()
    stopped: Sequence[bool] = ()
    phrases: Sequence[Phrase] = ()
    excluded: Sequence[Phrase] = ()
    title: str = ""

    @property
    def has_words(self) -> bool:
        """Words were asked for, beside phrases."""
        return bool(self.words)

    @property
    def has_any(self) -> bool:
        """There is something to rank by."""
        return bool(self.words or self.phrases)

    @property
    def only_stop_words(self) -> bool:
        """Only the exact fields can answer."""
        return all(self.stopped)

    def content_words(self) -> Iterator[Mapping[str, float]]:
        """Yield the words of each group that is no stop word."""
        return (words for words, stopped in zip(self.words, self.stopped, strict=True) if not stopped)

    def marked_stems(self) -> Iterator[Collection[str]]:
        """Yield the stems to mark, those of stop words only where nothing else was asked for."""
        for stems, stopped in zip(self.stems, self.stopped, strict=True):
            if not stopped or self.only_stop_words:
                yield stems

    def marked_words(self) -> Iterator[Collection[str]]:
        """Yield the words to mark as they stand; stop words only where nothing else was asked for."""
        yield from self.words if self.only_stop_words else self.content_words()
        for phrase in self.phrases:
            yield from phrase


def read_terms(
    parsed: ParsedQuery, locale: str, vocabulary: Vocabulary, documents: int, languages: Languages = NO_LANGUAGES
) -> Terms:
    """Expand a query; `documents` is how many records the frequencies of words are out of."""
    language = analysis.language_of(locale)
    families = (analysis.family_of(locale),) if locale else analysis.FAMILIES
    typed = [word for text in parsed.words for word in analysis.split(text)]
    last = len(typed) - 1 if parsed.open_ended else -1
    words = [
        _factors(vocabulary.relatives(word, open_ended=number == last), documents)
        | dict.fromkeys(languages.synonyms_of(word, language), SYNONYM)
        for number, word in enumerate(typed)
    ]
    unwanted = [languages.is_stopped(word, language) for word in typed]
    return Terms(
        stems=[
            {} if stopped else _stemmed(factors, families) for factors, stopped in zip(words, unwanted, strict=True)
        ],
        words=words,
        stopped=[
            stopped or any(not analysis.family_stems(word, family) for family in families)
            for word, stopped in zip(typed, unwanted, strict=True)
        ],
        phrases=[_spelled(phrase, vocabulary) for phrase in parsed.phrases],
        excluded=[_spelled(phrase, vocabulary) for phrase in parsed.excluded],
        title="" if parsed.phrases or parsed.excluded else " ".join(typed),
    )


def _spelled(phrase: str, vocabulary: Vocabulary) -> Phrase:
    return [vocabulary.spellings(word) for word in analysis.split(phrase)]


def _stemmed(factors: Mapping[str, float], families: Sequence[str]) -> dict[str, float]:
    group: dict[str, float] = {}
    for word, factor in factors.items():
        for stem in analysis.stems(word, families):
            group[stem] = max(group.get(stem, 0.0), factor)
    return group


def _factors(relatives: Sequence[Relative], documents: int) -> dict[str, float]:
    """Weigh each relative by its closeness, and take away what rarity would give to a rare misspelling."""
    known = [relative for relative in relatives if relative.frequency]
    if not known:
        return {relatives[0].word: 1.0}
    closest = min(relative.kinship for relative in known)
    anchor = max(relative.frequency for relative in known if relative.kinship is closest)
    wanted = rarity(anchor, documents)
    return {
        relative.word: CLOSENESS[relative.kinship] * min(1.0, wanted / rarity(relative.frequency, documents))
        for relative in known
    }
