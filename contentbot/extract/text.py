"""Strings fit for JSON, an index and a reader: no control characters, no invisible ones, no broken Unicode."""

import re
import unicodedata

# U+2028 and its kind end a line for some readers and not for others: line numbers would not agree
_LINE_BREAKERS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_REMOVED = [
    *(chr(code) for code in range(0x20) if chr(code) not in "\n\t" + _LINE_BREAKERS),
    *(chr(code) for code in range(0x7F, 0xA0) if chr(code) not in _LINE_BREAKERS),
    "\u00ad",  # soft hyphen: a hint for line breaking; words would not be found
    "\u200b",  # zero-width space
    "\u2060",  # word joiner
    "\ufeff",  # byte-order mark in the middle of text
    "\u180e",
    *(chr(code) for code in range(0xFFF9, 0xFFFC)),
]
_TABLE = {**{ord(char): None for char in _REMOVED}, **{ord(char): " " for char in _LINE_BREAKERS}}
_SURROGATES = re.compile("[\ud800-\udfff]")
# the Tags block repeats ASCII invisibly; the flags of England, Scotland and Wales are its only honest use
_SMUGGLED = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]+\U000e007f)|[\U000e0000-\U000e007f]")


def clean(text: str) -> str:
    """Return the text in NFC, without characters that are invisible or no text; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\ufffd", text.translate(_TABLE))
    return unicodedata.normalize("NFC", _SMUGGLED.sub(lambda match: match[1] or "", text))


def one_line(text: str) -> str:
    """Return the cleaned text with every run of whitespace as one space."""
    return " ".join(clean(text).split())


def shorten(text: str, length: int) -> str:
    """Cut a text at a word's end to at most `length` characters, with an ellipsis where something is missing."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{(head if space and len(head) > length // 2 else cut).rstrip(' ,;:.–-')}…"
