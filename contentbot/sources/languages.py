"""What the operator knows about the languages of the sources: words to ignore, and words that mean the same.

One file for each language beside the sources, `languages/de.yaml`, both keys optional:

    stop-words: [bitte, mal]
    synonyms:
      - [Kfz, Auto, Wagen]
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from contentbot.errors import ConfigError
from contentbot.sources.loader import checked, source_files
from contentbot.sources.tags import normal_locale
from contentbot.sources.yamltree import read_yaml

FOLDER = "languages"
"""The folder of the language files inside of that of the sources."""

KNOWN = ("de", "en")
"""Languages that are analysed without a file of their own."""


class LanguageFile(BaseModel):
    """One language's file."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=lambda name: name.replace("_", "-"))

    stop_words: list[str] = Field(default_factory=list, description="Words that say nothing, beside the usual ones.")
    synonyms: list[list[str]] = Field(default_factory=list, description="Groups of words; each finds the others.")


@dataclass(frozen=True, slots=True)
class Languages:
    """The word lists by language; all words are in lower case. `synonyms` maps a word to those that it also finds."""

    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    synonyms: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)

    @property
    def codes(self) -> list[str]:
        """Every language that may be met, sorted."""
        return sorted({*KNOWN, *self.stop_words, *self.synonyms})

    def is_stopped(self, word: str, language: str = "") -> bool:
        """Say whether a word says nothing in a language, or in any if none is named."""
        lists = [self.stop_words.get(language, ())] if language else self.stop_words.values()
        return any(word in words for words in lists)

    def synonyms_of(self, word: str, language: str = "") -> list[str]:
        """Return the words that a word also finds in a language, or in any if none is named."""
        tables = [self.synonyms.get(language, {})] if language else self.synonyms.values()
        return sorted({other for table in tables for other in table.get(word, ())})

    def all_synonyms(self) -> dict[str, list[str]]:
        """Return the synonyms of all languages as one table."""
        merged: dict[str, set[str]] = {}
        for table in self.synonyms.values():
            for word, others in table.items():
                merged.setdefault(word, set()).update(others)
        return {word: sorted(merged[word]) for word in sorted(merged)}


NO_LANGUAGES = Languages()


def load_languages(sources: Path) -> Languages:
    """Read the language files beside the sources; without any the lists are empty.

    Raises:
        ConfigError: a file is wrong, or its name is no language.
    """
    folder = sources / FOLDER
    if not folder.is_dir():
        return NO_LANGUAGES
    files = {_language(file): checked(LanguageFile, file, read_yaml(file)) for file in source_files(folder)}
    return Languages(
        stop_words={name: frozenset(map(str.lower, each.stop_words)) for name, each in files.items()},
        synonyms={name: _table(each.synonyms) for name, each in files.items()},
    )


def _language(file: Path) -> str:
    language = file.stem.lower()
    if not (language.isalpha() and len(language) in (2, 3) and normal_locale(language)):
        raise ConfigError(f"{file.stem!r} is no language", file=file, hint="name the file by its code, such as de.yaml")
    return language


def _table(groups: list[list[str]]) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in groups:
        words = {word.strip().lower() for word in group}
        for word in words:
            table.setdefault(word, set()).update(words - {word})
    return {word: frozenset(others) for word, others in table.items()}
