"""Taking out of a tree what is not kept; what stays keeps its elements, attributes and order."""

from collections.abc import Mapping
from dataclasses import dataclass

from lxml.html import HtmlElement

from contentbot.extract.blocks.layout import Bools
from contentbot.extract.blocks.walk import Blocks
from contentbot.extract.tree import BLOCKS, remove

# parts that only make sense whole: the region is not a part of one
_WHOLE = frozenset(
    ["table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl", "li", "pre", "figure", "details", "blockquote"]
)


@dataclass(slots=True)
class _Weight:
    """How many pieces of an element's text are kept, all of them, and whether blocks are inside."""

    kept: int = 0
    total: int = 0
    blocks: bool = False


def keep_only(root: HtmlElement, blocks: Blocks, keep: Bools) -> HtmlElement | None:
    """Return the smallest element that holds the kept blocks, with nothing else of the page's text in it.

    Pictures, rules and the like stay where the element around them holds something that is kept; a figure there stays
    without its caption where the caption is not kept. The tree is changed;
    None when no block is kept.
    """
    if not keep.any():
        return None
    kept = {piece: owner >= 0 and bool(keep[owner]) for piece, owner in zip(blocks.pieces, blocks.owner, strict=True)}
    weights = _weigh(root, blocks, kept)
    part = _smallest(root, weights)
    _prune(part, kept, weights)
    return part


def _weigh(
    root: HtmlElement, blocks: Blocks, kept: Mapping[tuple[HtmlElement, bool], bool]
) -> dict[HtmlElement, _Weight]:
    elements = list(root.iter("*"))
    weights = {element: _Weight() for element in elements}
    for (element, behind), owner in zip(blocks.pieces, blocks.owner, strict=True):
        holder = element.getparent() if behind else element
        if owner >= 0 and holder is not None:
            weights[holder].total += 1
            weights[holder].kept += kept[element, behind]
    # children come after their parent: backwards, each one is complete when its parent is reached
    for element in reversed(elements):
        parent = element.getparent()
        if element is root or parent is None:
            continue
        above, weight = weights[parent], weights[element]
        above.kept += weight.kept
        above.total += weight.total
        above.blocks = above.blocks or weight.blocks or element.tag in BLOCKS
    return weights


def _smallest(root: HtmlElement, weights: Mapping[HtmlElement, _Weight]) -> HtmlElement:
    """Descend as long as one child holds all that is kept."""
    part = root
    while part.tag not in _WHOLE:
        holder = next((child for child in part.iterchildren("*") if weights[child].kept == weights[part].kept), None)
        if holder is None or not weights[holder].blocks:
            break
        part = holder
    return part


def _prune(
    part: HtmlElement, kept: Mapping[tuple[HtmlElement, bool], bool], weights: Mapping[HtmlElement, _Weight]
) -> None:
    waiting = [part]
    while waiting:
        element = waiting.pop()
        weight = weights[element]
        if weight.kept == weight.total:
            continue
        if not kept.get((element, False), True):
            element.text = " "
        for child in list(element.iterchildren("*")):
            if not kept.get((child, True), True):
                child.tail = " "
            if weights[child].kept:
                waiting.append(child)
            elif weights[child].total and not _is_picture(child):
                remove(child)


def _is_picture(element: HtmlElement) -> bool:
    """Say whether an element between kept ones is a figure with a picture; its caption goes, the picture stays."""
    if element.tag != "figure" or next(element.iter("img"), None) is None:
        return False
    for caption in list(element.iter("figcaption")):
        remove(caption)
    return not any(text.strip() for text in element.itertext())
