"""Where and what repeats in a source, learned from its pages."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from contentbot.extract.repeated.blocks import Block, Trait
from contentbot.extract.repeated.copies import Surveyed, Text, said_by, text_of
from contentbot.extract.repeated.decide import by_place, ending_of
from contentbot.extract.repeated.fingerprints import BODY
from contentbot.extract.repeated.template import Template

LEAST_PAGES = 3
"""So many pages have to say a thing until it repeats; of more than 1,500 pages two in a thousand."""

REPEATED = 0.6
"""The share of a place's text, in the mean of its pages, that has to repeat; content differs from page to page."""

INNER = 0.5
"""The same for every place inside of one that goes as a whole."""

COMMON = 0.5
"""The share of the pages on which a text has to stand to go from among text that is content."""

TITLED = 0.8
"""The share of a heading's pages on which it has to say the page's title to be the place of titles."""

FEW_VALUES = 5
"""Texts of one place and page: authors and dates are few, the cells and lines of content are many."""

ENDS = 0.8
"""The share of its pages on which a text has to be the end of the content to be an ending."""

LABEL = 12
"""Letters: what is shorter may stand for what follows, such as `Note`, and does not go alone."""


@dataclass(slots=True)
class _Place:
    """What is known of a place. `share` is summed over its pages, the rest over the blocks right in it."""

    parent: int = -1
    pages: int = 0
    share: float = 0.0
    blocks: int = 0
    weight: int = 0
    common: int = 0
    links: int = 0
    titles: int = 0


def learn(pages: Sequence[Surveyed]) -> Template:
    """Return what repeats on these pages; their order does not matter."""
    if len(pages) < LEAST_PAGES:
        return Template()
    return _Lesson(pages).template()


class _Lesson:
    """The counts over the pages of a source."""

    def __init__(self, pages: Sequence[Surveyed]) -> None:
        self._pages = pages
        self._said = said_by(pages)
        self._of_locale = Counter(page.locale for page in pages)
        self._titles = Counter((page.locale, page.blocks.title) for page in pages if page.blocks.title)
        self._least = max(LEAST_PAGES, -(-len(pages) * 2 // 1000))
        self._places = _places_of(pages, self._repeats, self._said)

    def template(self) -> Template:
        """Return the topmost places whose text repeats, and the texts that stand on most pages."""
        places = self._topmost(self._repeating())
        frame = {place for place in places if 2 * self._places[place].pages >= len(self._pages)}
        texts, headings = set[int](), set[int]()
        for page in self._pages:
            for block in page.blocks.blocks:
                if not block.level:
                    texts.update([block.text] if self._is_common(page, block) else [])
                elif self._repeats(page, block):
                    headings.add(block.text)
        titles = {number for number, place in self._places.items() if _holds_titles(place)}
        template = Template(*map(frozenset, (frame, places - frame, texts, headings, titles)))
        return replace(template, endings=self._endings(template))

    def _endings(self, template: Template) -> frozenset[int]:
        """Return the texts that content ends with, once everything else that repeats is gone."""
        kept, last = Counter[int](), Counter[int]()
        for page in self._pages:
            blocks = [block for block in page.blocks.blocks if block.kept]
            going, _ = by_place(page.blocks, blocks, template)
            kept.update({block.text for block in blocks})
            last.update({blocks[number].text for number in ending_of(blocks, going, partial(self._recurs, page))})
        return frozenset(text for text, count in last.items() if count >= self._least and count >= ENDS * kept[text])

    def _recurs(self, page: Surveyed, block: Block) -> bool:
        return not block.traits & Trait.FOLDED and self._said[text_of(page, block)] >= self._least

    def _repeats(self, page: Surveyed, block: Block) -> bool:
        if block.traits & Trait.CODE:
            return False
        # another page's title: a teaser, or a link to the next page
        foreign = block.text != page.blocks.title and (page.locale, block.text) in self._titles
        return foreign or self._said[text_of(page, block)] >= self._least

    def _is_common(self, page: Surveyed, block: Block) -> bool:
        if block.traits & (Trait.CODE | Trait.FOLDED):
            return False
        return self._said[text_of(page, block)] >= max(self._least, COMMON * self._of_locale[page.locale])

    def _repeating(self) -> set[int]:
        lowest = self._lowest_inside()
        return {
            number
            for number, place in self._places.items()
            if number != BODY
            and place.pages >= LEAST_PAGES
            and self._share(place) >= REPEATED
            and lowest[number] >= INNER
        }

    def _topmost(self, repeating: set[int]) -> set[int]:
        outer = {number for number in repeating if self._places[number].parent not in repeating}
        inner = {place.parent for place in self._places.values()}
        return {
            number
            for number in outer
            if number in inner or self._places[number].weight >= LABEL * self._places[number].blocks
        }

    def _share(self, place: _Place) -> float:
        """Return how much of a place's text repeats, from 0 to 1."""
        if place.blocks > FEW_VALUES * place.pages and 2 * place.common < place.blocks * place.pages:
            return 0.0
        if place.blocks and place.links == place.blocks and 2 * place.pages >= len(self._pages):
            return 1.0
        return place.share / place.pages if place.pages else 1.0

    def _lowest_inside(self) -> dict[int, float]:
        """Return, by place, the lowest share of the places inside of it; those of few pages do not count."""
        lowest = dict.fromkeys(self._places, 1.0)
        for number in sorted(self._places, key=self._depth, reverse=True):
            place = self._places[number]
            if place.parent in lowest and place.pages >= LEAST_PAGES:
                lowest[place.parent] = min(lowest[place.parent], lowest[number], self._share(place))
        return lowest

    def _depth(self, number: int) -> int:
        depth = 0
        while (place := self._places.get(number)) is not None:
            number, depth = place.parent, depth + 1
        return depth


def _holds_titles(place: _Place) -> bool:
    return place.titles >= LEAST_PAGES and place.titles >= TITLED * place.blocks


def _places_of(
    pages: Sequence[Surveyed], repeats: Callable[[Surveyed, Block], bool], said: Mapping[Text, int]
) -> dict[int, _Place]:
    places: dict[int, _Place] = defaultdict(_Place)
    for page in pages:
        slots, parents = page.blocks.slots, page.blocks.parents
        weights, repeated = [0] * len(slots), [0] * len(slots)
        for block in page.blocks.blocks:
            place = places[slots[block.slot]]
            place.blocks += 1
            place.weight += block.weight
            place.links += bool(block.traits & Trait.LINKS)
            place.common += said[text_of(page, block)]
            if block.level and block.text == page.blocks.title:
                # neither content nor repeated: the document has it as its title
                place.titles += 1
                continue
            weights[block.slot] += block.weight
            repeated[block.slot] += block.weight if repeats(page, block) else 0
        _add_shares(places, slots, parents, weights, repeated)
    return places


def _add_shares(
    places: dict[int, _Place], slots: Sequence[int], parents: Sequence[int], weights: list[int], repeated: list[int]
) -> None:
    # a place comes after the one around it: backwards, each one is complete when it is reached
    for number in range(len(slots) - 1, -1, -1):
        place, parent = places[slots[number]], parents[number]
        place.parent = slots[parent] if parent >= 0 else -1
        if not weights[number]:
            continue
        place.pages += 1
        place.share += repeated[number] / weights[number]
        if parent >= 0:
            weights[parent] += weights[number]
            repeated[parent] += repeated[number]
