"""Inline tokens to Markdown and to plain text.

Escaping is by need, and what is needed can be told only from the whole paragraph; so it happens here, not where the
text is read.
"""

import re
from collections.abc import Sequence

from contentbot.extract.markdown.emphasis import Edges, spellings
from contentbot.extract.markdown.escape import Escaper, Place
from contentbot.extract.markdown.model import Break, Close, Code, Mark, Open, Raw, Text, Token

_BACKTICKS = re.compile(r"`+")
_AUTOLINK = re.compile(r"(?:https?|ftp)://[^\s<>]+|mailto:[\w.+-]+@[\w.-]+\w")
_HARD_BREAK = "  \n"


def to_markdown(tokens: Sequence[Token], place: Place = Place()) -> str:  # noqa: B008 - Place is frozen
    """Return one paragraph's tokens as Markdown; lines are separated by hard breaks, in a table cell by `<br>`."""
    if len(tokens) == 1 and isinstance(tokens[0], Raw):
        return _raw(tokens[0], place)
    edges = Edges(tokens, cell=place.cell)
    spelled = spellings(edges)
    signs = frozenset(sign[0] for sign in spelled.values() if sign[0] != "<")
    escaper = Escaper(edges, place, signs)
    pieces: list[str] = []
    index = 0
    while index < len(tokens):
        if address := _autolink(tokens[index : index + 3]):
            pieces.append(f"<{address}>")
            index += 3
            continue
        pieces.append(_piece(tokens[index], index, spelled, escaper, place))
        index += 1
    return "".join(pieces)


def _piece(token: Token, index: int, spelled: dict[int, str], escaper: Escaper, place: Place) -> str:
    match token:
        case Text():
            return escaper.text(index)
        case Code(value):
            return _span(value, place)
        case Raw():
            return _raw(token, place)
        case Break():
            return "<br>" if place.cell else " " if place.heading else _HARD_BREAK
        case Open(mark):
            return spelled.get(index, "[")
        case Close(mark):
            return spelled[index] if index in spelled else _protect(f"]({destination(mark.href, mark.title)})", place)


def _raw(token: Raw, place: Place) -> str:
    return _protect(token.markdown, place)


def _protect(markdown: str, place: Place) -> str:
    # a table is split into cells before anything else is read, even inside code and addresses
    return markdown.replace("|", "\\|") if place.cell else markdown


def _span(code: str, place: Place) -> str:
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(code)), default=0) + 1)
    if len(fence) > 1 or (code[0] == code[-1] == " " and code.strip(" ")):
        code = f" {code} "
    return _protect(f"{fence}{code}{fence}", place)


def _autolink(tokens: Sequence[Token]) -> str:
    match tokens:
        case [Open(Mark("link", href, "")), Text(value), Close(Mark("link"))]:
            same = value in (href, href.removeprefix("mailto:"))
            return value if same and _AUTOLINK.fullmatch(href) else ""
    return ""


def destination(href: str, title: str) -> str:
    """Return what stands between the parentheses of a link or an image."""
    if not title:
        return href
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    return f'{href} "{quoted}"'


def to_plain(tokens: Sequence[Token]) -> str:
    """Return the visible words of one paragraph; a line break stays one."""
    pieces: list[str] = []
    for token in tokens:
        match token:
            case Text(value) | Code(value):
                pieces.append(value)
            case Raw(_, plain):
                pieces.append(plain)
            case Break():
                pieces.append("\n")
    return "".join(pieces)
