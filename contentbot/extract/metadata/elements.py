"""What the readers ask of single elements: their names, and the text that a reader sees in them."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.text import squash

# `head` is not among them: libxml2 leaves the elements of HTML 5 in it where a page has no <body> tag
SILENT_TAGS = frozenset(
    vocabulary.names("script style noscript template iframe object svg select textarea button title math video audio")
)
_MAX_PIECES = 60


def names_of(element: HtmlElement) -> str:
    """Return class and id of an element in lower case, with hyphens between the words of a name."""
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower().replace("_", "-")


def pieces_of(element: HtmlElement) -> list[str]:
    """Return the first texts between the tags of an element, those of scripts and drawings left out."""
    return [piece for piece in map(squash, islice(_texts(element), _MAX_PIECES)) if piece]


def text_of(element: HtmlElement, limit: int) -> str:
    """Return the beginning of an element's text, on one line."""
    return squash(" ".join(islice(_texts(element), _MAX_PIECES)), limit)


def _texts(element: HtmlElement) -> Iterator[str]:
    """Yield the texts between tags; walks without recursion, however deep the element is."""
    silent: HtmlElement | None = None
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            silent = node if silent is None and node.tag in SILENT_TAGS else silent
            text = node.text
        else:
            silent = None if node is silent else silent
            text = node.tail if node is not element else None
        if text and silent is None:
            yield text
