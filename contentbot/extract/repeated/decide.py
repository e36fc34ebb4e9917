"""Which blocks of a page go."""

from collections.abc import Sequence
from hashlib import blake2b

from contentbot.extract.repeated.blocks import Block, PageBlocks, Trait
from contentbot.extract.repeated.template import Template

MOST_OF_A_PAGE = 0.7
"""The share of a page that its boxes may be; a listing, of which they are more, keeps them."""

Key = tuple[int, int]
"""The place of a block and its text."""

_LEVELS = range(1, 7)


def decide(page: PageBlocks, template: Template) -> frozenset[Key]:
    """Return the places and texts of the blocks that go.

    Code stays always. A heading goes with what stands below it, and where it says the title that the document has. A
    page of which nothing would be left stays whole.
    """
    kept = [block for block in page.blocks if block.kept]
    if not template or not kept:
        return frozenset()
    frame, boxes = _inside(page, template.frame), _inside(page, template.boxes)
    framed = [_may_go(block) and (frame[block.slot] or _is_common(block, template)) for block in kept]
    going = [_may_go(block) and (gone or boxes[block.slot]) for block, gone in zip(kept, framed, strict=True)]
    whole, rest = _weight_left(kept, framed), _weight_left(kept, going)
    if whole - rest > MOST_OF_A_PAGE * whole:
        going, rest = framed, whole
    if not rest:
        return frozenset()
    below = [frame[page.parents[block.slot]] or boxes[page.parents[block.slot]] for block in kept]
    going = _with_headings(kept, going, below, template)
    going = [gone or _is_title(page, block, template) for block, gone in zip(kept, going, strict=True)]
    return frozenset((page.slots[block.slot], block.text) for block, gone in zip(kept, going, strict=True) if gone)


def _inside(page: PageBlocks, places: frozenset[int]) -> list[bool]:
    """Say of each place of a page whether it is one of these, or inside of one."""
    inside: list[bool] = []
    for slot, parent in zip(page.slots, page.parents, strict=True):
        inside.append(slot in places or (parent >= 0 and inside[parent]))
    return inside


def _may_go(block: Block) -> bool:
    return not block.traits & Trait.CODE


def _is_common(block: Block, template: Template) -> bool:
    return not block.level and block.text in template.texts


def _is_title(page: PageBlocks, block: Block, template: Template) -> bool:
    return bool(block.level) and block.text == page.title and page.slots[block.slot] in template.titles


def _weight_left(blocks: Sequence[Block], going: Sequence[bool]) -> int:
    """Add up the letters of what stays and is no heading."""
    return sum(block.weight for block, gone in zip(blocks, going, strict=True) if not gone and not block.level)


def _with_headings(
    blocks: Sequence[Block], going: Sequence[bool], boxed: Sequence[bool], template: Template
) -> list[bool]:
    """Let a heading go with what is below it, up to the next one of its rank; one in a box goes with the box."""
    result = list(going)
    # by rank of a heading: whether all that was met since the last heading of that rank goes; None for nothing yet
    sections: dict[int, bool | None] = dict.fromkeys(_LEVELS)
    for number in range(len(blocks) - 1, -1, -1):
        level, gone = blocks[number].level, result[number]
        if level:
            section = sections[level]
            repeats = gone or (section is True and blocks[number].text in template.headings)
            gone = result[number] = repeats and (boxed[number] or section is not False)
        for rank in _LEVELS:
            if level and rank >= level:
                sections[rank] = None
            elif not (gone and level):
                sections[rank] = gone and sections[rank] is not False
    return result


def digest_of(dropped: frozenset[Key]) -> str:
    """Return 16 hex digits for what was dropped of a page, empty for nothing."""
    if not dropped:
        return ""
    return blake2b(repr(sorted(dropped)).encode(), digest_size=8).hexdigest()
