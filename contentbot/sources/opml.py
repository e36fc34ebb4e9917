"""Lists of feeds as feed readers exchange them: OPML 1.0 and 2.0 (opml.org/spec2.opml), and its careless relatives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from contentbot.sources.urls import clean_url

MAX_DEPTH = 20  # folders inside of folders
_FEED_SCHEME = re.compile(r"\s*feed:(?://)?(?=https?:)|\s*feed://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outline:
    """One feed of a list: its address as it stands there, its name, its website, and the folders it lies in."""

    url: str
    title: str = ""
    site: str = ""
    folders: tuple[str, ...] = ()


def read_opml(data: bytes) -> list[Outline]:
    """Return the feeds of a list, folders within folders included, each address once, in the list's order.

    Damage inside of the file is passed over: what can be read counts.

    Raises:
        ValueError: it is no OPML; the message says what stands there.
    """
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(data.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"no XML: {error.msg}") from error
    if root is None or _name(root) != "opml":
        raise ValueError("no OPML" + ("" if root is None else f": the root element is <{_name(root)}>"))
    found: dict[str, Outline] = {}
    for outline in _outlines(root, (), 0):
        found.setdefault(_key(outline.url), outline)
    return list(found.values())


def feed_address(url: str) -> str:
    """Return the address of a feed with the scheme that a browser would ask with; `feed:` is no scheme of the web."""
    return _FEED_SCHEME.sub(lambda found: "" if found[0].strip().lower() in {"feed:"} else "https://", url.strip(), 1)


def _outlines(element: etree._Element, folders: tuple[str, ...], depth: int) -> Iterator[Outline]:
    if depth > MAX_DEPTH:
        return
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if _name(child) != "outline":
            yield from _outlines(child, folders, depth + 1) if _name(child) == "body" else ()
            continue
        attributes = {str(name).rpartition("}")[2].lower(): str(value).strip() for name, value in child.attrib.items()}
        title = " ".join((attributes.get("title") or attributes.get("text") or "").split())
        if url := attributes.get("xmlurl", ""):
            yield Outline(feed_address(url), title, attributes.get("htmlurl", ""), folders)
        yield from _outlines(child, (*folders, title) if title and not url else folders, depth + 1)


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _key(url: str) -> str:
    try:
        return clean_url(url)
    except ValueError:
        return url
