"""64 bits for a text and for a place."""

import re
from hashlib import blake2b

SHORT = 80  # letters and signs: up to here a text with digits is taken for a form that is filled in

BODY = 0
"""The place of text that stands in the body itself."""

_WORDS = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_MOST_NAME = 80
# what themes write into the classes of these differs from page to page: numbers, categories, authors
_PLAIN = frozenset(["html", "body", "main", "article"])
# the elements whose id names a part of the page's frame; that of a heading or section names what it says
_NAMED_BY_ID = frozenset(["div", "aside", "nav", "header", "footer", "ul", "ol", "table", "form"])


def hashed(text: str) -> int:
    """Return 64 bits of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def text_print(text: str, *, fold: bool = True) -> tuple[int, int, bool]:
    """Return 64 bits of what a text says, how many letters and digits that is, and whether digits were left out.

    Case, punctuation and white space do not count. A text without letters and digits has the weight 0.

    Args:
        fold: leave the digits of a short text out.
    """
    folded = fold and len(text) <= SHORT and bool(_DIGITS.search(text))
    words = _WORDS.findall((_DIGITS.sub("0", text) if folded else text).casefold())
    return hashed(" ".join(words)), sum(map(len, words)), folded


def place_print(parent: int, tag: str, classes: str, name: str) -> int:
    """Return 64 bits of a place: the one around it, and what its element is called there."""
    if tag in _PLAIN:
        return hashed(f"{parent} {tag}")
    own = f"{' '.join(classes.split())[:_MOST_NAME]}#{name[:_MOST_NAME] if tag in _NAMED_BY_ID else ''}"
    return hashed(f"{parent} {tag} {_DIGITS.sub('0', own)}")
