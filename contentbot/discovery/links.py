"""The links of an HTML page, as a browser would resolve them."""

import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom

_EDGES = "".join(map(chr, range(0x21)))  # C0 controls and space: browsers drop them around an address
_HOSTLESS = re.compile(r"https?://(?:[/?#]|\Z)", re.IGNORECASE)
_BREAKS = re.compile(r"[\t\n\r]")
# WHATWG HTML, "shared declarative refresh steps"; `url=` may be left out, quotes may surround the address
_REFRESH = re.compile(
    r"""\s*+(\d++(?:\.\d*+)?|\.\d++)[\d.]*+\s*+(?:[;,]|(?<=\s))\s*+(?:url\s*+=\s*+)?(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL,
)
_REFRESHES = re.compile(rb"""http-equiv\s*=\s*["']?\s*refresh""", re.IGNORECASE)
_NO_FOLLOW = frozenset({"nofollow", "none"})
_WITH_VALUE = ("max-", "unavailable_after")  # directives with a colon that names no agent
_INERT = ("noscript", "template")
# seconds; a page that reloads later than that is no redirect, it keeps itself fresh
MAX_REFRESH_DELAY = 10.0


def page_links(body: bytes, url: str, content_type: str = "", *, x_robots_tag: str = "") -> Iterator[str]:
    """Yield the absolute http(s) addresses that a page links to, without fragments, each once, in the page's order.

    `a` and `area` count. A link with `rel=nofollow` does not, and a page with the robots directive `nofollow` or
    `none`, in its head or in the header, has no links. The page's own address is left out. Nothing that stands in an
    address makes this fail.

    Args:
        body: the page as it was downloaded, Content-Encoding removed.
        url: its address after redirects.
        content_type: the Content-Type header; empty when there was none.
        x_robots_tag: the X-Robots-Tag header, several joined by commas; what it tells one named agent does not count.
    """
    root = _parse(body, content_type)
    if root is None or _forbids_following(root) or _no_follow(_for_everyone(x_robots_tag)):
        return
    base = _base(root, url)
    seen = {urldefrag(url).url}
    for element in root.iter("a", "area"):
        href = element.get("href")
        if href is None or "nofollow" in element.get("rel", "").lower().split():
            continue
        link = _resolve(href, base)
        if link and link not in seen:
            seen.add(link)
            yield link


def meta_refresh(body: bytes, url: str, content_type: str = "", *, max_delay: float = MAX_REFRESH_DELAY) -> str | None:
    """Return the address that the page sends its reader to by `<meta http-equiv=refresh>`; None when it does not.

    Not a redirect are a delay of more than `max_delay` seconds, a page that reloads itself, and what stands in
    `noscript`.
    """
    if not _REFRESHES.search(body):  # sparing most pages a parse
        return None
    root = _parse(body, content_type)
    if root is None:
        return None
    for element in root.iter("meta"):
        if element.get("http-equiv", "").strip().lower() != "refresh" or _is_inert(element):
            continue
        match = _REFRESH.match(element.get("content", ""))
        if match and float(match[1]) <= max_delay:
            named = match[2] or match[3] or match[4] or ""
            target = _resolve(named, _base(root, url)) if named.strip() else None
            return target if target != urldefrag(url).url else None
    return None


def parsed_page(body: bytes, url: str, content_type: str) -> tuple[etree._Element | None, str]:
    """Return the root element of a page, None where there is none, and what its relative addresses start from."""
    root = _parse(body, content_type)
    return root, url if root is None else _base(root, url)


def resolved_link(href: str, base: str) -> str:
    """Return the absolute http(s) address that `href` means, without its fragment; empty when it means none."""
    return (_resolve(href, base) or "") if href.strip() else ""


def _parse(body: bytes, content_type: str) -> etree._Element | None:
    text = _decoded(body, content_type)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return etree.fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # nothing in it
        return None


def _decoded(body: bytes, content_type: str) -> str:
    marked, mark = read_bom(body)
    declared = html_body_declared_encoding(body) or "utf-8"
    if declared.startswith("utf-16"):  # what could be read as ASCII is no UTF-16 (WHATWG HTML, 13.2.3.2)
        declared = "utf-8"
    content = body[len(mark or b"") :]
    for charset in (marked, http_content_type_encoding(content_type), declared):
        # a label may be one of Python's own codecs that are no charset, and fail
        with suppress(LookupError, ValueError):
            if charset:
                return content.decode(charset, "replace")
    return content.decode("utf-8", "replace")


def _base(root: etree._Element, url: str) -> str:
    """Return what relative addresses start from (WHATWG HTML, 4.2.3): the first `base` element, else the page."""
    href = next((element.get("href") for element in root.iter("base") if element.get("href") is not None), None)
    return (_resolve(href, url) if href else None) or url


def _resolve(href: str, base: str) -> str | None:
    text = _BREAKS.sub("", href.strip(_EDGES))
    if _HOSTLESS.match(text):
        return None
    path, mark, query = text.partition("?")
    try:
        url = urldefrag(urljoin(base, path.replace("\\", "/") + mark + query)).url.replace(" ", "%20")
        parts = urlsplit(url)
        # reading the port raises where it is none
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return url if usable else None


def _forbids_following(root: etree._Element) -> bool:
    named = (element for element in root.iter("meta") if element.get("name", "").strip().lower() == "robots")
    return any(_no_follow(element.get("content", "")) for element in named)


def _for_everyone(header: str) -> str:
    """Return the directives of X-Robots-Tag that name no agent; an agent's name holds until the next."""
    general, applies = [], True
    for part in header.lower().split(","):
        name, colon, _ = part.strip().partition(":")
        if colon and not name.startswith(_WITH_VALUE):
            applies = name.strip() == "*"
        general.append(part.replace("*:", "") if applies else "")
    return ",".join(general)


def _no_follow(directives: str) -> bool:
    return not _NO_FOLLOW.isdisjoint(re.split(r"[\s,]+", directives.lower()))


def _is_inert(element: etree._Element) -> bool:
    return next(element.iterancestors(*_INERT), None) is not None
