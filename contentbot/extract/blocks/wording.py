"""What a block's own text says, whatever stands around it."""

import re

import numpy as np

from contentbot.extract.blocks.hints import Hints
from contentbot.extract.blocks.layout import Floats
from contentbot.extract.blocks.lexicon import SHORT, WORD, Lexicon, keys_of

_END = frozenset('.!?。！？”"…')
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{2}\b|\bago\b")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|EUR|USD|zł|kr)\b")
_SEPARATOR = re.compile("[|·•]")
# of ASCII, where they are counted faster than character by character
_DIGIT, _CAPITAL = re.compile("[0-9]"), re.compile("[A-Z]")

NAMES = (
    *["words", "word_length", "commas", "sentences", "ends", "ends_colon", "capital", "small", "number", "digits"],
    *["capitals", "separators", "copyright", "asks", "date", "price", "word_low", "word_high", "word_mean"],
    *["in_title", "in_description", "repeats", "first_words", "cut_off", "address", "short_words"],
)
HEADING_SCORES = ("word_mean", "word_low")


def describe(texts: list[str], hints: Hints, lexicon: Lexicon) -> Floats:
    """Return a row for each text, with a column for each of `NAMES`."""
    title = frozenset(WORD.findall(f"{hints.title} {hints.og_title}".lower()))
    description = frozenset(WORD.findall(hints.description.lower()))
    seen: dict[str, tuple[int, tuple[float, ...]]] = {}
    rows = []
    for number, text in enumerate(texts):
        before, said = seen.get(text) or (number, (*_form(text), *_meaning(text, title, description, lexicon)))
        seen[text] = number, said
        rows.append((*said, number - before))
    order = [_COLUMNS.index(name) for name in NAMES]
    return np.array(rows, np.float32)[:, order]


_COLUMNS = (
    *["words", "word_length", "commas", "sentences", "ends", "ends_colon", "capital", "small", "number", "digits"],
    *["capitals", "separators", "copyright", "asks", "cut_off", "address"],
    *["date", "price", "word_low", "word_high", "word_mean", "in_title", "first_words", "in_description"],
    *["short_words", "repeats"],
)


def _form(text: str) -> tuple[float, ...]:
    length, words, first, last, head = len(text), text.count(" ") + 1, text[0], text[-1], text[:60]
    is_plain = head.isascii()
    return (
        words,
        length / words,
        text.count(","),
        text.count(". ") + text.count("? ") + text.count("! ") + text.count("。"),
        last in _END,
        last == ":",
        first.isupper(),
        first.islower(),
        first.isdigit(),
        len(_DIGIT.findall(head)) if is_plain else sum(map(str.isdigit, head)),
        (len(_CAPITAL.findall(head)) if is_plain else sum(map(str.isupper, head))) / len(head),
        _SEPARATOR.search(text) is not None,
        "©" in text,
        "?" in text[-2:],
        "..." in text[-6:] or "…" in text[-4:],
        "@" in text or "http" in text,
    )


def _meaning(text: str, title: frozenset[str], description: frozenset[str], lexicon: Lexicon) -> tuple[float, ...]:
    get, found = lexicon.words.get, WORD.findall(text[:160].lower())
    scores = [get(key, 0.0) for key in keys_of(text, found)] or [0.0]
    count = len(found) or 1
    told = sum(map(description.__contains__, found)) / count if description else -1.0
    few = sum([len(word) < 4 for word in found]) / count
    if len(text) >= SHORT:
        return -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, sum(scores), told, few
    named = sum(map(title.__contains__, found)) / count
    is_dated, is_priced = _DATE.search(text) is not None, _PRICE.search(text) is not None
    return is_dated, is_priced, min(scores), max(scores), sum(scores) / len(scores), named, 0.0, told, few
