"""Which part of a page is its content: the source's selectors, else what the classifier of blocks keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from cssselect import HTMLTranslator
from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.blocks import Hints, find_main_part
from contentbot.extract.boilerplate import content_of, remove_consent
from contentbot.extract.tree import find, has_text, outermost, remove, text_length
from contentbot.sources.models import Source

# characters; on less text there is nothing to learn from, and the page is taken whole, minus boilerplate
LEAST_TEXT = 500


@dataclass(frozen=True, slots=True)
class Region:
    """The elements that hold a page's content, in document order, none inside another.

    Attributes:
        chosen_by: the selector that matched, else `classifier` or `boilerplate removal`.
        tried: how many elements each selector of the source matched, up to the one that won.
        excluded: how many elements each `content-exclude` took out.
        page_kind: what the classifier takes the page for, such as `article`; empty where it was not asked.
    """

    nodes: Sequence[HtmlElement]
    chosen_by: str
    tried: Mapping[str, int] = field(default_factory=dict)
    excluded: Mapping[str, int] = field(default_factory=dict)
    page_kind: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """What the classifier reads of a page beside its tree: its HTML and the hints of its head."""

    html: str
    hints: Hints


def choose(tree: HtmlElement, source: Source, sent: Sent | None) -> Region:
    """Return the region of a page by the rules of its source. The tree is used up.

    A selector that matches a part of the page is obeyed to the letter; for `body` and `html` the boilerplate goes.
    Where no selector matches any text, the choice is automatic, as for a source without selectors.

    Args:
        tree: the page without what is hidden.
        source: whose selectors are asked.
        sent: None for a page that is all content, such as one that was written in Markdown.
    """
    remove_consent(tree)
    excluded = exclude(tree, source.content_exclude)
    nodes, chosen_by, tried = select(tree, source.content_selector)
    kind = ""
    if not nodes:
        part, chosen_by, kind = automatic(tree, sent)
        nodes = [part]
    elif len(nodes) == 1 and nodes[0].tag in {"html", "body"}:
        nodes = [content_of(tree)]
    return Region(nodes, chosen_by, tried, excluded, kind)


def select(tree: HtmlElement, selectors: Sequence[str]) -> tuple[list[HtmlElement], str, dict[str, int]]:
    """Return what the first selector that matches any text matches, that selector, and the matches of all tried."""
    tried = {}
    for selector in selectors:
        matched = outermost(find(compiled(selector), tree))
        tried[selector] = len(matched)
        if any(has_text(node) for node in matched):
            return matched, selector, tried
    return [], "", tried


def exclude(tree: HtmlElement, selectors: Sequence[str]) -> dict[str, int]:
    """Remove from the tree what the selectors match; return how many elements each one removed."""
    removed = {}
    for selector in selectors:
        matched = outermost(find(compiled(selector), tree))
        for node in matched:
            remove(node, separate=True)
        removed[selector] = len(matched)
    return removed


def automatic(tree: HtmlElement, sent: Sent | None) -> tuple[HtmlElement, str, str]:
    """Return the content of a page that no selector describes, what chose it, and the kind of page."""
    if sent is not None and text_length(tree) >= LEAST_TEXT:
        found = find_main_part(tree, sent.html, sent.hints)
        if found.node is not None:
            return found.node, "classifier", found.kind
    return content_of(tree), "boilerplate removal", ""


@lru_cache(maxsize=512)
def compiled(selector: str) -> etree.XPath:
    """Return a CSS selector as a compiled XPath over the whole tree."""
    return etree.XPath(HTMLTranslator().css_to_xpath(selector))
