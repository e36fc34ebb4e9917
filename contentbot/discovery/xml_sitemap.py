"""XML lists of pages: sitemaps, sitemap indexes, RSS 0.9x to 2.0 and Atom, read as a stream in constant memory.

Sources: sitemaps.org/protocol, RSS 2.0 and 1.0, RFC 4287. Names match by their local part: generators leave the
namespace out, use an old vendor's, or forget to declare a prefix. The parser never sees a document type or a general
entity, so there is nothing to expand and nothing to fetch; a file that declares entities is refused.
"""

import re
from collections.abc import Iterator
from html.entities import html5
from itertools import chain

from lxml import etree

from contentbot.discovery.entries import Entry, Rejected
from contentbot.discovery.xml_target import ListTarget
from contentbot.errors import NotASitemap

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_LIST = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|rdf|feed)(?=[\s>/])", re.IGNORECASE)
_HTML = frozenset({"html", "head", "body", "title", "meta", "script"})

_NO_XML = bytes({*range(0x20)} - {*b"\t\n\r"})  # XML 1.0, production 2
_BARE = re.compile(r"<(?![^\W\d]|[/!?])")
_DELICATE = re.compile(r"<!\[CDATA\[|\]\]>|&(?:(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{1,31});)?|<(?![^\W\d]|[/!?])")
_UNDECIDED = re.compile(r"(?:&[#\w]{0,31}|<[!\[CDAT]{0,8}|\]{1,2})\Z")
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})


def is_markup(head: str) -> bool:
    """Say whether text that begins with `head` is markup of any kind."""
    return head.lstrip().startswith("<") or _LIST.search(_COMMENT.sub("", head)) is not None


def read_xml(head: str, texts: Iterator[str], url: str) -> Iterator[Entry]:
    """Read the entries of an XML list as they come.

    Args:
        head: the first text, long enough to hold everything in front of the root element.
        texts: what follows `head`.
        url: the file's own address, the base of relative ones.

    Raises:
        NotASitemap: the root element is none of a list, or the file declares entities.
    """
    start = _start_of_list(head)
    target = ListTarget(url)
    # `recover` goes on after a damaged place; `huge_tree` stays off: its limits hold against depth and giant text
    parser = etree.XMLParser(
        target=target,  # type: ignore[arg-type]  # the stubs know only targets that take bytes, and comments
        recover=True,
        resolve_entities=False,
        no_network=True,
        encoding="utf-8",
    )
    parser.feed(b"<list>")  # one root around everything: files that were appended to each other are read to the end
    for text in mended(chain((head[start:],), texts)):
        parser.feed(text.encode("utf-8", "replace").translate(None, _NO_XML))
        yield from target.drain()
    yield from _verdict(target, parser)


def _verdict(target: ListTarget, parser: "etree.XMLParser") -> Iterator[Entry]:
    if not target.complete:
        yield Rejected("", "truncated", incomplete=True)
        return
    for error in parser.feed_error_log:
        # a second XML declaration belongs to a file that was appended
        if error.level == etree.ErrorLevels.FATAL and error.type != etree.ErrorTypes.ERR_RESERVED_XML_NAME:
            yield Rejected(f"line {error.line}: {error.message.strip()}", "malformed", incomplete=True)
            return


def _start_of_list(head: str) -> int:
    """Return where the root element begins; what stands in front of it (warnings, document type) is not read."""
    blank = _COMMENT.sub(lambda comment: " " * len(comment[0]), head)
    first, found = _TAG.search(blank), _LIST.search(blank)
    name = first[2].lower() if first else ""
    if name in _HTML or re.match(r"\s*<!doctype\s+html", blank, re.IGNORECASE):
        raise NotASitemap("html", "a web page stands at the sitemap's address")
    if found is None:
        raise NotASitemap("unknown_root", f"the root element is <{name}>" if name else "no element at the start")
    if "<!ENTITY" in blank[: found.start()]:
        raise NotASitemap("declares_entities", "a document type that declares entities is not read")
    return found.start()


def mended(texts: Iterator[str]) -> Iterator[str]:
    """Mend what stops a parser or silently changes addresses: bare `&` and `<`, HTML's entities, control characters."""
    mender, rest = _Mender(), ""
    for text in texts:
        whole = rest + text
        undecided = _UNDECIDED.search(whole, max(0, len(whole) - 40))
        rest = whole[undecided.start() :] if undecided else ""
        yield mender.mend(whole[: len(whole) - len(rest)])
    yield mender.mend(rest)


class _Mender:
    """Escapes outside of CDATA sections, where the same characters stand for themselves."""

    def __init__(self) -> None:
        self._literal = False

    def mend(self, text: str) -> str:
        if not self._literal and "&" not in text and "<![CDATA[" not in text and not _BARE.search(text):
            return text
        return _DELICATE.sub(self._replacement, text)

    def _replacement(self, found: re.Match[str]) -> str:
        match found[0]:
            case "<![CDATA[":
                self._literal = True
            case "]]>":
                self._literal = False
            case mark if not self._literal:
                return _escaped(mark, found[1])
        return found[0]


def _escaped(mark: str, name: str | None) -> str:
    if mark.startswith("<"):
        return "&lt;"
    if name and (name in _XML_ENTITIES or name.startswith("#")):
        return mark
    if name and (characters := html5.get(f"{name};")):
        return characters
    return f"&amp;{mark[1:]}"
