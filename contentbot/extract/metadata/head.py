"""What a page declares about itself: `<meta>`, `<link>`, `<title>` and the language of `<html>`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from contentbot.extract.metadata.text import clean

_MAX_TAGS = 2_000
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass(frozen=True, slots=True)
class Link:
    """One `<link>`: its address as written, and the type and language it names."""

    href: str
    hreflang: str = ""


@dataclass(slots=True)
class Head:
    """The declarations of one page. Keys of `metas` and `links` are lower-case, values in document order."""

    metas: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[Link]] = field(default_factory=dict)
    title: str = ""
    lang: str = ""
    base: str = ""

    def first(self, *names: str) -> str:
        """Return the first value, cleaned, of the first of these meta names that has one."""
        return next((value for _, value in self.named(*names)), "")

    def named(self, *names: str) -> Iterable[tuple[str, str]]:
        """Yield (name, cleaned value) of these meta tags, in the order of the names."""
        for name in names:
            for raw in self.metas.get(name, ()):
                if value := clean(raw):
                    yield name, value

    def absolute(self, reference: str) -> str:
        """Return the http(s) address that a reference of this page means; empty when it means none."""
        reference = reference.strip()
        if not reference or len(reference) > 4096:
            return ""
        try:
            address = urljoin(self.base, reference)
            parts = urlsplit(address)
        except ValueError:
            return ""
        return address if parts.scheme in ("http", "https") and parts.netloc else ""


def read_head(tree: HtmlElement, url: str) -> Head:
    """Collect the declarations of a page.

    The whole tree is searched: pages with a broken head carry their meta tags in the body.
    """
    head = Head(lang=(tree.get("lang") or tree.get("xml:lang") or tree.get(_XML_LANG) or "").strip(), base=url)
    for element in islice(tree.iter("meta", "link", "base", "title"), _MAX_TAGS):
        _read(element, head)
    return head


def _read(element: HtmlElement, head: Head) -> None:
    if element.tag == "meta":
        _read_meta(element, head)
    elif element.tag == "link":
        _read_link(element, head)
    elif element.tag == "title" and not head.title and not _in_drawing(element):
        head.title = clean(" ".join(element.itertext()), 500)
    elif element.tag == "base" and head.base and (href := element.get("href")):
        head.base = head.absolute(href) or head.base


def _read_meta(element: HtmlElement, head: Head) -> None:
    content = element.get("content") or element.get("value")
    if not content:
        return
    for attribute in ("name", "property", "itemprop", "http-equiv"):
        for key in (element.get(attribute) or "").lower().split():
            name = f"itemprop:{key}" if attribute == "itemprop" else key
            head.metas.setdefault(name, []).append(content)


def _read_link(element: HtmlElement, head: Head) -> None:
    if not (href := element.get("href")):
        return
    for relation in (element.get("rel") or "").lower().split():
        head.links.setdefault(relation, []).append(Link(href, element.get("hreflang") or ""))


def _in_drawing(title: HtmlElement) -> bool:
    # an SVG names its shapes by <title> too
    return next(title.iterancestors("svg"), None) is not None
