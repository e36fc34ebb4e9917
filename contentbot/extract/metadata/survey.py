"""One walk over a page: its text in blocks, its headings, and what is about something else.

Metadata is never taken from foreign ground: navigation, the page's footer, comments, boxes of related or recent
articles. The walk marks it once, all readers obey. A container is told to be foreign by its tag, by its names or by
the heading that opens it; one that holds the page's own title is none, whatever it is called.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, islice

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.elements import SILENT_TAGS
from contentbot.extract.metadata.ground import (
    DOUBTFUL,
    FOREIGN,
    MARKED,
    Ground,
    announces_others,
    foreign_words,
    is_doubtful,
    is_foreign,
    leads_elsewhere,
    traits_of,
)
from contentbot.extract.metadata.text import squash, words

_MAX_EVENTS = 120_000
_MAX_BLOCK = 1_000
_PIECED = 300
# blocks that may stand between a title and the text, its own and those of a menu, and how long a text is at least
_LONGEST_TOP, _LONGEST_MENU = 16, 60
_PROSE = 140
# an aside, a sidebar or a footer that is no longer than this, in blocks, and as near to the title may be its byline
_SMALL, _BESIDE = 16, 20

_INLINE = frozenset(
    vocabulary.names("""
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span
    strong nobr sub sup time tt u var wbr img svg picture source
    """)
)
_NEVER_A_PAGE = frozenset({"script", "style", "noscript", "template", "svg", "textarea", "title"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# inline elements between which a reader sees a gap although no character stands there
_GLUED = frozenset({"span", "a", "time"})
_ROOTS = frozenset({"body", "article", "main", "html"})

_MARKED_TAGS = frozenset({"time", "relative-time", "local-time", "time-ago", "abbr", "address"})
_MARKING = frozenset({"itemprop", "rel", "datetime", "pubdate"})
_NO_ATTRIBUTES: Mapping[str, str] = {}
# tags that say something without any attribute
_TELLING_TAGS = _HEADINGS | _MARKED_TAGS | {"nav", "dialog", "aside", "footer", "article"}


@dataclass(slots=True)
class Block:
    """A run of text between two block-level boundaries.

    `element` is the innermost block-level element around it, `level` that of the heading it is (0: none),
    `position` counts the blocks of the page, `foreign` says that it is about something else, `parts` are its texts
    as they stand between the tags.
    """

    text: str
    element: HtmlElement
    position: int
    level: int = 0
    foreign: bool = False
    parts: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[str]:
        """The texts between the tags in the block; none for a block that is too long to be a line."""
        return [piece for piece in map(squash, self.parts) if piece] if len(self.text) <= _PIECED else []


@dataclass(slots=True)
class Mark:
    """An element that promises metadata by its tag, attributes or names, with its place among the blocks."""

    element: HtmlElement
    position: int
    foreign: bool = False


@dataclass(slots=True)
class Survey:
    """What the walk found, in document order."""

    blocks: list[Block] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def headings(self, level: int) -> Iterator[Block]:
        """Yield the page's own headings of a level."""
        return (block for block in self.blocks if block.level == level and not block.foreign)

    def near(self, title: Block, *, before: int) -> Iterator[Block]:
        """Yield the page's own blocks around its title: those that follow it up to the text, then those before it."""
        following = self.blocks[title.position + 1 : self.end_of_top(title)]
        preceding = self.blocks[max(0, title.position - before) : title.position]
        return (block for block in (*following, *reversed(preceding)) if not block.foreign)

    def end_of_top(self, title: Block) -> int:
        """Return the position where the page's text has begun: bylines and dates of the page stand before it.

        A heading right under the title is its second line: the first paragraph may then still open with the date.
        """
        own = prose = subheadings = 0
        end = min(len(self.blocks), title.position + 1 + _LONGEST_TOP + _LONGEST_MENU)
        for block in self.blocks[title.position + 1 : end]:
            own += not block.foreign
            prose += not block.foreign and not block.level and len(block.text) > _PROSE
            subheadings += block.level > 0 and own > 1
            # a lead may come before the byline, a section of the text may not
            if own > _LONGEST_TOP or prose > 2 or (prose and subheadings):
                return block.position
            if prose and self.blocks[title.position + 1].level:
                return block.position + 1
        return end


def survey(tree: HtmlElement, titles: Iterable[str] = ()) -> Survey:
    """Walk over the page once. Bounded: pages beyond the event limit are read up to it.

    Args:
        tree: the page.
        titles: what its head says that it is called, the site's name included.
    """
    walk = _Walk({words(title) for title in titles if title})
    events = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
    for event, node in islice(events, _MAX_EVENTS):
        if event == "end":
            walk.end(node)
        elif event != "start":
            walk.take(node.tail)  # a comment or processing instruction: only what follows it is text
        elif not walk.start(node):
            events.skip_subtree()
    return walk.finish()


class _Walk:
    """The state of one walk; `survey` drives it. It sees every element of a page, so each step counts."""

    def __init__(self, titles: set[tuple[str, ...]]) -> None:
        self._titles = titles
        self._result = Survey()
        self._buffer: list[str] = []
        self._silent: HtmlElement | None = None
        self._level = 0
        self._after_inline = False
        self._articles = 0
        self._title: Block | None = None
        self._seen_h1 = False
        self._ground: Ground | None = None
        self._grounds: list[Ground] = []
        # the ground of each block and mark, decided at the end
        self._block_grounds: list[Ground | None] = []
        self._mark_grounds: list[Ground | None] = []

    def start(self, element: HtmlElement) -> bool:
        """Enter an element; say whether what is in it is text of the page."""
        tag, items = element.tag, element.items()
        attributes = dict(items) if items else _NO_ATTRIBUTES
        if (tag in SILENT_TAGS or (attributes and _is_hidden(attributes))) and _holds_no_page(element, tag):
            self._silent = element
            return False
        if self._buffer and tag not in _INLINE:
            self._flush(element.getparent())
        if attributes or tag in _TELLING_TAGS:
            self._note(element, tag, attributes)
        if self._after_inline and tag in _GLUED:
            self._buffer.append(" ")
        self._after_inline = False
        if (text := element.text) and (self._buffer or not text.isspace()):
            self._buffer.append(text)
        return True

    def _note(self, element: HtmlElement, tag: str, attributes: Mapping[str, str]) -> None:
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        traits = traits_of(names) if names != " " else 0
        if traits & (FOREIGN | DOUBTFUL) or tag in _TELLING_TAGS:
            self._enter_foreign(element, tag, names, traits)
        if traits & MARKED or tag in _MARKED_TAGS or _is_marked(tag, attributes):
            self._result.marks.append(Mark(element, len(self._result.blocks)))
            self._mark_grounds.append(self._ground)
        if tag == "article":
            self._articles += 1
        elif tag in _HEADINGS:
            self._level = int(tag[1])

    def _enter_foreign(self, element: HtmlElement, tag: str, names: str, traits: int) -> None:
        inside, after = self._articles > 0, self._title is not None
        if not is_foreign(tag, names, traits, inside_article=inside, after_title=after):
            return
        if self._ground is None or not traits or not self._ground.repeats(foreign_words(names)):
            self._enter(element, doubtful=is_doubtful(element, tag, names, traits))

    def end(self, element: HtmlElement) -> None:
        """Leave an element: what follows it is text of its parent."""
        tag, tail = element.tag, element.tail
        if element is self._silent:
            self._silent = None
            self.take(tail)
            return
        if tag not in _INLINE:
            if self._buffer:
                self._flush(element)
            if tag in _HEADINGS:
                self._level = 0
            elif tag == "article":
                self._articles -= 1
        self._after_inline = tag in _GLUED and not tail
        while self._ground is not None and self._ground.element is element:
            self._ground = self._ground.parent
        if tail and (self._buffer or not tail.isspace()):
            self._buffer.append(tail)

    def finish(self) -> Survey:
        """Decide what is foreign, now that every container's content is known."""
        title = self._title or next((block for block in self._result.blocks if 0 < block.level < 3), None)
        # the distance to the title in blocks, those of menus left out
        own = [0, *accumulate(ground is None or not ground.is_certain for ground in self._block_grounds)]
        for ground in self._grounds:
            beside = title is not None and abs(own[ground.first] - own[title.position]) <= _BESIDE
            if ground.doubtful and ground.blocks <= _SMALL and not ground.links and (beside or ground.inside_article):
                ground.released = True
            # parents come before their children
            ground.foreign = not ground.released or (ground.parent is not None and ground.parent.foreign)
        for block, under in zip(self._result.blocks, self._block_grounds, strict=True):
            block.foreign = under is not None and under.foreign
        for mark, under in zip(self._result.marks, self._mark_grounds, strict=True):
            mark.foreign = under is not None and under.foreign
        return self._result

    def take(self, text: str | None) -> None:
        """Add text to the block; white space at its start is none."""
        if text and (self._buffer or not text.isspace()):
            self._buffer.append(text)

    def _flush(self, element: HtmlElement | None) -> None:
        text = squash("".join(self._buffer), _MAX_BLOCK)
        parts = tuple(self._buffer)
        self._buffer.clear()
        if not text or element is None:
            return
        block = Block(text, element, len(self._result.blocks), self._level, parts=parts)
        self._result.blocks.append(block)
        if self._level:
            self._heading(block)
        self._block_grounds.append(self._ground)
        if self._ground is not None:
            self._ground.blocks += 1
            self._ground.links += self._level > 0 and leads_elsewhere(element)

    def _heading(self, block: Block) -> None:
        if self._is_better_title(block):
            self._title = block
            for ground in self._ground.around() if self._ground is not None else ():
                ground.released = True
            return
        self._seen_h1 |= block.level == 1
        after_title = self._title is not None or self._seen_h1
        if after_title and not self._is_foreign() and block.level > 1 and announces_others(block.text):
            self._open_section(block.element)

    def _is_better_title(self, block: Block) -> bool:
        said = words(block.text)
        if not said or (self._title is not None and len(said) <= len(words(self._title.text))):
            return False
        ends = ((title[: len(said)], title[-len(said) :]) for title in self._titles)
        return said in self._titles or (len(said) > 2 and any(said in end for end in ends))

    def _is_foreign(self) -> bool:
        return self._ground is not None and not all(ground.released for ground in self._ground.around())

    def _open_section(self, heading: HtmlElement) -> None:
        # the heading's container holds what it announces; a wrapper around the heading alone does not
        container = heading.getparent()
        while container is not None and len(container) < 2 and container.tag not in _ROOTS:
            container = container.getparent()
        if container is not None:
            self._enter(container)

    def _enter(self, element: HtmlElement, *, doubtful: bool = False) -> None:
        first, inside = len(self._result.blocks), self._articles > 0
        self._ground = Ground(element, self._ground, first, doubtful=doubtful, inside_article=inside)
        self._grounds.append(self._ground)


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if "hidden" in attributes:
        return True
    return "style" in attributes and "display:none" in attributes["style"].replace(" ", "").lower()


def _holds_no_page(element: HtmlElement, tag: str) -> bool:
    # an unclosed button, or a page that is shown by a script only, holds everything
    return tag in _NEVER_A_PAGE or next(element.iter("main", "article", "h1"), None) is None


def _is_marked(tag: str, attributes: Mapping[str, str]) -> bool:
    if not _MARKING.isdisjoint(attributes):
        return True
    return tag == "a" and "href" in attributes and bool(vocabulary.PERSON_PATH.search(attributes["href"]))
