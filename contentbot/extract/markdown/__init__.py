"""HTML to GitHub Flavored Markdown, plain text and an outline, in one walk over the tree.

    elements -> footnotes are found -> blocks of inline tokens (builder) -> lines (writer, plain, outline)

A walk of our own and not a subclass of a converter, for four reasons that only the whole paragraph or page can
answer: escaping by need, emphasis that renders beside punctuation, line numbers of headings, and cost that grows
with the size of the page however it is nested.
"""

from collections.abc import Sequence

from lxml.etree import _Element

from contentbot.extract.markdown.builder import read_blocks
from contentbot.extract.markdown.footnotes import find_footnotes
from contentbot.extract.markdown.model import Rendering
from contentbot.extract.markdown.outline import outline
from contentbot.extract.markdown.plain import plain_text
from contentbot.extract.markdown.writer import MarkdownWriter

__all__ = ["Rendering", "render"]


def render(nodes: Sequence[_Element], *, base_url: str) -> Rendering:
    """Return elements of a page as Markdown, plain text and outline.

    Args:
        nodes: elements in document order, none inside another; they may be changed.
        base_url: the address that relative ones are resolved against, and that lone fragments point into.
    """
    footnotes = find_footnotes(nodes, base_url)
    reader = read_blocks(nodes, base_url, footnotes)
    order = {label: number for number, label in enumerate(footnotes.notes.values())}
    blocks = [*reader.blocks, *sorted(reader.notes, key=lambda note: order[note.label])]
    writer = MarkdownWriter()
    writer.write(blocks)
    return Rendering("\n".join(writer.lines), plain_text(blocks), outline(writer.titles, len(writer.lines)))
