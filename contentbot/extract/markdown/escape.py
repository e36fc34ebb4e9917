"""Backslashes before those signs of plain text that would be read as markup, and before no others."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from contentbot.extract.markdown.emphasis import Edges
from contentbot.extract.markdown.flanking import flanking, is_punctuation, is_space
from contentbot.extract.markdown.model import Break, Close, Open, Raw, Text, Token

_SUSPICIOUS = re.compile(r"[\\`*_~<&!\[\]$|]")
_RUN = re.compile(r"\*+|_+|~+")
_INNER = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|`|<(?=[A-Za-z/!?]|$)|&(?=#?\w+;)|!$|\](?=\()|\[(?=\^)")
_LINE_START = re.compile(
    r"""
      (?P<first>\#{1,6}(?=[ ]|$) | [-+*](?=[ ]|$) | > | ~~~ | =+[ ]*$ | (?:-[ ]*)+$ | (?:_[ ]*){3,}$ | (?:\*[ ]*){3,}$
        | [|:-][|:\ -]*$)
    | (?P<number>\d{1,9})[.)](?=[ ]|$)
    """,
    re.VERBOSE,
)
_STARTERS = frozenset("#-+*>~=_|:0123456789")
_ENTITY = re.compile(r"&#?\w+;")
_TASK = re.compile(r"\[[ xX]\](?= |$)")
_REFERENCE = re.compile(r"\[[^\]]+\]:")
_CLOSING_HASHES = re.compile(r"(?:^|(?<= ))#+$")
_ADDRESS = re.compile(r"(?<![\w/\\])https?://[\w/:?#@!$&'()*+,;=.~%-]*[\w/#@$&+=%-](?=[\s.,;:!?)\]\"']|$)", re.ASCII)


_LABEL_SIGNS = re.compile(r"[\\\[\]*`<~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")


def escape_label(text: str) -> str:
    """Return text for the square brackets of an image or a link, where it stands alone."""
    return _LABEL_SIGNS.sub(lambda sign: "\\" + sign[0], text)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paragraph stands: what has to be escaped depends on it."""

    cell: bool = False
    heading: bool = False
    item: bool = False


class Escaper:
    """Escapes the text tokens of one paragraph."""

    def __init__(self, edges: Edges, place: Place, delimiters: frozenset[str]) -> None:
        self._edges, self._place = edges, place
        self._texts = [(index, token.value) for index, token in enumerate(edges.tokens) if isinstance(token, Text)]
        self._plain = not any(_SUSPICIOUS.search(value) for _, value in self._texts)
        self._paired = {} if self._plain else _paired(self._texts, edges, delimiters)
        links = () if self._plain else tuple(_links(edges.tokens))
        self._linked = frozenset(index for start, end in links for index in range(start, end))
        self._bracketed = _unbalanced_links(edges.tokens, links)
        self._math = not self._plain and any(isinstance(one, Raw) and one.markdown[:1] == "$" for one in edges.tokens)

    def text(self, index: int) -> str:
        """Return the text of token `index` as Markdown."""
        token = self._edges.tokens[index]
        value = token.value if isinstance(token, Text) else ""
        places = set() if self._plain else self._inner(index, value)
        if not self._place.cell:
            self._line_start(index, value, places)
        if self._place.heading and index == len(self._edges.tokens) - 1 and (hashes := _CLOSING_HASHES.search(value)):
            places.add(hashes.end() - 1)
        return self._spare_addresses(index, value, places) if places else value

    def _inner(self, index: int, value: str) -> set[int]:
        after = self._edges.after(index)
        found = {match.start() for match in _INNER.finditer(value) if self._matters(match, value, after)}
        found |= self._paired.get(index, set())
        if index in self._bracketed:
            found |= {at for at, sign in enumerate(value) if sign in "[]"}
        if self._place.cell:
            found |= {at for at, sign in enumerate(value) if sign == "|"}
        if self._math:
            found |= {at for at, sign in enumerate(value) if sign == "$"}
        return found

    def _matters(self, match: re.Match[str], value: str, after: str) -> bool:
        if match.end() < len(value):
            return True
        match match.group():
            case "\\":
                return not after or after == "\n" or (after.isascii() and is_punctuation(after))
            case "<":
                return not is_space(after)
            case "!":
                return after == "["
        return True

    def _line_start(self, index: int, value: str, places: set[int]) -> None:
        first = not index
        if not first and not isinstance(self._edges.tokens[index - 1], Break):
            return
        if value[0] in _STARTERS and (match := _LINE_START.match(value)):
            places.add(match.end("number") if match.group("number") else 0)
        if first and value[0] == "[" and (_REFERENCE.match(value) or (self._place.item and _TASK.match(value))):
            places.add(0)

    def _spare_addresses(self, index: int, value: str, places: set[int]) -> str:
        brackets: dict[int, str] = {}
        if "://" in value and index in self._paired and index not in self._linked:
            ordered = sorted(places)
            for match in _ADDRESS.finditer(value):
                inside = ordered[bisect_left(ordered, match.start()) : bisect_left(ordered, match.end())]
                if inside and self._may_bracket(index, value, match):
                    # a backslash would become part of the address where bare ones are linked
                    brackets |= {match.start(): "<", match.end(): ">"}
                    places.difference_update(inside)
        return _insert(value, places, brackets)

    def _may_bracket(self, index: int, value: str, match: re.Match[str]) -> bool:
        touches = (not match.start() and index) or (match.end() == len(value) and self._edges.after(index))
        return not touches and not _ENTITY.search(value, match.start(), match.end() + 1)


def _insert(value: str, places: set[int], brackets: dict[int, str]) -> str:
    pieces, last = [], 0
    for at in sorted(places | brackets.keys()):
        pieces += [value[last:at], brackets.get(at, ""), "\\" if at in places else ""]
        last = at
    pieces.append(value[last:])
    return "".join(pieces)


def _paired(texts: Sequence[tuple[int, str]], edges: Edges, delimiters: frozenset[str]) -> dict[int, set[int]]:
    """Return the places of those `*`, `_` and `~` that would pair up to emphasis."""
    runs = [run for index, value in texts for run in _runs(index, value, edges)]
    found: dict[int, set[int]] = {}
    for sign in "*_~":
        mine = [run for run in runs if run.sign == sign]
        if sign in delimiters or _can_pair(mine):
            for run in mine:
                found.setdefault(run.index, set()).update(range(run.start, run.end))
    return found


@dataclass(frozen=True, slots=True)
class _Run:
    sign: str
    index: int
    start: int
    end: int
    opens: bool
    closes: bool


def _can_pair(runs: Sequence[_Run]) -> bool:
    opener = next((number for number, run in enumerate(runs) if run.opens), len(runs))
    return any(run.closes for run in runs[opener + 1 :])


def _runs(index: int, value: str, edges: Edges) -> Iterator[_Run]:
    for match in _RUN.finditer(value):
        before = value[match.start() - 1] if match.start() else edges.before(index)
        after = value[match.end()] if match.end() < len(value) else edges.after(index)
        left, right = flanking(before, after)
        sign = match.group()[0]
        if sign == "_":
            left, right = left and (not right or is_punctuation(before)), right and (not left or is_punctuation(after))
        if left or right:
            yield _Run(sign, index, *match.span(), left, right)


def _links(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    start = 0
    for index, token in enumerate(tokens):
        if isinstance(token, Open) and token.mark.kind == "link":
            start = index
        elif isinstance(token, Close) and token.mark.kind == "link":
            yield start, index


def _unbalanced_links(tokens: Sequence[Token], links: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return the indexes of those texts in links whose brackets would end the link text too early."""
    found: set[int] = set()
    for start, end in links:
        texts = [index for index in range(start, end) if isinstance(tokens[index], Text)]
        text = "".join(token.value for token in tokens[start:end] if isinstance(token, Text))
        if "](" in text or not _balanced(text):
            found.update(texts)
    return frozenset(found)


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        if depth < 0:
            return False
    return not depth
