"""The preview image, and what robots and canonical links say."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from contentbot.extract.dates import parse_timestamp
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


def read_robots(head: Head, headers: Mapping[str, str], now: datetime) -> frozenset[str]:
    """Return the directives for this crawler: meta robots, meta with its own name, and X-Robots-Tag, in lower case.

    `none` is spelled out as `noindex` and `nofollow`; an `unavailable_after` that has passed by `now` is a `noindex`.
    """
    metas = [*head.metas.get("robots", ()), *head.metas.get(_ROBOT, ())]
    values = [*(part for value in metas for part in _split(value)), *_header_values(headers.get("x-robots-tag", ""))]
    directives = {part.strip().lower() for part in values if part.strip()}
    implied = {"noindex", "nofollow"} if "none" in directives else set()
    if any(_has_passed(part, now) for part in directives):
        implied.add("noindex")
    return frozenset(directives | implied)


# directives that have a colon of their own, so that it does not name a robot
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
# a comma ends a directive, except the one after the day of the week in a date (RFC 5322, RFC 850)
_COMMA = re.compile(r"(?<!\bmon)(?<!\btue)(?<!\bwed)(?<!\bthu)(?<!\bfri)(?<!\bsat)(?<!\bsun)(?<!day),", re.IGNORECASE)


def _split(directives: str) -> list[str]:
    return _COMMA.split(directives[:4_000])


def _header_values(header: str) -> Iterator[str]:
    """Yield the directives of X-Robots-Tag that are for everyone or for us; a robot's name holds until the next."""
    applies = True
    for part in _split(header):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip().lower() not in _WITH_VALUE:
            applies, part = name.strip().lower() in ("*", _ROBOT), rest  # noqa: PLW2901 - the name is read, the rest is the directive
        if applies:
            yield part


def _has_passed(directive: str, now: datetime) -> bool:
    name, _, moment = directive.partition(":")
    if name.strip() != "unavailable_after":
        return False
    known = parse_timestamp(moment.strip().upper())  # directives are in lower case by now
    if not known:
        return False
    passed = datetime.fromisoformat(known)
    return (passed if passed.tzinfo else passed.replace(tzinfo=UTC)) < now
