"""The steps of the classifier, from a tree to its main part."""

from dataclasses import dataclass

from lxml.html import HtmlElement

from contentbot.extract.blocks.choice import choose_blocks
from contentbot.extract.blocks.hints import Hints
from contentbot.extract.blocks.layout import Layout
from contentbot.extract.blocks.model import current
from contentbot.extract.blocks.prune import keep_only
from contentbot.extract.blocks.rows import join_rows
from contentbot.extract.blocks.voters import ask_resiliparse, ask_trafilatura
from contentbot.extract.blocks.walk import Blocks, walk


@dataclass(frozen=True, slots=True)
class MainPart:
    """What was kept of a page.

    Attributes:
        node: the smallest element that holds it, pruned of the rest; None when nothing was found.
        kind: the likeliest kind of page, one of `pagekind.KINDS`; empty for a page without text.
    """

    node: HtmlElement | None = None
    kind: str = ""


def find_main_part(tree: HtmlElement, html: str, hints: Hints) -> MainPart:
    """Return the main part of a page; the tree is used up.

    Args:
        tree: the page without what is hidden.
        html: the page as it was sent, for a voter with a parser of its own.
        hints: what its head says, see `read_hints`.
    """
    body = tree.find("body")
    root: HtmlElement = tree if body is None else body
    blocks = read_blocks(root)
    if not blocks.text:
        return MainPart()
    layout = Layout(blocks)
    votes = [ask_trafilatura(tree, blocks), ask_resiliparse(html, blocks)]
    judged = current().judge(layout, hints, votes)
    keep = choose_blocks(judged.likely, layout.length, judged.kinds["article"])
    return MainPart(keep_only(root, blocks, keep), max(judged.kinds, key=judged.kinds.__getitem__))


def read_blocks(root: HtmlElement) -> Blocks:
    """Return the blocks of an element, table rows as one."""
    return join_rows(walk(root))
