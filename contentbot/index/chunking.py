"""Cutting a document into the sections it is searched by.

A section is what stands under one heading, up to `MAX_WORDS` words; a longer one is cut between paragraphs, then
between lines, and prose that is one long line between words. Lines of code and rows of tables are never cut.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from contentbot.documents import Chunk, ContentDocument, Heading
from contentbot.index.plaintext import Line, LineKind, inline_text, plain_text, read_lines
from contentbot.index.scripts import WORD, count_words

MAX_WORDS = 400

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")


@dataclass
class _Section:
    path: list[str] = field(default_factory=list)
    anchor: str = ""
    lines: list[Line] = field(default_factory=list)

    @property
    def has_words(self) -> bool:
        return any(line.text and not line.text.isspace() for line in self.lines)


def chunks_of(document: ContentDocument) -> list[Chunk]:
    """Return the document's sections in order, numbered from 0; a document without a body has one, empty."""
    chunks: list[Chunk] = []
    sections = list(_sections(document))
    for section, after in zip_longest(sections, sections[1:]):
        if section.has_words:
            pieces = [piece for piece in _pieces(section.lines) if any(line.text for line in piece)]
        elif section.path and (after is None or len(after.path) <= len(section.path)):
            # a bare heading is searched too, unless it already stands over the next section
            pieces = [section.lines]
        else:
            continue
        chunks.extend(_chunk(document, number, section, piece) for number, piece in enumerate(pieces, len(chunks)))
    return chunks or [Chunk(document_key=document.key, number=0, line_start=1, line_end=1, text="")]


def _chunk(document: ContentDocument, number: int, section: _Section, piece: Sequence[Line]) -> Chunk:
    return Chunk(
        document_key=document.key,
        number=number,
        heading_path=section.path,
        anchor=section.anchor,
        line_start=piece[0].number,
        line_end=piece[-1].number,
        text=plain_text(piece),
    )


def _sections(document: ContentDocument) -> Iterator[_Section]:
    """Divide the lines at the headings; the heading's own line is the section's first, without words of its own."""
    lines = list(read_lines(document.body))
    headings = {heading.line_start: heading for heading in document.outline or _headings(document.body, lines)}
    open_headings: list[Heading] = []
    section = _Section()
    for line in lines:
        if heading := headings.get(line.number):
            open_headings = [one for one in open_headings if one.level < heading.level]
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
        words = sum(count_words(line.text) for line in block)
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
    kinds = {last.kind, line.kind}
    # the rule belongs to the header of its table
    if LineKind.CODE in kinds or LineKind.RULE in kinds:
        return False
    return last.kind is not line.kind or last.kind is LineKind.FENCE


def _fitting(block: list[Line]) -> Iterator[list[Line]]:
    """Leave a block as it is, or cut one that is over the limit into its lines."""
    if sum(count_words(line.text) for line in block) <= MAX_WORDS:
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
    for word in WORD.finditer(text):
        if words == MAX_WORDS:
            yield text[start : word.start()].rstrip()
            start, words = word.start(), 0
        words += 1
    yield text[start:]
