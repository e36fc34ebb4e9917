"""HTML text to a tree that is safe to walk, and the removal of what no reader sees.

Limits are checked before work is spent: whatever is over one of them raises `LimitExceeded` with the measured value.
"""

import re
from typing import cast
from urllib.parse import urljoin, urlsplit

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from contentbot.errors import LimitExceeded, NoContent
from contentbot.extract.rules import Limits

# scripts that carry content: structured data and formulas
_KEPT_SCRIPT = re.compile(r"ld\+json|math/(?:tex|mml|asciimath)", re.IGNORECASE)
_QUOTED = r"""(?:"[^"]*"|'[^']*'|[^'">])*"""
# scripts, styles and comments in one pass; ordinary tags are matched too, so that markup in attributes is skipped
_INVISIBLE = re.compile(
    rf"<!--.*?(?:-->|--!>|\Z)|<(script|style)\b({_QUOTED})>?.*?(?:</\1\s*>|\Z)|<[a-z]{_QUOTED}>",
    re.IGNORECASE | re.DOTALL,
)
_START_TAG = re.compile(r"<[a-zA-Z]")
_LARGE = 256 << 10
_MAX_KEPT_SCRIPT = 1 << 20


def parse_html(text: str, limits: Limits) -> HtmlElement:
    """Parse HTML into a tree whose root is `<html>`.

    Raises:
        LimitExceeded: `too_many_bytes`, `too_many_nodes`, `too_deep` or `too_many_table_rows`, with the measure.
        NoContent: `empty_page` when there is nothing to parse.
    """
    if len(text) > _LARGE:
        text = drop_invisible(text)
    _check(
        "too_many_bytes", len(text.encode("utf-8", "replace")) if len(text) > _LARGE else len(text), limits.max_bytes
    )
    if text.count("<") > limits.max_nodes:
        _check("too_many_nodes", len(_START_TAG.findall(text)), limits.max_nodes)
    if not text.strip():
        raise NoContent("empty_page", "the answer has no body")
    tree = _parse(text, limits)
    _check_shape(tree, limits)
    return tree


def drop_invisible(text: str) -> str:
    """Drop comments, styles and scripts, except those that carry structured data or formulas."""
    return _INVISIBLE.sub(_kept, text)


def _kept(match: re.Match[str]) -> str:
    whole = match[0]
    if whole.startswith("<!--"):
        return ""
    if match[1] is None:
        return whole
    return whole if _KEPT_SCRIPT.search(match[2]) and len(whole) <= _MAX_KEPT_SCRIPT else " "


def _parse(text: str, limits: Limits) -> HtmlElement:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError as error:
        raise NoContent("empty_page", "the page has no element at all") from error
    # libxml2 ends quietly with an empty tree where the nesting is deeper than it supports
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise LimitExceeded("too_deep", f"nested deeper than the parser supports; the limit is {limits.max_depth}")
    return tree


def _check(reason: str, measured: int, limit: int) -> None:
    if measured > limit:
        raise LimitExceeded(reason, f"{measured:,} over the limit of {limit:,}")


def _check_shape(tree: HtmlElement, limits: Limits) -> None:
    nodes = depth = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            nodes += 1
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    _check("too_many_nodes", nodes, limits.max_nodes)
    _check("too_deep", deepest, limits.max_depth)
    for table in tree.iter("table"):
        _check("too_many_table_rows", sum(1 for _ in table.iter("tr")), limits.max_table_rows)


def base_url(tree: HtmlElement, url: str) -> str:
    """Return what relative links are relative to: the first real `<base href>`, if it is a web address, else `url`."""
    for base in tree.iter("base"):
        if href := (base.get("href") or "").strip():
            joined = urljoin(url, href)
            return joined if urlsplit(joined).scheme in {"http", "https"} else url
    return url


_HIDDEN = etree.XPath(
    "//*[@hidden or @aria-hidden='true' or contains(@style, 'display') or contains(@style, 'visibility')]"
)
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)


def remove_invisible(tree: HtmlElement) -> None:
    """Remove from a tree, in place, what no reader sees: scripts, hidden text, form controls."""
    for element in [
        *tree.iter("script", "style", "template", "svg", "input", "select", "button", "textarea", "noscript")
    ]:
        remove(element)
    for element in find(_HIDDEN, tree):
        if element.getparent() is not None and _is_hidden(element):
            remove(element)


def _is_hidden(element: HtmlElement) -> bool:
    return (
        "hidden" in element.attrib
        or element.get("aria-hidden") == "true"
        or bool(_HIDING_STYLE.search(element.get("style", "")))
    )


def find(xpath: etree.XPath, tree: HtmlElement) -> list[HtmlElement]:
    """Return the elements that an expression selects, in document order."""
    return cast("list[HtmlElement]", xpath(tree))


def remove(element: HtmlElement) -> None:
    """Take an element out of its tree; the text behind it stays."""
    if element.getparent() is not None:
        element.drop_tree()


def text_length(element: HtmlElement) -> int:
    """Count the characters of an element's text, white space left out."""
    return sum(len(piece) for text in element.itertext() for piece in text.split())
