"""Small things that every reader of metadata needs: text without markup, and words to compare by."""

import html
import re
from functools import lru_cache

# a tag of running text; `List<String>` in a title is no markup
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|mark|p|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>",
    re.IGNORECASE,
)
# zero-width and bidirectional marks, soft hyphens, and what XML calls no character
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]")
_WORD = re.compile(r"\w+")

LONGEST = 2_000


def squash(text: str, limit: int = LONGEST) -> str:
    """Return at most `limit` characters of the text on one line, without invisible characters."""
    line = " ".join(text[: limit * 4].split())
    if not line.isprintable():
        line = " ".join(_INVISIBLE.sub("", line).split())
    return line if len(line) <= limit else line[:limit].rstrip()


def clean(text: str, limit: int = LONGEST) -> str:
    """Return the text of a metadata value: entities decoded (twice, for values escaped twice), tags gone, one line."""
    short = text[: limit * 4]
    for _ in range(2):
        if "&" not in short:
            break
        short = html.unescape(short)
    return squash(_TAG.sub(" ", short) if "<" in short else short, limit)


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of the text without case: two texts that share them say the same thing."""
    return tuple(_WORD.findall(text.casefold()))


def letters(text: str) -> str:
    """Return letters and digits only, without case: `Open Elements` and `open-elements` are one name."""
    return "".join(words(text))
