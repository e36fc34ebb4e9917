"""Scripts that write without spaces between words, and what that means for counting and matching."""

import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
"""The characters of such scripts, as the inside of a regular expression's class."""

UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
"""Han, kana, hangul, Thai, Lao, Burmese and Khmer: pairs of neighbouring characters are taken for words."""

WORD = re.compile(rf"[{UNSPACED}]{{1,2}}|[^\s{UNSPACED}]+")
"""One word, or two characters of an unspaced script, as a measure of length."""


def is_unspaced(character: str) -> bool:
    """Say whether the character's script writes without spaces."""
    return UNSPACED_RUN.match(character) is not None


def holds_unspaced(text: str) -> bool:
    """Say whether any character's script writes without spaces."""
    return not text.isascii() and UNSPACED_RUN.search(text) is not None


def count_words(text: str) -> int:
    """Return the number of words; two characters of an unspaced script count as one."""
    if not holds_unspaced(text):
        return len(text.split())
    return sum(1 for _ in WORD.finditer(text))
