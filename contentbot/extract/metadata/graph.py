"""The nodes of a page's JSON-LD that describe the page itself, told from those of its neighbours."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.jsonld import read_blocks
from contentbot.extract.metadata.text import clean, words

Node = Mapping[str, Any]

_MAX_NODES = 5_000
_MAX_DEPTH = 24

# where the description of this page may be nested; everything else (lists, parts, comments) is about other things
_INWARD = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")


@dataclass(slots=True)
class Graph:
    """All nodes of a page: `own` describe it, best first; `by_id` resolves references; `site_names` name its site."""

    own: list[Node] = field(default_factory=list)
    by_id: dict[str, Node] = field(default_factory=dict)
    site_names: list[str] = field(default_factory=list)

    def first(self, *keys: str) -> Any:
        """Return the first value that one of the page's own nodes has for one of the keys."""
        return next((node[key] for node in self.own for key in keys if node.get(key)), None)

    def strings(self, *keys: str) -> Iterator[str]:
        """Yield the cleaned strings that the page's own nodes have for the keys."""
        for node in self.own:
            for key in keys:
                yield from self.texts(node.get(key))

    def texts(self, value: Any, depth: int = 0) -> Iterator[str]:
        """Yield the cleaned strings of a value; an object counts for its name, a reference for what it names."""
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, str):
            if text := clean(value):
                yield text
        elif isinstance(value, list):
            for one in value[:100]:
                yield from self.texts(one, depth + 1)
        elif isinstance(value, dict):
            node = self.resolve(value)
            named = next((node[key] for key in ("name", "@value", "@list", "text") if node.get(key)), _full_name(node))
            yield from self.texts(named, depth + 1)

    def resolve(self, node: Node) -> Node:
        """Return the node that a bare `@id` reference stands for, else the node itself."""
        reference = node.get("@id")
        if isinstance(reference, str) and not node.get("name"):
            return self.by_id.get(reference, node)
        return node


def _full_name(node: Node) -> str:
    parts = (node.get(key) for key in ("givenName", "familyName"))
    return " ".join(part for part in parts if isinstance(part, str))


def read_graph(tree: HtmlElement, *, addresses: tuple[str, ...], titles: tuple[str, ...]) -> Graph:
    """Read the page's JSON-LD and choose the nodes that are about this page.

    Args:
        tree: the page.
        addresses: the page's URLs (as fetched, canonical).
        titles: what its heading and its title element say.
    """
    blocks = read_blocks(tree)
    graph = Graph()
    for node in _every_node(blocks):
        identity = node.get("@id")
        if isinstance(identity, str) and len(node) > 1:
            graph.by_id.setdefault(identity, node)
    candidates = list(_described(blocks, graph))
    graph.own = _choose(
        candidates, {_address(each) for each in addresses if each}, {words(each) for each in titles if each}
    )
    graph.site_names = list(_site_names(candidates, graph))
    return graph


def _every_node(value: Any) -> Iterator[Node]:
    queue, seen = [(value, 0)], 0
    while queue and seen < _MAX_NODES:
        one, depth = queue.pop()
        seen += 1
        children = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        if isinstance(one, dict):
            yield one
        if depth < _MAX_DEPTH:
            queue.extend((child, depth + 1) for child in children if isinstance(child, dict | list))


def _described(value: Any, graph: Graph, depth: int = 0) -> Iterator[Node]:
    """Yield the nodes that may be about the page, outermost first."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for one in value[:500]:
            yield from _described(one, graph, depth + 1)
    elif isinstance(value, dict):
        node = graph.resolve(value)
        if types(node):
            yield node
        for key in _INWARD:
            if isinstance(node.get(key), dict | list):
                yield from _described(node[key], graph, depth + 1)


def types(node: Node) -> frozenset[str]:
    """Return the node's types in lower case, without a vocabulary's address."""
    value = node.get("@type")
    listed = value if isinstance(value, list) else [value]
    return frozenset(re.split(r"[/#:]", one)[-1].lower() for one in listed if isinstance(one, str))


def _choose(candidates: list[Node], addresses: set[str], titles: set[tuple[str, ...]]) -> list[Node]:
    scored = []
    for position, node in enumerate(candidates):
        if (score := _score(node, addresses, titles)) > 0:
            scored.append((-score, position, node))
    scored.sort(key=lambda entry: entry[:2])
    unique: dict[int, Node] = {id(node): node for _, _, node in scored}
    return _one_article(list(unique.values()), addresses, titles)


def _one_article(nodes: list[Node], addresses: set[str], titles: set[tuple[str, ...]]) -> list[Node]:
    """Keep one article only: of several, those that name neither this page nor its title are its neighbours."""
    articles = [node for node in nodes if _rank(node) == 3]
    if len(articles) < 2:
        return nodes
    own = [node for node in articles if _agrees(node, addresses, titles)]
    return own + [node for node in nodes if _rank(node) != 3]


def _score(node: Node, addresses: set[str], titles: set[tuple[str, ...]]) -> int:
    rank = _rank(node)
    if not rank:
        return 0
    score = rank
    own_addresses = _addresses(node, addresses)
    if own_addresses:
        score += 4 if own_addresses & addresses else -2
    if _titles(node) & titles:
        score += 4
    return score


def _agrees(node: Node, addresses: set[str], titles: set[tuple[str, ...]]) -> bool:
    return bool(_addresses(node, addresses) & addresses or _titles(node) & titles)


def _rank(node: Node) -> int:
    kinds = types(node)
    if any(kind.endswith(("article", "posting")) and kind != "jobposting" for kind in kinds):
        return 3
    if kinds & vocabulary.THING_TYPES:
        return 2
    return 1 if kinds & vocabulary.PAGE_TYPES else 0


def _titles(node: Node) -> set[tuple[str, ...]]:
    return {words(clean(node[key])) for key in ("headline", "name") if isinstance(node.get(key), str)}


def _addresses(node: Node, known: set[str]) -> set[str]:
    main = node.get("mainEntityOfPage")
    values = [node.get("url"), node.get("@id"), main if isinstance(main, str) else None]
    if isinstance(main, dict):
        values += [main.get("@id"), main.get("url")]
    host = min(known, default="").partition("/")[0]
    return {_address(f"//{host}{one}" if one[0] == "/" else one) for one in values if _is_page_address(one)}


def _is_page_address(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and value.startswith(("http://", "https://", "/")) and len(value) < 2_000


def _address(url: str) -> str:
    """Return host and path in the form that two spellings of one address share."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    path = unquote(parts.path).rstrip("/").removesuffix("/index.html")
    return parts.netloc.lower().removeprefix("www.") + path


def _site_names(candidates: list[Node], graph: Graph) -> Iterator[str]:
    for node in candidates:
        if types(node) & {"website"}:
            yield from graph.texts(node.get("name"))
    for node in candidates:
        yield from graph.texts(node.get("publisher"))
    for node in candidates:
        if types(node) & vocabulary.SITE_TYPES:
            yield from graph.texts(node.get("name"))
