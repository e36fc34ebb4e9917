"""Markdown to the words a reader sees, line by line, for matching and for snippets.

This is no renderer: it removes the marks that the project's own Markdown uses (CommonMark with tables) and keeps what
is between them. It never joins or moves lines, so that a section keeps its place in the document.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_RULE = re.compile(r"\s*([-*_=])(\s*\1){2,}\s*")
_BLOCK_MARK = re.compile(r"\s*(?:(?:>\s?)+|#{1,6}(?=\s)|[-*+](?=\s)(?:\s+\[[ xX]\])?|\d{1,9}[.)](?=\s))\s*")
_CLOSING_HASHES = re.compile(r"\s+#+\s*$")
_IMAGE = re.compile(r"!\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()]*\)|\s(?=[\"']))*(?:[\"'][^\n]*?[\"'])?\)")
_LINK = re.compile(
    r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((?:<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+[\"'][^\n]*?[\"'])?\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--(?:(?!<!--).)*?-->")
_STARS = re.compile(r"(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1")
_UNDERSCORES = re.compile(r"(?<![\w\\])(_{1,3})(?=\S)(.+?)(?<=[^\s\\])\1(?!\w)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELL = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(r"[*_`~\[<\\|&]")


class LineKind(StrEnum):
    """What a line of Markdown belongs to."""

    BLANK = "blank"
    PROSE = "prose"
    TABLE = "table"
    CODE = "code"
    FENCE = "fence"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, what it belongs to, and its words."""

    number: int
    kind: LineKind
    text: str


def read_lines(markdown: str) -> Iterator[Line]:
    """Yield every line of a Markdown text with its words; lines without any have an empty text."""
    fence = ""
    for number, ended in enumerate(markdown.split("\n"), 1):
        line = ended.removesuffix("\r")
        opened = _FENCE.match(line)
        if fence:
            if opened and opened["marks"].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
                yield Line(number, LineKind.FENCE, "")
            else:
                yield Line(number, LineKind.CODE, line.rstrip())
        elif opened and not (opened["marks"][0] == "`" and "`" in line[opened.end() :]):
            fence = opened["marks"]
            yield Line(number, LineKind.FENCE, "")
        else:
            yield _outside_code(number, line)


def _outside_code(number: int, line: str) -> Line:
    stripped = line.strip()
    if not stripped:
        return Line(number, LineKind.BLANK, "")
    if stripped.startswith("|"):
        return (
            Line(number, LineKind.RULE, "")
            if _TABLE_RULE.fullmatch(line)
            else Line(number, LineKind.TABLE, _row(stripped))
        )
    if _RULE.fullmatch(line):
        return Line(number, LineKind.RULE, "")
    return Line(number, LineKind.PROSE, inline_text(_unmarked(line)))


def _row(line: str) -> str:
    cells = (inline_text(cell.strip()) for cell in _CELL.split(line.strip("|")))
    return " ".join(cell for cell in cells if cell)


def _unmarked(line: str) -> str:
    """Drop the marks of quotes, headings and list items, which may stand one inside the other."""
    heading = line.lstrip().startswith("#")
    while mark := _BLOCK_MARK.match(line):
        line = line[mark.end() :]
    return _CLOSING_HASHES.sub("", line) if heading else line.strip()


def inline_text(text: str) -> str:
    """Return the words of one line of inline Markdown: links and images become their text, emphasis goes."""
    if not _INLINE.search(text):
        return text
    spans: list[str] = []

    def hidden(span: re.Match[str]) -> str:
        # code is words as they stand: nothing inside it is markup
        spans.append(span[2].strip() or span[2])
        return f"\x00{len(spans) - 1}\x00"

    text = _CODE_SPAN.sub(hidden, text.replace("\x00", ""))
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    for emphasis in (_STARS, _UNDERSCORES):
        # marks may nest: ***both*** or **bold with *italic* inside**
        for _ in range(3):
            text, found = emphasis.subn(r"\2", text)
            if not found:
                break
    text = _ESCAPE.sub(r"\1", text)
    return re.sub("\x00(\\d+)\x00", lambda span: spans[int(span[1])], text)


def plain_text(lines: Iterable[Line]) -> str:
    """Join lines to one text; a blank line stays as the border of a paragraph."""
    return "\n".join(line.text for line in lines if line.kind not in (LineKind.FENCE, LineKind.RULE)).strip("\n")
