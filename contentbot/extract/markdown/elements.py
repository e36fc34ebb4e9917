"""Small looks at elements that several parts share."""

from lxml.etree import _Element


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is easier to read as one line of text."""
    return frozenset(text.split())


def text_of(element: _Element) -> str:
    """Return all text inside an element, as it is written."""
    return "".join(str(part) for part in element.itertext())


def classes_of(element: _Element) -> list[str]:
    """Return the words of the `class` attribute."""
    return (element.get("class") or "").split()
