"""How marks are spelled: as delimiters where those would be read as such, as HTML elements where not.

CommonMark (0.31, section 6.2) reads a run of `*` as the start of emphasis only when it is left-flanking, as an end only
when it is right-flanking. Between letters that is always so; beside punctuation it is not, which is common in Chinese
and Japanese text, where no spaces stand around words. `<strong>` inside Markdown is read everywhere.
"""

from collections.abc import Sequence

from contentbot.extract.markdown.flanking import is_plain_punctuation, is_punctuation, is_space, misread
from contentbot.extract.markdown.model import Break, Close, Code, Open, Raw, Text, Token

DELIMITERS = {"strong": "**", "em": "*", "del": "~~"}
_ATTEMPTS = 8


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
    pairs = _pairs(edges.tokens)
    if not pairs:
        return {}
    written = {index: DELIMITERS.get(kind, "") for start, (end, kind) in pairs.items() for index in (start, end)}
    for start, (end, _) in pairs.items():
        if written[start] and not _flanked(edges, written, start, end):
            _as_elements(edges, written, start, end)
    _settle(edges, written, pairs)
    return {
        index: written[index] or ("</" if index == end else "<") + kind + ">"
        for start, (end, kind) in pairs.items()
        for index in (start, end)
    }


def _pairs(tokens: Sequence[Token]) -> dict[int, tuple[int, str]]:
    """Return, for the index of every `Open`, the index of its `Close` and the kind of mark; links left out."""
    opened: list[int] = []
    pairs = {}
    for index, token in enumerate(tokens):
        if isinstance(token, Open):
            opened.append(index)
        elif isinstance(token, Close):
            start, kind = opened.pop(), token.mark.kind
            if kind != "link":
                pairs[start] = index, kind
    return pairs


def _as_elements(edges: Edges, written: dict[int, str], start: int, end: int) -> None:
    for index in (start, end):
        written[index] = ""
        edges.first[index], edges.last[index] = "<", ">"


def _flanked(edges: Edges, written: dict[int, str], start: int, end: int) -> bool:
    """Tell whether both delimiters of a mark are flanked as they have to be; those beside them count as one run."""
    sign = written[start][0]
    before = _beyond(edges, written, start, -1, sign)
    after_start, before_end = _beyond(edges, written, start, 1, sign), _beyond(edges, written, end, -1, sign)
    return _flanks(before, after_start) and _flanks(_beyond(edges, written, end, 1, sign), before_end)


def _beyond(edges: Edges, written: dict[int, str], index: int, step: int, sign: str) -> str:
    index += step
    while written.get(index, "")[:1] == sign:
        index += step
    if not 0 <= index < len(edges.tokens):
        return ""
    return edges.first[index] if step > 0 else edges.last[index]


def _flanks(outside: str, inside: str) -> bool:
    if is_space(inside):
        return False
    return not is_punctuation(inside) or is_space(outside) or is_plain_punctuation(outside)


def _settle(edges: Edges, written: dict[int, str], pairs: dict[int, tuple[int, str]]) -> None:
    """Make elements of those marks that a parser would pair up wrongly, until it reads every one as it was meant."""
    start_of = {end: start for start, (end, _) in pairs.items()}
    for attempt in range(_ATTEMPTS):
        wrong = misread(edges, written, {start: end for start, (end, _) in pairs.items()})
        if wrong is None:
            return
        misfits = [wrong] if attempt < _ATTEMPTS - 1 else [index for index in written if written[index][:1] == "*"]
        for index in misfits:
            start = start_of.get(index, index)
            _as_elements(edges, written, start, pairs[start][0])
