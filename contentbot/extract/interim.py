"""A plain reading of title, language, canonical and robots, and plain Markdown, until the full readers take over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lxml import etree
from lxml.html import HtmlElement
from markdownify import markdownify

from contentbot.documents import Heading


@dataclass(frozen=True, slots=True)
class Rendering:
    """A region as Markdown and as text."""

    markdown: str
    plain_text: str
    outline: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published_date: str = ""
    modified_date: str = ""
    categories: tuple[str, ...] = ()
    excerpt: str = ""
    preview_image: str = ""
    site_name: str = ""
    language: str = ""
    canonical: str = ""
    robots: frozenset[str] = frozenset()
    evidence: Mapping[str, str] = field(default_factory=dict)


def render(nodes: Sequence[HtmlElement], *, base_url: str) -> Rendering:  # noqa: ARG001 - the full renderer's signature
    """Render elements as Markdown."""
    html = [etree.tostring(node, encoding="unicode", method="html", with_tail=False) for node in nodes]
    text = "\n\n".join(" ".join(" ".join(node.itertext()).split()) for node in nodes)
    return Rendering("\n\n".join(markdownify(part, heading_style="ATX").strip() for part in html), text)


def read_metadata(
    tree: HtmlElement,
    *,
    url: str,  # noqa: ARG001
    now: datetime,  # noqa: ARG001
    headers: Mapping[str, str],  # noqa: ARG001
    lastmod: str = "",  # noqa: ARG001
) -> Metadata:
    """Read what a page says about itself in its head."""
    heading = next((" ".join(h1.itertext()) for h1 in tree.iter("h1")), "")
    return Metadata(
        title=heading.strip() or (tree.findtext(".//title") or "").strip(),
        language=tree.get("lang", ""),
        canonical=next((link.get("href", "") for link in tree.iter("link") if link.get("rel") == "canonical"), ""),
        robots=frozenset(
            word.strip().lower()
            for meta in tree.iter("meta")
            if (meta.get("name") or "").lower() == "robots"
            for word in (meta.get("content") or "").split(",")
        ),
    )
