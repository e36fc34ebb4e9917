"""Code blocks: the lines as the author wrote them, without line numbers and buttons."""

import re
from collections.abc import Sequence

from lxml.etree import _Element, iterwalk

from contentbot.extract.markdown.elements import classes_of, text_of, words
from contentbot.extract.markdown.languages import language_of
from contentbot.extract.markdown.model import CodeBlock
from contentbot.extract.markdown.text import verbatim

_GUTTER = re.compile(
    r"line-?no(?:s|div)?|line-?numbers?(?:-rows|-wrapper|s-rows)?|ln|lnt|lntd-first|gutter|rouge-gutter|hljs-ln-n(?:umbers)?"
    r"|hljs-ln-line-number|blob-num|js-line-number|crayon-nums?(?:-content)?|react-syntax-highlighter-line-number"
    r"|code-line-number|ec-line-number",
    re.I,
)
_CONTROL = re.compile(
    r"copy|(?:btn|button|code)-copy|copy-?(?:btn|button|code|icon|to-clipboard).*|clipboard.*|zeroclipboard.*|toolbar|crayon-toolbar|hljs-copy.*",
    re.I,
)
_DROPPED = words("script style template noscript button svg textarea select clipboard-copy")
_BLOCKS = words("div p li tr")
_LINE = frozenset({"line", "token-line", "code-line", "view-line", "crayon-line", "cl", "ec-line", "CodeMirror-line"})
_NUMBERS = re.compile(r"[\s\d.:|]*")
_CODE_TABLES = frozenset(
    {"highlighttable", "lntable", "rouge-table", "crayon-table", "hljs-ln", "codehilitetable", "js-file-line-container"}
)
_BLANK_EDGES = re.compile(r"\A(?:[ \t]*\n)+|\s+\Z")


def code_block(element: _Element) -> CodeBlock:
    """Return the code in a `pre`, with its language; blank lines at the edges are dropped."""
    return CodeBlock(_trimmed(_Lines().read(element)), language_of(element))


def _trimmed(text: str) -> str:
    return _BLANK_EDGES.sub("", text)


def code_of_table(table: _Element, rows: Sequence[_Element]) -> CodeBlock | None:
    """Return the code of a table that only holds line numbers beside code; None for any other table."""
    known = bool(_CODE_TABLES.intersection(classes_of(table))) or _in_syntaxhighlighter(table)
    columns = [_code_cells(row, known=known) for row in rows]
    if not columns or any(len(cells) != 1 for cells in columns):
        return None
    cells = [cell for column in columns for cell in column]
    return CodeBlock(
        _trimmed("\n".join(_Lines().read(cell).strip("\n") for cell in cells)), language_of(_code_inside(cells[0]))
    )


def _in_syntaxhighlighter(table: _Element) -> bool:
    parent = table.getparent()
    return parent is not None and "syntaxhighlighter" in classes_of(parent)


def _code_inside(cell: _Element) -> _Element:
    return next((inner for inner in cell.iter("pre", "code") if inner.tag == "pre"), cell)


def _code_cells(row: _Element, *, known: bool) -> list[_Element]:
    """Return the row's cells beside a gutter; none when there is no gutter and the table is not known for one."""
    cells = [cell for cell in row if cell.tag in ("td", "th")]
    code = [cell for cell in cells if not _is_gutter_cell(cell)]
    return code if known or (len(code) < len(cells) and code and _holds_code(code[0])) else []


def _holds_code(cell: _Element) -> bool:
    classes = classes_of(cell)
    return bool({"code", "blob-code", "hljs-ln-code"}.intersection(classes)) or cell.find(".//pre") is not None


def _is_gutter_cell(cell: _Element) -> bool:
    if cell.get("data-line-number") is not None and "code" not in (cell.get("class") or ""):
        return True
    if any(_GUTTER.fullmatch(word) for word in classes_of(cell)):
        return True
    numbers = text_of(cell).split()
    return bool(numbers) and cell.find(".//pre") is not None and numbers == [str(n) for n in range(1, len(numbers) + 1)]


def is_control(element: _Element) -> bool:
    """Tell whether an element belongs to the frame of a code block: a button, line numbers, its language as a label."""
    classes = classes_of(element)
    # `gutter` is a word of page layouts as well: there it holds no numbers
    if any(_CONTROL.fullmatch(word) for word in classes) or (_is_gutter(element) and text_of(element).strip()):
        return True
    parent = element.getparent()
    return "lang" in classes and parent is not None and any(name.startswith("language-") for name in classes_of(parent))


def _is_gutter(element: _Element) -> bool:
    return any(_GUTTER.fullmatch(word) for word in classes_of(element)) and bool(_NUMBERS.fullmatch(text_of(element)))


class _Lines:
    """Reads code out of a highlighter's markup.

    Lines may be apart by newlines, by `<br>` or only by being elements of their own (`span.line`, `li`, `tr`).
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._closed: int | None = None
        self._starts: list[int | None] = []

    def read(self, element: _Element) -> str:
        walker = iterwalk(element, events=("start", "end", "comment", "pi"))
        for event, node in walker:
            if event == "start":
                if node is not element and _is_dropped(node):
                    walker.skip_subtree()
                    self._starts.append(None)
                    continue
                self._start(node, node is not element)
                self._text(node.text)
            else:
                if event == "end":
                    self._closed = start if (start := self._starts.pop()) is not None else self._closed
                if node is not element:
                    self._text(node.tail)
        return verbatim("".join(self._pieces))

    def _start(self, node: _Element, inner: bool) -> None:
        block = node.tag in _BLOCKS
        row = inner and (block or _is_line(node))
        if node.tag == "br":
            self._pieces.append("\n")
        if row and (self._row_is_over() or (block and self._pieces and self._pieces[-1][-1] != "\n")):
            self._pieces.append("\n")
        if row:
            self._closed = None
        self._starts.append(len(self._pieces) if row else None)

    def _row_is_over(self) -> bool:
        return self._closed is not None and not any("\n" in piece for piece in self._pieces[self._closed :])

    def _text(self, text: str | None) -> None:
        if text:
            self._pieces.append(text)


def _is_line(node: _Element) -> bool:
    return node.tag in ("span", "code") and bool(_LINE.intersection(classes_of(node)))


def _is_dropped(node: _Element) -> bool:
    if node.tag in _DROPPED:
        return True
    classes = classes_of(node)
    return any(_CONTROL.fullmatch(word) for word in classes) or _is_gutter(node)
