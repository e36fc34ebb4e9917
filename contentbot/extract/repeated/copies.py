"""On how many pages a text stands, where a page that only gathers others does not count.

A print view, a page of a list and the archive of a month repeat whole pages. Their text is content all the same, so
each text is counted on the pages that hold no other page which has it.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contentbot.extract.repeated.blocks import Block, PageBlocks, Trait

WHOLE = 0.8
"""The share of a page's own text that another one has to have to count as holding it."""

RARE = 20
"""Pages: what stands on more is not a page's own text."""

_LEAST_WEIGHT = 20  # letters; shorter texts say little about where they come from


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A page as it was surveyed, with the locale of its document: the same words in two languages are two texts."""

    locale: str
    blocks: PageBlocks


Text = tuple[str, int, int]
"""What is counted: a locale, a place for what repeats there only, and what is said."""


def text_of(page: Surveyed, block: Block) -> Text:
    """Return what a block says; a form that is filled in repeats where it stands, and nowhere else."""
    return page.locale, page.blocks.slots[block.slot] if block.traits & Trait.FOLDED else 0, block.text


def said_by(pages: Sequence[Surveyed]) -> Counter[Text]:
    """Return on how many pages each text stands."""
    readers: dict[Text, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        for text in {text_of(page, block) for block in page.blocks.blocks}:
            readers[text].append(number)
    holders = _holders(pages, readers)
    said: Counter[Text] = Counter()
    for text, numbers in readers.items():
        gathered = set().union(*(holders[number] for number in numbers if number in holders)) if holders else set()
        said[text] = sum(number not in gathered for number in numbers)
    return said


def _holders(pages: Sequence[Surveyed], readers: Mapping[Text, Sequence[int]]) -> dict[int, set[int]]:
    """Return, by page, the pages that hold it whole; of two that are the same, the one with the higher rank."""
    own = [_own(page, readers) for page in pages]
    holders: dict[int, set[int]] = {}
    for number in range(len(pages)):
        shared: Counter[int] = Counter()
        for text, weight in own[number].items():
            for reader in readers[text]:
                shared[reader] += weight
        whole = sum(own[number].values())
        found = {
            other
            for other, weight in shared.items()
            if other != number and weight >= WHOLE * whole and _is_larger(pages, own, other, number)
        }
        if found:
            holders[number] = found
    return holders


def _own(page: Surveyed, readers: Mapping[Text, Sequence[int]]) -> dict[Text, int]:
    """Return the chosen text of a page that few others have, with its weight."""
    texts = ((text_of(page, block), block) for block in page.blocks.blocks)
    return {
        text: block.weight
        for text, block in texts
        if block.traits & Trait.KEPT and block.weight >= _LEAST_WEIGHT and len(readers[text]) <= RARE
    }


def _is_larger(pages: Sequence[Surveyed], own: Sequence[Mapping[Text, int]], one: int, other: int) -> bool:
    def rank(number: int) -> tuple[object, ...]:
        blocks = pages[number].blocks
        # of two that are the same in everything it does not matter which one counts
        return sum(own[number].values()), tuple(blocks.slots), tuple(block.text for block in blocks.blocks), number

    return rank(one) > rank(other)
