"""How marks are spelled: as delimiters where those would be read as such, as HTML elements where not.

CommonMark (0.31, section 6.2) reads a run of `*` as the start of emphasis only when it is left-flanking, as an end only
when it is right-flanking. Between letters that is always so; beside punctuation it is not, which is common in Chinese
and Japanese text, where no spaces stand around words. `<strong>` inside Markdown is read everywhere.
"""

import unicodedata
from collections.abc import Sequence

from contentbot.extract.markdown.model import Break, Close, Code, Open, Raw, Text, Token

DELIMITERS = {"strong": "**", "em": "*", "del": "~~"}


class Edges:
    """First and last character of what each token becomes, to look at a token's neighbours.

    Args:
        tokens: one paragraph.
        cell: in a table cell a line break becomes an element.
    """

    def __init__(self, tokens: Sequence[Token], *, cell: bool) -> None:
        self.tokens = tokens
        pairs = [_edge(token, cell=cell) for token in tokens]
        self.first, self.last = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def before(self, index: int) -> str:
        """Return the character before token `index`, empty at the start."""
        return self.last[index - 1] if index else ""

    def after(self, index: int) -> str:
        """Return the character after token `index`, empty at the end."""
        return self.first[index + 1] if index + 1 < len(self.first) else ""


def _edge(token: Token, *, cell: bool) -> tuple[str, str]:
    match token:
        case Text(shown) | Raw(shown) if shown:
            return shown[0], shown[-1]
        case Code():
            return "`", "`"
        case Break():
            return ("<", ">") if cell else ("\n", "\n")
        case Open(mark) | Close(mark):
            return _mark_edge(mark.kind, opens=isinstance(token, Open))
    return "", ""


def _mark_edge(kind: str, *, opens: bool) -> tuple[str, str]:
    if kind == "link":
        return ("[", "[") if opens else ("]", ")")
    sign = DELIMITERS.get(kind, "<>")
    return sign[0], sign[-1]


def spellings(edges: Edges) -> dict[int, str]:
    """Return how each `Open` and `Close` (by its index) is written, links left out."""
    spelled: dict[int, str] = {}
    opened: list[int] = []
    for index, token in enumerate(edges.tokens):
        if isinstance(token, Open):
            opened.append(index)
        elif isinstance(token, Close):
            start = opened.pop()
            _spell(edges, start, index, spelled)
    return spelled


def _spell(edges: Edges, start: int, end: int, spelled: dict[int, str]) -> None:
    token = edges.tokens[start]
    kind = token.mark.kind if isinstance(token, Open) else ""
    if kind == "link":
        return
    delimiter = DELIMITERS.get(kind, "")
    if delimiter and _opens(edges, start, delimiter[0]) and _closes(edges, end, delimiter[0]):
        spelled[start] = spelled[end] = delimiter
    else:
        spelled[start], spelled[end] = f"<{kind}>", f"</{kind}>"


def _opens(edges: Edges, index: int, sign: str) -> bool:
    outside, inside = index - 1, index + 1
    while outside >= 0 and _is_run(edges.tokens[outside], Open, sign):
        outside -= 1
    while _is_run(edges.tokens[inside], Open, sign):
        inside += 1
    if outside >= 0 and _is_run(edges.tokens[outside], Close, sign):
        # *one***two**: a closing run that touches an opening one is read in too many ways
        return False
    return _flanks(edges.last[outside] if outside >= 0 else "", edges.first[inside])


def _closes(edges: Edges, index: int, sign: str) -> bool:
    outside, inside = index + 1, index - 1
    while outside < len(edges.tokens) and _is_run(edges.tokens[outside], Close, sign):
        outside += 1
    while _is_run(edges.tokens[inside], Close, sign):
        inside -= 1
    return _flanks(edges.first[outside] if outside < len(edges.tokens) else "", edges.last[inside])


def _is_run(token: Token, kind: type[Open] | type[Close], sign: str) -> bool:
    return isinstance(token, kind) and DELIMITERS.get(token.mark.kind, " ")[0] == sign


def _flanks(outside: str, inside: str) -> bool:
    if is_space(inside):
        return False
    return not is_punctuation(inside) or is_space(outside) or is_plain_punctuation(outside)


def is_space(character: str) -> bool:
    """Tell whether a character is whitespace; the edge of a paragraph counts as such."""
    return not character or character.isspace()


def is_punctuation(character: str) -> bool:
    """Tell whether a character is punctuation or a symbol, which newer parsers count as punctuation."""
    return bool(character) and unicodedata.category(character)[0] in "PS"


def is_plain_punctuation(character: str) -> bool:
    """Tell whether every parser, old and new, counts a character as punctuation."""
    return bool(character) and (
        unicodedata.category(character)[0] == "P" or (character.isascii() and is_punctuation(character))
    )
