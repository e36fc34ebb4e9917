"""Small helpers for lxml trees."""

from collections.abc import Sequence
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

BLOCKS = frozenset(
    """
    address article aside blockquote body br center dd details dialog div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905 - forty names in quotes would be harder to read
)
_TEXT = etree.XPath("string()")


def find(xpath: etree.XPath, tree: HtmlElement) -> list[HtmlElement]:
    """Return the elements that an expression selects, in document order."""
    return cast("list[HtmlElement]", xpath(tree))


def remove(element: HtmlElement, *, separate: bool = False) -> None:
    """Take an element out of its tree; the text behind it stays, set off by a space when `separate` is set."""
    if element.getparent() is None:
        return
    if separate and element.tail and not element.tail[0].isspace():
        element.tail = f" {element.tail}"
    element.drop_tree()


def text_length(element: HtmlElement) -> int:
    """Count the characters of an element's text, white space left out."""
    return len("".join(str(_TEXT(element)).split()))


def has_text(element: HtmlElement) -> bool:
    """Say whether an element holds any text besides white space."""
    return any(not text.isspace() for text in element.itertext() if text)


def outermost(nodes: Sequence[HtmlElement]) -> list[HtmlElement]:
    """Leave out the elements that are inside another one of the list."""
    chosen = set(nodes)
    return [node for node in nodes if not any(ancestor in chosen for ancestor in node.iterancestors())]
