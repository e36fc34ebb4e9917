"""A page as blocks of text, read in one walk over its tree.

A block is a run of text between the edges of block-level elements; an empty line made of two `<br>` is such an edge.
Block-level elements are the containers. They are numbered as they stand in the document, so that each of them holds a
range of blocks, and what holds for a container is a difference of two sums over all blocks.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.blocks.vocabulary import BREAKING, FAMILY, NEUTRAL, ROLE, SKIPPED, STRONG, TAG

_SUBWORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_MOST_SUBWORDS = 16
# every other element is but its text
_MINDED = (BREAKING | STRONG | {"a", "img"}) - SKIPPED


@dataclass(slots=True)
class Containers:
    """The block-level elements of a page, one entry each in every list.

    Attributes:
        parent: the number of the container around it, -1 for the root.
        tag: see `vocabulary.TAG`.
        names: sub-words of the attributes that name it: `post-bodyText` is `post`, `body`, `text`.
        inside: bits of `vocabulary.FAMILY`, its own and those of all around it.
        depth: how many containers are around it.
        first, end: the range of its blocks.
        images: how many images stand in it.
        signature: the same number for containers of the same path of tags and classes.
    """

    parent: list[int] = field(default_factory=list)
    tag: list[int] = field(default_factory=list)
    names: list[tuple[str, ...]] = field(default_factory=list)
    inside: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    signature: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Blocks:
    """The texts of a page, one entry each in every list, in document order.

    Attributes:
        text: with one space for every run of white space; never empty.
        node: the number of the container it stands in.
        linked, local, strong: the shares of its characters inside of links, of links into the page, of emphasis.
        images: how many images stand before it.
        pieces: where the texts stand in the tree: an element, and whether it is the text behind the element.
        owner: the block of each piece, -1 for white space.
    """

    containers: Containers = field(default_factory=Containers)
    text: list[str] = field(default_factory=list)
    node: list[int] = field(default_factory=list)
    linked: list[float] = field(default_factory=list)
    local: list[float] = field(default_factory=list)
    strong: list[float] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    pieces: list[tuple[HtmlElement, bool]] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)


def walk(root: HtmlElement) -> Blocks:
    """Return the blocks of an element, which is not changed."""
    return _Walk(root).run()


@lru_cache(maxsize=20_000)
def subwords(names: str) -> tuple[str, ...]:
    """Return the sub-words of class names and ids in lower case, each once."""
    return tuple(dict.fromkeys(word.lower() for word in _SUBWORD.findall(names)[:_MOST_SUBWORDS]))


class _Walk:
    """The state of one walk: what has been read, and what is open."""

    __slots__ = (
        "blocks",
        "breaks",
        "chars",
        "current",
        "images",
        "open",
        "parts",
        "paths",
        "root",
        "started",
    )

    def __init__(self, root: HtmlElement) -> None:
        self.root = root
        self.blocks = Blocks()
        self.parts: list[str] = []
        # open links, links into the page, emphasis; and the characters read inside of each since the block began
        self.open = [0, 0, 0]
        self.chars = [0, 0, 0]
        self.current = -1
        self.images = 0
        self.breaks = 0
        self.started = 0
        # the number of each path of tags and classes
        self.paths: dict[tuple[int, str, str], int] = {}

    def run(self) -> Blocks:
        walker = etree.iterwalk(self.root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            if event == "start":
                if tag in SKIPPED:
                    walker.skip_subtree()
                    continue
                if tag in _MINDED or element is self.root:
                    self.enter(element, tag)
                if text := element.text:
                    self.read(element, text, behind=False)
            else:
                if tag in _MINDED or element is self.root:
                    self.leave(element, tag)
                if (text := element.tail) and element is not self.root:
                    self.read(element, text, behind=True)
        self.flush()
        return self.blocks

    def enter(self, element: HtmlElement, tag: str) -> None:
        if tag in BREAKING or element is self.root:
            if tag == "br":
                self.line_break()
            else:
                self.flush()
                self.open_container(element, tag)
        elif tag == "a":
            self.open[0] += 1
            self.open[1] += (element.get("href") or "").startswith("#")
        elif tag in STRONG:
            self.open[2] += 1
        elif tag == "img":
            self.images += 1

    def leave(self, element: HtmlElement, tag: str) -> None:
        if tag in BREAKING or element is self.root:
            if tag != "br":
                self.flush()
                self.close_container()
        elif tag == "a":
            self.open[0] -= 1
            self.open[1] -= (element.get("href") or "").startswith("#")
        elif tag in STRONG:
            self.open[2] -= 1

    def read(self, element: HtmlElement, text: str, *, behind: bool) -> None:
        blocks = self.blocks
        self.parts.append(text)
        blocks.pieces.append((element, behind))
        blocks.owner.append(-1)
        length = len(text.strip())
        if length:
            self.breaks = 0
            links, into_page, strong = self.open
            if links:
                self.chars[0] += length
                if into_page:
                    self.chars[1] += length
            if strong:
                self.chars[2] += length

    def line_break(self) -> None:
        self.breaks += 1
        if self.breaks == 2:
            self.flush()
        self.parts.append("\n")

    def flush(self) -> None:
        blocks = self.blocks
        if self.parts:
            text = " ".join("".join(self.parts).split())
            self.parts.clear()
            if text:
                self.add(text)
        self.started = len(blocks.pieces)
        self.chars = [0, 0, 0]
        self.breaks = 0

    def add(self, text: str) -> None:
        blocks, number, length = self.blocks, len(self.blocks.text), len(text)
        blocks.text.append(text)
        blocks.node.append(self.current)
        blocks.linked.append(min(1.0, self.chars[0] / length))
        blocks.local.append(min(1.0, self.chars[1] / length))
        blocks.strong.append(min(1.0, self.chars[2] / length))
        blocks.images.append(self.images)
        blocks.owner[self.started :] = [number] * (len(blocks.owner) - self.started)

    def open_container(self, element: HtmlElement, tag: str) -> None:
        nodes, parent = self.blocks.containers, self.current
        attributes = dict(element.items())
        classes = attributes.get("class", "") if attributes else ""
        inside = FAMILY.get(tag, 0)
        if "role" in attributes:
            inside |= ROLE.get(attributes["role"], 0)
        nodes.parent.append(parent)
        nodes.tag.append(TAG.get(tag, -1))
        nodes.names.append(subwords(_names(classes, attributes)) if attributes else ())
        nodes.inside.append(inside | (nodes.inside[parent] if parent >= 0 else 0))
        nodes.depth.append(nodes.depth[parent] + 1 if parent >= 0 else 0)
        nodes.first.append(len(self.blocks.text))
        nodes.end.append(0)
        nodes.images.append(self.images)
        around = 0 if parent < 0 or tag in NEUTRAL else nodes.signature[parent]
        nodes.signature.append(self.paths.setdefault((around, tag, classes[:40]), len(self.paths) + 1))
        self.current = len(nodes.parent) - 1

    def close_container(self) -> None:
        nodes, current = self.blocks.containers, self.current
        nodes.end[current] = len(self.blocks.text)
        nodes.images[current] = self.images - nodes.images[current]
        self.current = nodes.parent[current]


def _names(classes: str, attributes: dict[str, str]) -> str:
    if len(attributes) == bool(classes):
        return classes
    return " ".join([classes, *[attributes[name] for name in ("id", "itemprop", "data-testid") if name in attributes]])
