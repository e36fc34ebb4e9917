"""HTML text to a tree that is safe to walk.

Limits are checked before work is spent: whatever is over one of them raises `LimitExceeded` with the measured value.
The parser, libxml2, ends quietly with an empty tree where it meets a limit of its own; that is told apart here.
"""

import re
from urllib.parse import urljoin, urlsplit

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from contentbot.errors import LimitExceeded, NoContent
from contentbot.extract.rules import Limits

# scripts that carry content: structured data and formulas
_KEPT_SCRIPT = re.compile(r"ld\+json|math/", re.IGNORECASE)
_MAX_KEPT_SCRIPT = 1 << 20
_HIDING = re.compile(r"none|hidden", re.IGNORECASE)
_MAX_KEPT_STYLE = 200_000
# never past the next `<`, or the time would grow with the square of a page of unclosed tags
_ATTRIBUTES = r"""(?:"[^"]*"|'[^']*'|[^'"<>])*+"""
# comments, scripts and styles in one pass; other tags are matched as well, so that markup in attributes is stepped over
_INVISIBLE = re.compile(
    # to run up to the next sign that may end it is many times faster than to try the end at every character
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
    rf"|<(script|style)\b({_ATTRIBUTES})(?:>|\Z)(?:[^<]++|<(?!/\1(?=[\s/>])[^<>]*>))*+(?:</\1(?=[\s/>])[^<>]*>|\Z)"
    rf"|<[a-z]{_ATTRIBUTES}>",
    re.IGNORECASE | re.DOTALL,
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")
_REFERENCE = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}));?(?![0-9a-fA-F])")
_START_TAG = re.compile(r"<[a-zA-Z]")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# above this length the pass over the text is cheaper than a tree with all the inline state of an application
_LARGE = 256 << 10
# the depth up to which libxml2 goes unless it is told that a document may be huge
_USUAL_DEPTH = 256
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_SELF_CLOSED = re.compile(r"""<([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'"<>/])*)/>""")
# WHATWG HTML, "in head" insertion mode; anything else ends the head
_OF_THE_HEAD = frozenset(
    ["base", "basefont", "bgsound", "link", "meta", "title", "noscript", "noframes", "style", "script", "template"]
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def parse_html(text: str, limits: Limits) -> HtmlElement:
    """Parse HTML into a tree whose root is `<html>`.

    Raises:
        LimitExceeded: `too_many_bytes`, `too_many_nodes`, `too_deep` or `too_many_table_rows`, with the measure.
        NoContent: `empty_page` when there is nothing to parse.
    """
    if len(text) > _LARGE or text.count("<") > limits.max_nodes:
        text = drop_invisible(text)
    text = _writable(text)
    body = text.encode("utf-8", "replace")
    check("too_many_bytes", len(body), limits.max_bytes)
    if text.count("<") > limits.max_nodes:
        check("too_many_nodes", len(_START_TAG.findall(text)), limits.max_nodes)
    if not text.strip():
        raise NoContent("empty_page", "the answer has no body")
    tree = _parse(body, text, limits)
    _check_tables(tree, limits)
    _empty_head(tree)
    return tree


def xhtml_to_html(text: str) -> str:
    """Spell XHTML so that an HTML parser reads it alike: `<script/>` and its like are closed, CDATA becomes text."""
    text = _CDATA.sub(lambda match: match[1].replace("&", "&amp;").replace("<", "&lt;"), text)
    return _SELF_CLOSED.sub(lambda tag: tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", text)


def drop_invisible(text: str) -> str:
    """Drop comments, scripts and styles, except those that carry structured data, formulas, or what a page hides."""
    return _INVISIBLE.sub(_kept, text)


def _writable(text: str) -> str:
    """Drop what lxml reads and then refuses to write: control characters, and references to them."""
    text = _CONTROLS.sub("", text.replace("\f", " "))
    return _REFERENCE.sub(_readable_reference, text) if "&#" in text else text


def _readable_reference(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    unwritable = (code < 0x20 and code not in {9, 10, 13}) or code in {0xFFFE, 0xFFFF}
    return " " if unwritable else match[0]


def _kept(match: re.Match[str]) -> str:
    whole = match[0]
    if whole.startswith("<!--"):
        return ""
    if match[1] is None:
        return whole
    if match[1].lower() == "style":
        return whole if len(whole) <= _MAX_KEPT_STYLE and _HIDING.search(whole) else ""
    return whole if _KEPT_SCRIPT.search(match[2]) and len(whole) <= _MAX_KEPT_SCRIPT else ""


def check(reason: str, measured: int, limit: int) -> None:
    """Raise `LimitExceeded` when a measure is over its limit."""
    if measured > limit:
        raise LimitExceeded(reason, f"{measured:,} over the limit of {limit:,}")


def _parse(body: bytes, text: str, limits: Limits) -> HtmlElement:
    tree, complete = _tree_of(body, huge=False)
    if not complete:
        tree, complete = _tree_of(body, huge=True)
        check("too_deep", depth(tree) if complete else _nesting(text), limits.max_depth)
    elif limits.max_depth < _USUAL_DEPTH:
        check("too_deep", depth(tree), limits.max_depth)
    if not complete:
        raise LimitExceeded("too_deep", "over what the parser supports")
    return tree


def _tree_of(body: bytes, *, huge: bool) -> tuple[HtmlElement, bool]:
    """Return the tree, and whether the parser read to the end."""
    parser = HTMLParser(encoding="utf-8", huge_tree=huge, remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(body, parser=parser)
    except etree.ParserError as error:
        raise NoContent("empty_page", "the page has no element at all") from error
    limit = etree.ErrorTypes.ERR_RESOURCE_LIMIT
    return tree, all(entry.type != limit for entry in parser.error_log)


def depth(tree: HtmlElement) -> int:
    """Return how many elements the deepest one is nested in, itself included."""
    level = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        level += 1 if event == "start" else -1
        deepest = max(deepest, level)
    return deepest


def _empty_head(tree: HtmlElement) -> None:
    """Move to the body what cannot be in a head: the parser knows HTML 4 only, and leaves other elements there."""
    head = tree.find("head")
    strays = [] if head is None else [child for child in head if child.tag not in _OF_THE_HEAD]
    if not strays:
        return
    body = tree.find("body")
    if body is None:
        body = tree.makeelement("body")
        tree.append(body)
    text, body.text = body.text, None
    for place, stray in enumerate(strays):
        body.insert(place, stray)
    if text:
        strays[-1].tail = (strays[-1].tail or "") + text


def _nesting(text: str) -> int:
    """Estimate the depth of markup that is too deep for the parser."""
    level = deepest = 0
    for closing, name in _TAG.findall(text):
        if name.lower() not in _VOID:
            level = max(0, level - 1) if closing else level + 1
            deepest = max(deepest, level)
    return deepest


def _check_tables(tree: HtmlElement, limits: Limits) -> None:
    if sum(1 for _ in tree.iter("tr")) > limits.max_table_rows:
        for table in tree.iter("table"):
            rows = len(table.xpath("./tr | ./*[self::thead or self::tbody or self::tfoot]/tr"))
            check("too_many_table_rows", rows, limits.max_table_rows)


def base_url(tree: HtmlElement, url: str) -> str:
    """Return what relative links are relative to: the first real `<base href>`, if it is a web address, else `url`."""
    for base in tree.iter("base"):
        if href := (base.get("href") or "").strip():
            joined = _joined(url, href)
            return joined if urlsplit(joined).scheme in {"http", "https"} else url
    return url


def _joined(url: str, href: str) -> str:
    try:
        return urljoin(url, href)
    except ValueError:  # such as a bracket that opens no IPv6 address
        return url
