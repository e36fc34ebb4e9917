"""Which blocks of a page go."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

from contentbot.extract.repeated.blocks import Block, PageBlocks, Trait
from contentbot.extract.repeated.template import Template

MOST_OF_A_PAGE = 0.7
"""The share of a page that its boxes may be; a listing, of which they are more, keeps them."""

MOST_OF_AN_END = 0.3
"""The share of a page's text that its ending may be; a page of which it is more is a variant of another one."""

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
    going, boxed = by_place(page, kept, template)
    rest = _weight_left(kept, going)
    if not rest:
        return frozenset()
    ending = ending_of(kept, going, lambda block: block.text in template.endings)
    if sum(kept[number].weight for number in ending) <= MOST_OF_AN_END * rest:
        going = [gone or number in ending for number, gone in enumerate(going)]
    going = _with_headings(kept, going, boxed, template)
    going = [gone or _is_title(page, block, template) for block, gone in zip(kept, going, strict=True)]
    return frozenset((page.slots[block.slot], block.text) for block, gone in zip(kept, going, strict=True) if gone)


def by_place(page: PageBlocks, kept: Sequence[Block], template: Template) -> tuple[list[bool], list[bool]]:
    """Say of each block that was kept whether it goes for its place or as a text of most pages, and whether a place
    around its own one goes.
    """
    frame, boxes = _inside(page, template.frame), _inside(page, template.boxes)
    framed = [may_go(block) and (frame[block.slot] or _is_common(block, template)) for block in kept]
    going = [may_go(block) and (gone or boxes[block.slot]) for block, gone in zip(kept, framed, strict=True)]
    whole, rest = _weight_left(kept, framed), _weight_left(kept, going)
    if whole - rest > MOST_OF_A_PAGE * whole:
        going = framed
    around = [page.parents[block.slot] for block in kept]
    return going, [parent >= 0 and (frame[parent] or boxes[parent]) for parent in around]


def ending_of(blocks: Sequence[Block], going: Sequence[bool], repeats: Callable[[Block], bool]) -> list[int]:
    """Return the numbers of the last blocks of a page, as far back as they repeat.

    Blocks below a heading of their own are no ending: that is a section, and somebody wrote it.
    """
    found: list[int] = []
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number]
        if going[number] or (block.level and not found):
            continue
        if block.level:
            return []
        if not may_go(block) or not repeats(block):
            return found
        found.append(number)
    return found


def _inside(page: PageBlocks, places: frozenset[int]) -> list[bool]:
    """Say of each place of a page whether it is one of these, or inside of one."""
    inside: list[bool] = []
    for slot, parent in zip(page.slots, page.parents, strict=True):
        inside.append(slot in places or (parent >= 0 and inside[parent]))
    return inside


def may_go(block: Block) -> bool:
    """Say whether a block can be repeated text: code never is."""
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
