"""Plain Markdown until the full renderer takes over."""

from collections.abc import Sequence
from dataclasses import dataclass

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


def render(nodes: Sequence[HtmlElement], *, base_url: str) -> Rendering:  # noqa: ARG001 - the full renderer's signature
    """Render elements as Markdown."""
    html = [etree.tostring(node, encoding="unicode", method="html", with_tail=False) for node in nodes]
    text = "\n\n".join(" ".join(" ".join(node.itertext()).split()) for node in nodes)
    return Rendering("\n\n".join(markdownify(part, heading_style="ATX").strip() for part in html), text)
