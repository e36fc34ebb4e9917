"""Feeds as they are served, made fit for a parser that forgives nothing.

feedparser falls back to regular expressions where XML is damaged, which is slow, and loses nesting. So the damage is
mended before: encodings that were declared wrongly, what stands in front of the root element, bare `&` and `<`, names
of entities that only HTML knows, prefixes that nobody declared, elements that were not closed, an end that is missing.
"""

import re
from codecs import lookup
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from w3lib.encoding import http_content_type_encoding

from contentbot.discovery.charsets import charset_of, decoded
from contentbot.discovery.xml_sitemap import mended as mended_markup
from contentbot.errors import NotAFeed

MAX_MARKS = 1_500_000
"""Tags and references in one feed; a feed of 10 MB has a third of them."""

MAX_VALUE = 4_000
"""Characters of a name, a date, an address: feedparser's expressions take quadratic time on longer ones."""

MAX_PARTS = 500
"""Elements of one item, attributes of one element, prefixes of one feed: all of them cost quadratic time somewhere."""

# elements that hold the texts of items; what is inside of them is not looked into
_TEXTS = frozenset(
    {
        "encoded",
        "content",
        "description",
        "summary",
        "body",
        "fullitem",
        "abstract",
        "subtitle",
        "tagline",
        "info",
        "div",
    }
)
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)\s*>", re.IGNORECASE)
_TAG = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_HTML = frozenset({"html", "head", "body", "title", "meta", "script", "div", "p"})
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PREFIX = re.compile(r"</?([A-Za-z_][\w.-]*):[A-Za-z_]|\s([A-Za-z_][\w.-]*):[\w.-]+\s*=\s*[\"']")
_DECLARED = re.compile(r"\bxmlns:([\w.-]+)\s*=")
# where generators forget to say it, this is what they mean
_MEANT = {
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "itunes": "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
    "atom": "http://www.w3.org/2005/Atom",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xhtml": "http://www.w3.org/1999/xhtml",
}


@dataclass(frozen=True, slots=True)
class Mended:
    """XML without a fault, as UTF-8 without a declaration, and what had to be done to it.

    Attributes:
        damage: what the first fault was.
        more: how many items over the limit were left out.
        truncated: the end is missing, and what remained of the last item was left out.
    """

    xml: bytes
    damage: str = ""
    more: int = 0
    truncated: bool = False


def to_text(body: bytes, content_type: str) -> str:
    """Return the bytes as text: what is valid UTF-8 is UTF-8, whatever was declared (RFC 7303 for the rest)."""
    head = body[:1024].lstrip(b"\t\n\r ")
    named = charset_of(head) if head else "utf-8"
    header = http_content_type_encoding(content_type)
    if named == "utf-8" and header and _is_codec(header) and not _is_utf8(body):
        named = header
    if named not in {"utf-8", "iso2022_jp", "iso-2022-jp", "hz"} and not named.startswith("utf-") and _is_utf8(body):
        named = "utf-8"
    return "".join(decoded(iter((body.lstrip(b"\t\n\r ") if named == "utf-8" else body,)), named))


def is_web_page(text: str) -> bool:
    """Say whether HTML stands there; XHTML counts."""
    plain = _COMMENT.sub("", text[:65_536])
    first = _TAG.search(plain)
    return re.match(r"\s*<!doctype\s+html", plain, re.IGNORECASE) is not None or (
        first is not None and first[2].lower() in _HTML
    )


def mended(text: str, max_items: int) -> Mended:
    """Return the feed as sound XML, with at most so many items.

    Raises:
        NotAFeed: there is no root element of a feed.
    """
    start = _ROOT.search(_COMMENT.sub(lambda found: " " * len(found[0]), text))
    if start is None:
        first = _TAG.search(text)
        raise NotAFeed("not_a_feed", f"the root element is <{first[2]}>" if first else "no element stands there")
    if (marks := text.count("<") + text.count("&")) > MAX_MARKS:
        raise NotAFeed("not_a_feed", f"{marks:,} tags and references are over the limit of {MAX_MARKS:,}")
    body = _NO_XML.sub("", "".join(mended_markup(iter((text[start.start() :],)))))
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, remove_comments=True, encoding="utf-8"
    )
    root = etree.fromstring(_with_namespaces(body).encode("utf-8", "replace"), parser)
    if root is None:
        raise NotAFeed("not_a_feed", "it is too damaged to be read")
    truncated = _ends_in_the_middle(body)
    items = [one for one in root.iter() if _name(one) in {"item", "entry"}]
    # half an item would be a document that says half of it
    whole = items[:-1] if truncated else items
    for left_out in items[min(max_items, len(whole)) :]:
        _remove(left_out)
    for one in items:
        for left_out in list(one)[MAX_PARTS:]:
            one.remove(left_out)
    _shorten_values(root)
    more = max(0, len(whole) - max_items)
    return Mended(etree.tostring(root, encoding="utf-8"), next(_faults(parser), ""), more, truncated)


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2].rpartition(":")[2].lower() if isinstance(element.tag, str) else ""


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _shorten_values(root: etree._Element) -> None:
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if len(element.attrib) > MAX_PARTS:
            raise NotAFeed("not_a_feed", f"an element has {len(element.attrib):,} attributes")
        for name, value in element.attrib.items():
            if len(value) > MAX_VALUE:
                del element.attrib[name]
        if _name(element) in _TEXTS:
            walk.skip_subtree()
        elif element.text and len(element.text) > MAX_VALUE:
            element.text = element.text[:MAX_VALUE]
        if element.tail and len(element.tail) > MAX_VALUE:
            element.tail = None


def _faults(parser: "etree.XMLParser") -> Iterator[str]:
    for error in parser.error_log:
        if error.level == etree.ErrorLevels.FATAL:
            yield f"line {error.line}: {error.message.strip()}"


def _ends_in_the_middle(body: str) -> bool:
    """Say whether the last item began, and neither it nor the feed ended."""
    plain = _CDATA.sub("", body)
    if _END.search(plain):
        return False
    began = [found.start() for found in re.finditer(r"<(?:\w+:)?(?:item|entry)[\s>]", plain)]
    ended = [found.start() for found in re.finditer(r"</(?:\w+:)?(?:item|entry)\s*>", plain)]
    return bool(began) and (not ended or ended[-1] < began[-1])


def _with_namespaces(body: str) -> str:
    """Declare, on the root element, the prefixes that are used and not declared."""
    used = {name for found in _PREFIX.findall(_CDATA.sub("", body)) for name in found if name}
    missing = sorted(used - set(_DECLARED.findall(body)) - {"xml", "xmlns"})
    if not missing:
        return body
    if len(missing) > MAX_PARTS:
        raise NotAFeed("not_a_feed", f"{len(missing):,} prefixes are declared nowhere")
    end = _TAG.match(body)
    at = end.end() if end else 0
    told = "".join(f' xmlns:{name}="{_MEANT.get(name, f"urn:undeclared:{name}")}"' for name in missing)
    return f"{body[:at]}{told}{body[at:]}"


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_codec(name: str) -> bool:
    try:
        return lookup(name)._is_text_encoding
    except LookupError:
        return False
