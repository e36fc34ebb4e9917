"""Which part of a page is its content: the source's selectors, else what the extractor trafilatura keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cssselect import HTMLTranslator
from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.html import find, remove
from contentbot.sources.models import WebsiteSource


@dataclass(frozen=True, slots=True)
class Region:
    """The elements that hold a page's content, in document order, none inside another.

    `chosen_by` is the selector that matched, or `trafilatura`, `boilerplate removal`.
    """

    nodes: Sequence[HtmlElement]
    chosen_by: str


@lru_cache(maxsize=512)
def compiled(selector: str) -> etree.XPath:
    """Return a CSS selector as a compiled XPath over the whole tree."""
    return etree.XPath(HTMLTranslator().css_to_xpath(selector))


def select(tree: HtmlElement, selectors: Sequence[str]) -> Region | None:
    """Return what the first selector matches that matches any text; None when none does."""
    for selector in selectors:
        matched = outermost(find(compiled(selector), tree))
        if any(has_text(node) for node in matched):
            return Region(matched, selector)
    return None


def exclude(tree: HtmlElement, selectors: Sequence[str]) -> dict[str, int]:
    """Remove from the tree what the selectors match; return how many elements each one removed."""
    removed = {}
    for selector in selectors:
        matched = find(compiled(selector), tree)
        for node in matched:
            remove(node)
        removed[selector] = len(matched)
    return removed


def outermost(nodes: Sequence[HtmlElement]) -> list[HtmlElement]:
    """Leave out the elements that are inside another one of the list."""
    chosen = set(nodes)
    return [node for node in nodes if not any(ancestor in chosen for ancestor in node.iterancestors())]


def has_text(node: HtmlElement) -> bool:
    """Say whether an element holds any text besides whitespace."""
    return any(text.strip() for text in node.itertext())


def choose(tree: HtmlElement, source: WebsiteSource) -> Region:
    """Return the region of a page by the rules of its source; what `content-exclude` names is gone from it."""
    exclude(tree, source.content_exclude)
    body = tree.find("body")
    return select(tree, source.content_selector) or Region([tree if body is None else body], "body")
