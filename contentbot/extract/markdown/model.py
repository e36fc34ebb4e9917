"""What stands between HTML and Markdown: blocks of inline tokens.

A paragraph is a flat list of tokens; `Open` and `Close` always pair up inside it. Whitespace is already what a
browser shows: one space where words are apart, none at the edges of a paragraph or a line. Text is raw, nothing is
escaped yet, because what has to be escaped depends on the neighbours.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from contentbot.documents import Heading


@dataclass(frozen=True, slots=True)
class Rendering:
    """One piece of HTML, three ways.

    Attributes:
        markdown: GitHub Flavored Markdown without a newline at its end; empty when nothing is visible.
        plain_text: the same words without markup. Blocks are apart by an empty line, lines of a list and rows of a
            table by a newline, cells by a tab. Code keeps its lines; addresses and image descriptions are left out.
        outline: the headings in order, with line ranges counted in `markdown`.
    """

    markdown: str
    plain_text: str
    outline: tuple[Heading, ...]


@dataclass(slots=True, eq=False)
class Mark:
    """A kind of inline markup around text: `strong`, `em`, `del`, `link`, or an HTML element kept by its name."""

    kind: str
    href: str = ""
    title: str = ""
    spent: bool = False


@dataclass(slots=True)
class Text:
    """Visible words."""

    value: str


@dataclass(slots=True)
class Code:
    """The inside of a code span."""

    value: str


@dataclass(slots=True)
class Raw:
    """Finished Markdown, and the words a reader sees in its place."""

    markdown: str
    plain: str = ""


@dataclass(slots=True)
class Open:
    """The start of a mark."""

    mark: Mark


@dataclass(slots=True)
class Close:
    """The end of a mark."""

    mark: Mark


@dataclass(slots=True)
class Break:
    """A line break inside a paragraph."""


Token: TypeAlias = Text | Code | Raw | Open | Close | Break


@dataclass(slots=True)
class Paragraph:
    """A line or lines of text. `task` is the state of the checkbox in front of it, if there is one."""

    tokens: list[Token]
    task: bool | None = None


@dataclass(slots=True)
class Title:
    """A heading of level 1 to 6; `anchor` is the fragment that leads to it, empty when the page has none."""

    level: int
    tokens: list[Token]
    anchor: str = ""


@dataclass(slots=True)
class CodeBlock:
    """Preformatted text without a newline at its end; `language` may be empty."""

    text: str
    language: str = ""


@dataclass(slots=True)
class Rule:
    """A thematic break."""


@dataclass(slots=True)
class MathBlock:
    """A displayed formula in TeX."""

    tex: str


@dataclass(slots=True)
class Flow:
    """Blocks one after the other: the document itself, or a part of it that Markdown has no sign for."""

    blocks: list["Block"] = field(default_factory=list)


@dataclass(slots=True)
class Quote(Flow):
    """A block quote; `callout` is the upper-case word of a GitHub alert, empty for a plain quote."""

    callout: str = ""


@dataclass(slots=True)
class Item(Flow):
    """A list item; `number` is what a browser shows before an ordered one."""

    number: int = 0


@dataclass(slots=True)
class ListBlock(Flow):
    """A list. Its blocks are `Item`s."""

    ordered: bool = False
    next_number: int = 1
    step: int = 1
    explicit: bool = True


@dataclass(slots=True)
class Note(Flow):
    """The text of a footnote."""

    label: str = ""


@dataclass(slots=True)
class Cell(Flow):
    """A table cell with the rows and columns it covers."""

    header: bool = False
    colspan: int = 1
    rowspan: int = 1
    align: str = ""


@dataclass(slots=True)
class Row:
    """A table row; `head` when it stands in a table head."""

    cells: list[Cell] = field(default_factory=list)
    head: bool = False


@dataclass(slots=True)
class Table:
    """A table as it was written, spans not yet expanded."""

    rows: list[Row] = field(default_factory=list)


Block: TypeAlias = Paragraph | Title | CodeBlock | Rule | MathBlock | Flow | Table
