"""The preview image, and what robots and canonical links say."""

from collections.abc import Iterator, Mapping
from typing import Any

from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.titles import Title

_IMAGE_METAS = (
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src",
    "thumbnail",
    "itemprop:image",
)
_ROBOT = "openelementscontentbot"


def read_preview_image(head: Head, graph: Graph) -> Title:
    """Return the absolute address of the image that the page is shown with."""
    for origin, reference in _images(head, graph):
        if address := head.absolute(reference):
            return Title(address, origin)
    return Title("", "")


def _images(head: Head, graph: Graph) -> Iterator[tuple[str, str]]:
    yield from head.named(*_IMAGE_METAS)
    for reference in _references(graph, graph.first("image", "thumbnailUrl")):
        yield "jsonld", reference
    for link in head.links.get("image_src", ()):
        yield "link image_src", link.href


def _references(graph: Graph, value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 5:
        for one in value[:10]:
            yield from _references(graph, one, depth + 1)
    elif isinstance(value, dict) and depth < 5:
        node = graph.resolve(value)
        for key in ("url", "contentUrl", "@id"):
            yield from _references(graph, node.get(key), depth + 1)


def read_canonical(head: Head, headers: Mapping[str, str]) -> Title:
    """Return the absolute canonical address: the page's link element, else the Link header (RFC 8288, RFC 6596)."""
    for link in head.links.get("canonical", ()):
        if address := head.absolute(link.href):
            return Title(address, "link canonical")
    for part in headers.get("link", "")[:8_000].split(","):
        target, _, parameters = part.partition(">")
        if "<" in target and "canonical" in parameters.lower().replace('"', " ").replace("=", " ").split():
            return Title(head.absolute(target.partition("<")[2]), "link header")
    return Title("", "")


def read_robots(head: Head, headers: Mapping[str, str]) -> frozenset[str]:
    """Return the directives for this crawler: meta robots, meta with its own name, and X-Robots-Tag, in lower case.

    `none` is spelled out as `noindex` and `nofollow`.
    """
    values = [
        *head.metas.get("robots", ()),
        *head.metas.get(_ROBOT, ()),
        *_header_values(headers.get("x-robots-tag", "")),
    ]
    directives = {part.strip().lower() for value in values for part in value.split(",") if part.strip()}
    return frozenset(directives | {"noindex", "nofollow"} if "none" in directives else directives)


# directives that have a colon of their own, so that it does not name a robot
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


def _header_values(header: str) -> Iterator[str]:
    """Yield the directives of X-Robots-Tag that are for everyone or for us; a robot's name holds until the next."""
    applies = True
    for part in header[:4_000].split(","):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip().lower() not in _WITH_VALUE:
            applies, part = name.strip().lower() in ("*", _ROBOT), rest  # noqa: PLW2901 - the name is read, the rest is the directive
        if applies:
            yield part
