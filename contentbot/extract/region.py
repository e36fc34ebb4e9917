"""Which part of a page is its content: the source's selectors, else what the extractor trafilatura keeps."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache

from cssselect import HTMLTranslator
from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.boilerplate import content_of, remove_consent
from contentbot.extract.mainpart import PageKind, main_part
from contentbot.extract.tree import find, has_text, outermost, remove, text_length
from contentbot.sources.models import Source

# a page of which trafilatura would keep less than this share is taken whole, minus boilerplate: on 300 pages of a
# public benchmark this gave a word F1 of .836 (without .807, trafilatura's own text .822), for articles .925 (.923)
LEAST_SHARE = {PageKind.ARTICLE: 0.15, PageKind.OTHER: 0.7}
# where trafilatura finds less than this it gives up choosing and takes all text of the page, navigation included
LEAST_LENGTH = {PageKind.ARTICLE: 0, PageKind.OTHER: 250}


@dataclass(frozen=True, slots=True)
class Region:
    """The elements that hold a page's content, in document order, none inside another.

    Attributes:
        chosen_by: the selector that matched, else `trafilatura` or `boilerplate removal`.
        tried: how many elements each selector of the source matched, up to the one that won.
        excluded: how many elements each `content-exclude` took out.
    """

    nodes: Sequence[HtmlElement]
    chosen_by: str
    tried: Mapping[str, int] = field(default_factory=dict)
    excluded: Mapping[str, int] = field(default_factory=dict)


def choose(tree: HtmlElement, source: Source, *, url: str, kind: PageKind) -> Region:
    """Return the region of a page by the rules of its source. The tree is used up.

    A selector that matches a part of the page is obeyed to the letter; for `body` and `html` the boilerplate goes.
    Where no selector matches any text, the choice is automatic, as for a source without selectors.
    """
    remove_consent(tree)
    excluded = exclude(tree, source.content_exclude)
    nodes, chosen_by, tried = select(tree, source.content_selector)
    if not nodes:
        part, chosen_by = automatic(tree, url, kind)
        nodes = [part]
    elif len(nodes) == 1 and nodes[0].tag in {"html", "body"}:
        nodes = [content_of(tree)]
    return Region(nodes, chosen_by, tried, excluded)


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


def automatic(tree: HtmlElement, url: str, kind: PageKind) -> tuple[HtmlElement, str]:
    """Return the content of a page that no selector describes, and what chose it.

    Trafilatura is made for articles. Landing pages, products and listings, of which it keeps a fraction, and threads
    of forums, of which it loses answers, are taken whole, minus boilerplate.
    """
    whole = content_of(deepcopy(tree))
    part = None if kind is PageKind.FORUM else main_part(tree, url)
    if part is None or text_length(part) < max(LEAST_LENGTH[kind], LEAST_SHARE[kind] * text_length(whole)):
        return whole, "boilerplate removal"
    return part, "trafilatura"


@lru_cache(maxsize=512)
def compiled(selector: str) -> etree.XPath:
    """Return a CSS selector as a compiled XPath over the whole tree."""
    return etree.XPath(HTMLTranslator().css_to_xpath(selector))
