"""Text to terms, per family of languages.

All families share one set of fields: a document's text is analysed by its own family, a query's words by every family
that may be meant. Term statistics and average lengths are then those of the whole index, whatever the mix of languages.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

import tantivy

from contentbot.index.scripts import UNSPACED_RUN

FAMILIES = ("en", "de", "x")
"""English, German, and everything else, which is neither stemmed nor has stop words."""

LONGEST_TERM = 128
"""Bytes; a longer run of letters is data, no word."""

_LANGUAGES = {"en": "english", "de": "german"}

# C++, g++, C#, F#: the sign belongs to the name; .NET: so does the dot
SIGNED = r"(?<![^\W_])([A-Za-z]{1,3})(\+\+|#)(?![^\W_])|(?<![^\W_.])\.([Nn][Ee][Tt])(?![^\W_])"
_SIGNED = re.compile(SIGNED)
_SIGNS = {"++": "plusplus", "#": "sharp"}
_CAMEL = re.compile(r"(?<![^\W\d_])[^\W\d_]+[^\W_]*[a-zß-öø-ÿ0-9][A-Z][^\W_]*")
_INNER_CAPITAL = re.compile("[a-zß-öø-ÿ0-9][A-Z]")
_HUMP = re.compile(r"[A-Z]+(?![a-zß-öø-ÿ])|[A-Z]?[a-zß-öø-ÿ]+|\d+|[^\W\d_]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
# what NFKD does not take apart
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_DIGRAPHS = re.compile("([aou])e")


def family_of(locale: str) -> str:
    """Return the family that a BCP 47 tag belongs to."""
    language = language_of(locale)
    return language if language in _LANGUAGES else "x"


def language_of(locale: str) -> str:
    """Return the language of a BCP 47 tag."""
    return re.split("[-_]", locale.lower(), maxsplit=1)[0]


def prepare(text: str) -> str:
    """Normalise (NFKC), name the signs that belong to words, and write scripts without spaces as pairs."""
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
        text = UNSPACED_RUN.sub(lambda run: f" {' '.join(_pairs(run[0]))} ", text)
    if may_hold_signs(text):
        text = _SIGNED.sub(_signed, text)
    return text


def may_hold_signs(text: str) -> bool:
    """Say whether it is worth to look for signs that belong to words."""
    return "#" in text or "++" in text or ".N" in text or ".n" in text


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _signed(match: re.Match[str]) -> str:
    return f"dot{match[3]}" if match[3] else f"{match[1]}{_SIGNS[match[2]]}"


def parts_of(text: str) -> str:
    """Return the words inside of the identifiers of a text, alone and in pairs.

    `getUserName` holds get, User, Name, getUser and UserName.
    """
    if not _INNER_CAPITAL.search(text):
        return ""
    humps = (_HUMP.findall(name) for name in _CAMEL.findall(text))
    return " ".join(part for each in humps for part in (*each, *map("".join, pairwise(each))) if len(each) > 1)


@cache
def stemmer(family: str) -> tantivy.TextAnalyzer:
    """Return the analysis of the ranked fields: lower case, stop words, stems, accents folded."""
    builder = _words()
    if language := _LANGUAGES.get(family):
        builder = builder.filter(tantivy.Filter.stopword(language)).filter(tantivy.Filter.stemmer(language))
    return builder.filter(tantivy.Filter.ascii_fold()).build()


@cache
def splitter() -> tantivy.TextAnalyzer:
    """Return the analysis of the exact fields: words in lower case, nothing else."""
    return _words().build()


def _words() -> tantivy.TextAnalyzerBuilder:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return builder.filter(tantivy.Filter.remove_long(LONGEST_TERM)).filter(tantivy.Filter.lowercase())


def split(text: str) -> list[str]:
    """Return the words of a text as the exact fields hold them."""
    return splitter().analyze(prepare(text))


def stemmed(prepared: str, family: str) -> str:
    """Return the stems of a prepared text with a space between them."""
    return " ".join(stemmer(family).analyze(prepared)) if prepared else ""


@lru_cache(maxsize=1 << 16)
def family_stems(word: str, family: str) -> tuple[str, ...]:
    """Return what one family makes of a word, nothing if it stops it."""
    return tuple(stemmer(family).analyze(word))


def stems(word: str, families: Sequence[str]) -> list[str]:
    """Return what the families make of one word, without repetition."""
    return list(dict.fromkeys(stem for family in families for stem in family_stems(word, family)))


def strip_accents(word: str) -> str:
    """Return the word without accents; `ue` stays."""
    if word.isascii():
        return word
    taken_apart = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    return "".join(character for character in taken_apart if not unicodedata.combining(character))


def fold(word: str) -> str:
    """Return the word without accents, and ü, ue and u (likewise ä, ö) as one: the key under which spellings meet."""
    return _DIGRAPHS.sub(r"\1", strip_accents(word))


def spell_out(word: str) -> str:
    """Return the word with ä, ö and ü as ae, oe and ue."""
    return word if word.isascii() else word.translate(_UMLAUTS)


def exact_key(text: str) -> str:
    """Return the form in which whole titles are compared: their words, in order."""
    return " ".join(split(text))[:400]
