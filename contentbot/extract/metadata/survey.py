"""One walk over a page's body: its text in blocks, its headings, and what is about something else.

Metadata is never taken from foreign ground: navigation, footers of the page, comments, boxes of related or recent
articles, whole items of lists that link to other pages. The walk marks it once, all readers obey.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.text import squash

_MAX_EVENTS = 120_000
_MAX_BLOCK = 1_000
# blocks that may stand between a title and the text, and the length in characters that makes a block a text
_LONGEST_TOP = 16
_PROSE = 140

_INLINE = frozenset(
    vocabulary.names("""
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span
    strong sub sup time tt u var wbr img svg picture source
    """)
)
_SILENT = frozenset(
    vocabulary.names("script style noscript template iframe object svg select textarea button head math video audio")
)
_FOREIGN_TAGS = frozenset({"nav", "footer", "dialog"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_OWN_CONTAINERS = frozenset({"article", "main", "header", "h1", "h2", "time", "body", "html"})

_FOREIGN_NAME = re.compile(rf"(?<![a-z]){vocabulary.FOREIGN_NAME}(?![a-z])")
_OWN_NAME = re.compile(vocabulary.OWN_NAME)
_FOREIGN_HEADING = re.compile(rf"^{vocabulary.FOREIGN_HEADING}", re.IGNORECASE)
_MARKED_NAME = re.compile(vocabulary.MARKED_NAME)
_MARKING_ATTRIBUTES = ("itemprop", "rel", "datetime", "pubdate")


@dataclass(slots=True)
class Block:
    """A run of text between two block-level boundaries.

    `element` is the innermost block-level element around it, `level` that of the heading it is (0: none),
    `position` counts the blocks of the page, `foreign` says that it is about something else.
    """

    text: str
    element: HtmlElement
    position: int
    foreign: bool
    level: int = 0
    in_article: bool = False


@dataclass(slots=True)
class Mark:
    """An element that carries metadata by its name, attribute or tag, with its place among the blocks."""

    element: HtmlElement
    position: int
    foreign: bool


@dataclass(slots=True)
class Survey:
    """What the walk found. `marks` are the elements whose tag, class or attributes promise metadata."""

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
        """Return the position where the page's text has begun: bylines and dates of the page stand before it."""
        prose = 0
        for block in self.blocks[title.position + 1 : title.position + 1 + _LONGEST_TOP]:
            prose += not block.foreign and len(block.text) > _PROSE
            if prose > 2 or (block.level and prose):
                return block.position
        return min(len(self.blocks), title.position + 1 + _LONGEST_TOP)


@lru_cache(maxsize=20_000)
def _is_foreign_name(names: str) -> bool:
    return any(
        _FOREIGN_NAME.search(name) and not _OWN_NAME.search(name)
        for name in names.lower().replace("_", "-").split()[:12]
        if len(name) < 60
    )


@lru_cache(maxsize=20_000)
def _is_marked_name(names: str) -> bool:
    return bool(_MARKED_NAME.search(names.lower()))


class _Walk:
    """The state of one walk; `survey` drives it."""

    def __init__(self) -> None:
        self.result = Survey()
        self._buffer: list[str] = []
        self._foreign: list[HtmlElement] = []
        self._articles = 0
        self._silent: HtmlElement | None = None
        self._seen_title = False
        self._level = 0

    def start(self, element: HtmlElement) -> None:
        tag = element.tag
        if self._silent is not None:
            return
        if tag in _SILENT or _is_hidden(element):
            self._silent = element
            return
        if tag not in _INLINE or tag in _HEADINGS:
            self._flush(element.getparent())
        if self._starts_foreign(element, tag):
            self._foreign.append(element)
        self._articles += tag == "article"
        if tag in _HEADINGS:
            self._level = int(tag[1])
        self._mark(element, tag)
        self._take(element.text)

    def end(self, element: HtmlElement) -> None:
        if self._silent is not None:
            if element is self._silent:
                self._silent = None
                self._take(element.tail)
            return
        if element.tag not in _INLINE:
            self._flush(element)
        if element.tag in _HEADINGS:
            self._level = 0
        self._articles -= element.tag == "article"
        while self._foreign and self._foreign[-1] is element:
            self._foreign.pop()
        self._take(element.tail)

    def skip(self, node: HtmlElement) -> None:
        """Pass over a comment or processing instruction: only what follows it is text."""
        if self._silent is None:
            self._take(node.tail)

    def _take(self, text: str | None) -> None:
        if text:
            self._buffer.append(text)

    def _flush(self, element: HtmlElement | None) -> None:
        if not self._buffer:
            return
        text = squash("".join(self._buffer), _MAX_BLOCK)
        self._buffer.clear()
        if not text or element is None:
            return
        blocks = self.result.blocks
        blocks.append(Block(text, element, len(blocks), bool(self._foreign), self._level, self._articles > 0))
        if self._level == 1 and not self._foreign:
            self._seen_title = True
        elif self._level and self._seen_title and not self._foreign and _FOREIGN_HEADING.match(text):
            self._open_foreign_section(element)

    def _open_foreign_section(self, heading: HtmlElement) -> None:
        # the heading's container holds what it announces; a wrapper around the heading alone does not
        container = heading.getparent()
        while container is not None and len(container) < 2 and container.tag not in ("body", "article", "main"):
            container = container.getparent()
        if container is not None:
            self._foreign.append(container)

    def _starts_foreign(self, element: HtmlElement, tag: str) -> bool:
        if tag in _FOREIGN_TAGS:
            return tag != "footer" or not self._articles
        if tag == "aside":
            return True
        if tag in _OWN_CONTAINERS:
            return tag == "article" and self._articles > 0 and self._seen_title
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        return len(names) > 1 and _is_foreign_name(names)

    def _mark(self, element: HtmlElement, tag: str) -> None:
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if tag in ("time", "abbr", "address") or _is_marked_name(names) or any(map(element.get, _MARKING_ATTRIBUTES)):
            self.result.marks.append(Mark(element, len(self.result.blocks), bool(self._foreign)))


def _is_hidden(element: HtmlElement) -> bool:
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style) and "display:none" in style.replace(" ", "").lower()


def survey(tree: HtmlElement) -> Survey:
    """Walk over the body once. Bounded: pages beyond the event limit are read up to it."""
    walk, body = _Walk(), tree.find("body")
    events = etree.iterwalk(body if body is not None else tree, events=("start", "end", "comment", "pi"))
    actions = {"start": walk.start, "end": walk.end, "comment": walk.skip, "pi": walk.skip}
    for _, (event, node) in zip(range(_MAX_EVENTS), events, strict=False):
        actions[event](node)
    return walk.result
