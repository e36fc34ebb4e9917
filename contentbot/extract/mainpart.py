"""What the extractor trafilatura would keep of a page, as elements of the page's own tree.

Its own output loses code languages, captions and attributes; only its judgement is wanted. So every piece of text is
marked with a character of its own from the private-use planes, trafilatura works on a copy, and the marks that come
back say which pieces it kept. Everything else is pruned from the original tree.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Literal

import trafilatura
from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.tree import BLOCKS, remove

Piece = tuple[HtmlElement, Literal["text", "tail"]]

# planes 15 and 16, which are assigned to nothing: 131,068 marks
MARKS = range(0xF0000, 0x10FFFE)
# parts that only make sense whole
_WHOLE = frozenset(
    ["table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl", "li", "pre", "figure", "details", "blockquote"]
)
# what trafilatura leaves out although it belongs to what it keeps
_COMPANIONS = frozenset(["figure", "figcaption", "caption", "pre", "code", "math"])

# a page without text is an error to it; here it is a `NoContent` that says more
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


class PageKind(Enum):
    """What a page calls itself."""

    ARTICLE = "article"
    FORUM = "forum"
    OTHER = "other"


# types of schema.org, in JSON-LD
_THREAD = re.compile(r'"(?:DiscussionForumPosting|QAPage)"')
_ARTICLE = re.compile(r'"(?:\w*Article|BlogPosting|LiveBlogPosting|Report)"')
_OG_TYPE = etree.XPath("string(//meta[@property='og:type' or @name='og:type'][1]/@content)")


@dataclass(slots=True)
class _Weight:
    """The characters of an element's text that are kept, all of them, and whether blocks are inside."""

    kept: int = 0
    total: int = 0
    blocks: bool = False


def main_part(tree: HtmlElement, url: str) -> HtmlElement | None:
    """Return the smallest element that holds what trafilatura keeps, pruned of the rest; None when it keeps nothing.

    The tree is changed, except where None is returned. A page of more text pieces than there are marks gives None.
    """
    pieces = list(_pieces(tree))
    if not pieces or len(pieces) > len(MARKS):
        return None
    kept = _kept(tree, pieces, url)
    if not kept:
        return None
    weights = _weigh(tree, kept)
    part = _smallest(tree, weights)
    _prune(part, kept, weights)
    return part


def _pieces(tree: HtmlElement) -> Iterator[Piece]:
    for element in tree.iter("*"):
        if _has_words(element.text):
            yield element, "text"
        if _has_words(element.tail) and element is not tree:
            yield element, "tail"


def _has_words(text: str | None) -> bool:
    return bool(text) and not str(text).isspace()


def _kept(tree: HtmlElement, pieces: list[Piece], url: str) -> set[Piece]:
    texts = [getattr(element, place) for element, place in pieces]
    marks = [chr(code) for code in MARKS[: len(pieces)]]
    for (element, place), text, mark in zip(pieces, texts, marks, strict=True):
        start = len(text) - len(text.lstrip())
        setattr(element, place, f"{text[:start]}{mark}{text[start:]}")
    try:
        found = set(_judged(tree, url))
    finally:
        for (element, place), text in zip(pieces, texts, strict=True):
            setattr(element, place, text)
    return {piece for piece, mark in zip(pieces, marks, strict=True) if mark in found}


def _judged(tree: HtmlElement, url: str) -> Iterable[str]:
    """Yield the characters of what trafilatura keeps."""
    try:
        document = trafilatura.bare_extraction(
            tree, url=url, include_comments=False, include_links=True, output_format="xml", with_metadata=False
        )
    except Exception:
        return
    if isinstance(document, trafilatura.settings.Document) and document.body is not None:
        for text in document.body.itertext():
            yield from str(text)


def _weigh(tree: HtmlElement, kept: set[Piece]) -> dict[HtmlElement, _Weight]:
    elements = list(tree.iter("*"))
    weights = {element: _Weight() for element in elements}
    # children come after their parent: backwards, each one is complete when its parent is reached
    for element in reversed(elements):
        weight = weights[element]
        _add(weight, element.text, (element, "text") in kept)
        parent = element.getparent()
        if element is tree or parent is None:
            continue
        above = weights[parent]
        above.kept += weight.kept
        above.total += weight.total
        above.blocks = above.blocks or weight.blocks or element.tag in BLOCKS
        _add(above, element.tail, (element, "tail") in kept)
    return weights


def _add(weight: _Weight, text: str | None, is_kept: bool) -> None:
    if text and (length := len(text.strip())):
        weight.total += length
        weight.kept += length if is_kept else 0


def _smallest(tree: HtmlElement, weights: dict[HtmlElement, _Weight]) -> HtmlElement:
    """Descend as long as one child holds all that is kept."""
    part = tree
    while part.tag not in _WHOLE:
        holder = [child for child in part.iterchildren("*") if weights[child].kept == weights[part].kept]
        if not holder or not weights[holder[0]].blocks:
            break
        part = holder[0]
    return part


def _prune(part: HtmlElement, kept: set[Piece], weights: dict[HtmlElement, _Weight]) -> None:
    waiting = [part]
    while waiting:
        element = waiting.pop()
        weight = weights[element]
        # a paragraph stays whole when most of it is kept: the rest are links, formulas, key names
        if not weight.blocks and 2 * weight.kept >= weight.total:
            continue
        if _has_words(element.text) and (element, "text") not in kept:
            element.text = " "
        for child in list(element.iterchildren("*")):
            if _has_words(child.tail) and (child, "tail") not in kept:
                child.tail = " "
            if weights[child].kept:
                waiting.append(child)
            elif weights[child].total and child.tag not in _COMPANIONS:
                remove(child)


def kind_of(tree: HtmlElement) -> PageKind:
    """Say what a page calls itself, in its structured data and its OpenGraph type."""
    data = " ".join(script.text or "" for script in tree.iter("script") if "ld+json" in (script.get("type") or ""))
    if _THREAD.search(data):
        return PageKind.FORUM
    return PageKind.ARTICLE if "article" in str(_OG_TYPE(tree)).lower() or _ARTICLE.search(data) else PageKind.OTHER
