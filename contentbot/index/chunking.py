"""Cutting a document into the sections it is searched by.

A section is what stands under one heading, up to `MAX_WORDS` words; a longer one is cut between paragraphs, then
between lines, and prose that is one long line between words. Lines of code and rows of tables are never cut.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from contentbot.documents import Chunk, ContentDocument, Heading
from contentbot.index.plaintext import Line, LineKind, inline_text, plain_text, read_lines

MAX_WORDS = 400

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
# a character of a script without spaces is about half a word
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{1,2}|\S+?(?=[\u3040-\u30ff\u3400-\u9fff]|\s|$)"
)


@dataclass
class _Section:
    path: list[str]
    anchor: str
    lines: list[Line] = field(default_factory=list)
    has_child: bool = False


def chunks_of(document: ContentDocument) -> list[Chunk]:
    """Return the document's sections in order, numbered from 0; a document without a body has one, empty."""
    chunks: list[Chunk] = []
    for section in _sections(document):
        for piece in _pieces(section.lines):
            text = plain_text(piece)
            if text.strip() or (section.path and not section.has_child and not chunks_share(chunks, section)):
                chunks.append(_chunk(document, len(chunks), section, piece, text))
    return chunks or [Chunk(document_key=document.key, number=0, line_start=1, line_end=1, text="")]


def chunks_share(chunks: Sequence[Chunk], section: _Section) -> bool:
    """Say whether the section's heading already stands over the chunk before."""
    return bool(chunks) and chunks[-1].line_start >= section.lines[0].number


def _chunk(document: ContentDocument, number: int, section: _Section, piece: Sequence[Line], text: str) -> Chunk:
    return Chunk(
        document_key=document.key,
        number=number,
        heading_path=section.path,
        anchor=section.anchor,
        line_start=piece[0].number,
        line_end=piece[-1].number,
        text=text,
    )


def _sections(document: ContentDocument) -> Iterator[_Section]:
    """Divide the lines at the headings; the heading's own line is the section's first, without words of its own."""
    lines = list(read_lines(document.body))
    headings = {heading.line_start: heading for heading in document.outline or _headings(document.body, lines)}
    open_headings: list[Heading] = []
    section = _Section([], "")
    for line in lines:
        if heading := headings.get(line.number):
            open_headings = [one for one in open_headings if one.level < heading.level]
            section.has_child = (
                bool(section.path) and bool(open_headings) and open_headings[-1].title == section.path[-1]
            )
            if section.lines:
                yield section
            open_headings.append(heading)
            section = _Section([one.title for one in open_headings], heading.anchor)
            # the words of the heading are searched as heading, not twice
            section.lines.append(Line(line.number, LineKind.PROSE, ""))
        else:
            section.lines.append(line)
    yield section


def _headings(body: str, lines: Sequence[Line]) -> Iterator[Heading]:
    """Find ATX headings outside of code, for a document that brings no outline."""
    for line, raw in zip(lines, body.split("\n"), strict=True):
        if line.kind is LineKind.PROSE and (found := _ATX.match(raw)):
            title = inline_text(found[2])
            yield Heading(level=len(found[1]), title=title, line_start=line.number, line_end=line.number)


def _pieces(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Collect paragraphs, or parts of long ones, up to the limit of words."""
    piece: list[Line] = []
    size = 0
    for block in _blocks(lines):
        words = sum(_words(line.text) for line in block)
        if piece and size + words > MAX_WORDS and size:
            yield piece
            piece, size = [], 0
        piece.extend(block)
        size += words
    if piece:
        yield piece


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Group lines that should stay together: a paragraph, a table, a fenced block; none is over the limit."""
    block: list[Line] = []
    for line in lines:
        if block and line.kind is not LineKind.BLANK and _is_border(block[-1], line):
            yield from _fitting(block)
            block = []
        block.append(line)
    if block:
        yield from _fitting(block)


def _is_border(last: Line, line: Line) -> bool:
    if last.kind is LineKind.CODE or line.kind is LineKind.CODE:
        return False
    return last.kind is not line.kind or last.kind is LineKind.FENCE


def _fitting(block: list[Line]) -> Iterator[list[Line]]:
    """Leave a block as it is, or cut one that is over the limit into its lines."""
    if sum(_words(line.text) for line in block) <= MAX_WORDS:
        yield block
        return
    for line in block:
        if line.kind is LineKind.PROSE:
            yield from ([Line(line.number, line.kind, part)] for part in _parts(line.text))
        else:
            yield [line]


def _parts(text: str) -> Iterator[str]:
    """Cut a line of prose between words."""
    start, words = 0, 0
    for word in _WORD.finditer(text):
        if words == MAX_WORDS:
            yield text[start : word.start()].rstrip()
            start, words = word.start(), 0
        words += 1
    yield text[start:]


def _words(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text)) if text else 0
