"""Blocks to plain text."""

from collections.abc import Iterator, Sequence

from contentbot.extract.markdown.inline import to_plain
from contentbot.extract.markdown.model import (
    Block,
    CodeBlock,
    Flow,
    ListBlock,
    MathBlock,
    Note,
    Paragraph,
    Quote,
    Row,
    Table,
    Title,
)


def plain_text(blocks: Sequence[Block]) -> str:
    """Return the words of blocks, apart by an empty line."""
    return "\n\n".join(part for block in blocks if (part := _plain(block)))


def _plain(block: Block) -> str:
    match block:
        case Paragraph(tokens):
            return to_plain(tokens).strip()
        case Title(_, tokens):
            return " ".join(to_plain(tokens).split())
        case CodeBlock(text) | MathBlock(text):
            return text
        case Table(rows):
            return "\n".join(line for row in rows if (line := _row(row)))
    return "\n".join(_inside(block)) if isinstance(block, Flow) else ""


def _inside(flow: Flow) -> Iterator[str]:
    if isinstance(flow, Quote) and flow.callout:
        yield flow.callout.capitalize()
    text = "\n".join(filter(None, map(_plain, flow.blocks))) if isinstance(flow, ListBlock) else plain_text(flow.blocks)
    yield f"[{flow.label}] {text}" if isinstance(flow, Note) else text


def _row(row: Row) -> str:
    return "\t".join(" ".join(plain_text(cell.blocks).split()) for cell in row.cells).strip()
