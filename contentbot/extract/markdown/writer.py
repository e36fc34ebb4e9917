"""Blocks to lines of Markdown and of plain text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contentbot.extract.markdown.escape import Place
from contentbot.extract.markdown.inline import to_markdown, to_plain
from contentbot.extract.markdown.model import (
    Block,
    Cell,
    CodeBlock,
    Flow,
    Item,
    ListBlock,
    MathBlock,
    Note,
    Paragraph,
    Quote,
    Rule,
    Table,
    Title,
)
from contentbot.extract.markdown.tables import grid

_FENCES = re.compile(r"^ {0,3}(`{3,})", re.M)
_ALIGNMENT = {"left": ":---", "center": ":---:", "right": "---:"}


@dataclass(frozen=True, slots=True)
class PlacedTitle:
    """A heading and the line of the Markdown that it stands on, counted from 1."""

    title: Title
    text: str
    line: int


class MarkdownWriter:
    """Writes blocks line by line, so that every heading knows its line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.titles: list[PlacedTitle] = []
        self._first, self._rest = "", ""

    def write(self, blocks: Sequence[Block], *, tight: bool = False) -> None:
        """Write blocks, apart by an empty line unless they are the inside of a tight list item."""
        previous: Block | None = None
        flip = False
        for block in blocks:
            if previous is not None and not tight:
                self._blank()
            flip = _same_list(previous, block) and not flip
            self._block(block, flip=flip, in_item=tight or self._first != self._rest)
            previous = block

    def _block(self, block: Block, *, flip: bool, in_item: bool) -> None:
        match block:
            case Paragraph():
                self._paragraph(block, in_item=in_item)
            case ListBlock():
                self._list(block, flip=flip)
            case Quote():
                self._quote(block)
            case Note(blocks, label):
                self._nested(blocks, f"[^{label}]: ", "    ")
            case Flow(blocks):
                self.write(blocks)
            case _:
                self._leaf(block)

    def _leaf(self, block: Title | CodeBlock | Table | Rule | MathBlock) -> None:
        match block:
            case Title():
                self._title(block)
            case CodeBlock():
                self._code(block)
            case Table():
                self._table(block)
            case Rule():
                # right after a bullet, dashes would make one rule of the whole line
                self._line("***" if self._first != self._rest else "---")
            case MathBlock(tex):
                for line in ("$$", *tex.split("\n"), "$$"):
                    self._line(line)

    def _line(self, line: str) -> None:
        self.lines.append((self._first + line) if line else self._first.rstrip())
        self._first = self._rest

    def _blank(self) -> None:
        self._line("")

    def _paragraph(self, block: Paragraph, *, in_item: bool) -> None:
        text = to_markdown(block.tokens, Place(item=in_item))
        if block.task is not None:
            text = f"[{'x' if block.task else ' '}] {text}"
        for line in text.split("\n"):
            self._line(line)

    def _title(self, block: Title) -> None:
        self._line(f"{'#' * block.level} {to_markdown(block.tokens, Place(heading=True))}")
        self.titles.append(PlacedTitle(block, " ".join(to_plain(block.tokens).split()), len(self.lines)))

    def _code(self, block: CodeBlock) -> None:
        longest = max((len(fence) for fence in _FENCES.findall(block.text)), default=2)
        fence = "`" * (longest + 1)
        self._line(fence + block.language)
        for line in block.text.split("\n"):
            self._line(line)
        self._line(fence)

    def _quote(self, block: Quote) -> None:
        outer = self._first, self._rest
        self._first, self._rest = self._first + "> ", self._rest + "> "
        if block.callout:
            self._line(f"[!{block.callout}]")
        self.write(block.blocks)
        self._first = self._rest = outer[1]

    def _nested(self, blocks: Sequence[Block], sign: str, indent: str, *, tight: bool = False) -> None:
        outer = self._rest
        self._first, self._rest = self._first + sign, self._rest + indent
        if blocks:
            self.write(blocks, tight=tight)
        else:
            self._line("")
        self._first = self._rest = outer

    def _list(self, block: ListBlock, *, flip: bool) -> None:
        items = [item for item in block.blocks if isinstance(item, Item)]
        tight = all(_is_tight(item) for item in items)
        for number, item in enumerate(items):
            if number and not tight:
                self._blank()
            sign = f"{max(item.number, 0)}{')' if flip else '.'} " if block.ordered else "* " if flip else "- "
            self._nested(item.blocks, sign, " " * len(sign), tight=tight)

    def _table(self, table: Table) -> None:
        lines, has_header = grid(table)
        width = len(lines[0])
        if not has_header:
            lines = [[None] * width, *lines]
        for number, line in enumerate(lines):
            self._line(f"| {' | '.join(cell_markdown(cell) if cell else '' for cell in line)} |")
            if not number:
                aligned = lines[0] if has_header else lines[1]
                self._line(f"| {' | '.join(_ALIGNMENT.get(cell.align if cell else '', '---') for cell in aligned)} |")


def _same_list(previous: Block | None, block: Block) -> bool:
    return isinstance(previous, ListBlock) and isinstance(block, ListBlock) and previous.ordered == block.ordered


def _is_tight(item: Item) -> bool:
    """Tell whether an item is one line, or one line and a list that may follow it without an empty line."""
    match item.blocks:
        case [] | [Paragraph() | CodeBlock() | Title()]:
            return True
        case [Paragraph(), ListBlock() as inner]:
            return _may_interrupt(inner)
        case [ListBlock()]:
            return True
    return False


def _may_interrupt(inner: ListBlock) -> bool:
    first = inner.blocks[0]
    return isinstance(first, Item) and bool(first.blocks) and (not inner.ordered or first.number == 1)


def cell_markdown(cell: Cell) -> str:
    """Return a cell's blocks on one line."""
    return "<br>".join(_cell_lines(cell.blocks))


def _cell_lines(blocks: Sequence[Block]) -> Iterator[str]:
    place = Place(cell=True)
    for block in blocks:
        match block:
            case Paragraph(tokens) | Title(_, tokens):
                yield to_markdown(tokens, place)
            case CodeBlock(text):
                yield from (_code_line(line) for line in text.split("\n") if line.strip())
            case MathBlock(tex):
                yield f"${tex}$".replace("|", "\\|")
            case ListBlock(items, ordered=ordered):
                for item in items:
                    yield from _cell_item(item, ordered)
            case Flow(inner):
                yield from _cell_lines(inner)


def _cell_item(item: Block, ordered: bool) -> Iterator[str]:
    if isinstance(item, Item):
        sign = f"{item.number}. " if ordered else "- "
        for number, line in enumerate(_cell_lines(item.blocks)):
            yield line if number else sign + line


def _code_line(line: str) -> str:
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    pad = " " if longest else ""
    return f"{'`' * (longest + 1)}{pad}{line.rstrip()}{pad}{'`' * (longest + 1)}".replace("|", "\\|")
