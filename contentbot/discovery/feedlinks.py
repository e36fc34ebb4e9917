"""The feeds that a web page names in its head, best first."""

import re
from collections.abc import Iterator

from lxml import etree

from contentbot.discovery.links import parsed_page, resolved_link

_TYPES = re.compile(r"\s*application/(?:rss|atom|feed|rdf)\+(?:xml|json)|\s*application/json\s*$", re.IGNORECASE)
# what people read the comments of, not the posts
_COMMENTS = re.compile(r"comment|kommentar|commentaire|comentario", re.IGNORECASE)


def feed_links(body: bytes, url: str, content_type: str = "") -> Iterator[str]:
    """Yield the addresses of a page's feeds, each once; those of comments come last.

    `<link rel="alternate">` with the media type of a feed counts (RFC 5005 and the autodiscovery of RSS and Atom).
    """
    root, base = parsed_page(body, url, content_type)
    if root is None:
        return
    links = [link for link in root.iter("link") if _is_feed(link)]
    links.sort(key=lambda link: bool(_COMMENTS.search(f"{link.get('title', '')} {link.get('href', '')}")))
    found = (resolved_link(link.get("href", ""), base) for link in links)
    yield from dict.fromkeys(address for address in found if address)


def _is_feed(link: etree._Element) -> bool:
    named = link.get("rel", "").lower().split()
    return ("alternate" in named or "feed" in named) and bool(_TYPES.match(link.get("type", "")))
