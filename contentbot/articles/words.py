"""How long a text is, in any script."""

import re

# scripts that put no spaces between words: Han, Kana, Hangul is spaced, Thai, Lao, Khmer, Burmese
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"\w+")


def word_count(text: str) -> int:
    """Return the words of a text; two characters of a script without spaces count as one."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text) if unspaced else text)) + (unspaced + 1) // 2
