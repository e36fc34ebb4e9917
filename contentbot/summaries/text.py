"""Texts in the one form in which a summary is compared with its article."""

import re
import unicodedata

_INVISIBLE = dict.fromkeys([0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″＂〝〞", '"'),
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_FRACTIONS = {"½": "5", "¼": "25", "¾": "75"}
_FRACTION = re.compile(r"(\d*) ?([½¼¾])")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+(?=[^\W\d_a-z]|[\"'“„«(\[\d])|[。！？]+[」』”]*")
# what ends in a full stop and ends no sentence
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|Dr|Prof|Mr|Mrs|Ms|St|No|Nr|vs|etc|ca|approx|Inc|Ltd|Co|Corp|Jr|Sr|Gen|Sen|Rep|Gov|"
    r"bzw|usw|d\.\s?h|z\.\s?B|u\.\s?a|e\.g|i\.e|U\.S|U\.K|a\.m|p\.m|Mio|Mrd|Abs|Art|Sra?|Mme|p\.\s?ex|\d{1,2})\.$",
    re.IGNORECASE,
)


def readable(text: str) -> str:
    """Return the text without invisible characters, in compatibility form, digits in ASCII, on single spaces."""
    whole = _FRACTION.sub(lambda match: f"{match[1] or 0}.{_FRACTIONS[match[2]]}", text.translate(_INVISIBLE))
    normal = unicodedata.normalize("NFKC", whole)
    if not normal.isascii():
        normal = "".join(_digit(sign) for sign in normal)
    return " ".join(normal.split())


def plain(text: str) -> str:
    """Return the readable text with quotation marks and dashes of one kind each."""
    return readable(text.translate(_SIGNS)).translate(_SIGNS)


def folded(text: str) -> str:
    """Return the plain text without case and accents."""
    apart = unicodedata.normalize("NFKD", plain(text).casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, as far as signs and capitals tell them apart."""
    found, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        piece = text[start : match.end()].strip()
        if _ABBREVIATION.search(text[start : match.end()].rstrip()):
            continue
        found.append(piece)
        start = match.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def _digit(sign: str) -> str:
    value = unicodedata.decimal(sign, None)
    return sign if value is None else str(value)
