"""What a page's head says about the kind of page it is, read before its scripts are dropped."""

import re
from dataclasses import dataclass

from lxml.html import HtmlElement

_TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]+)"|\[([^\]]*)\])')
_ARTICLE = re.compile(r"Article$|^(?:BlogPosting|LiveBlogPosting|Report)$")
_MAX_DATA = 1 << 20  # characters of structured data


@dataclass(frozen=True, slots=True)
class Hints:
    """The head of a page: texts as they stand, empty where there is none.

    `types` are the names of schema.org types anywhere in its JSON-LD, `url` its canonical address or its own.
    """

    title: str = ""
    og_title: str = ""
    og_type: str = ""
    description: str = ""
    generator: str = ""
    url: str = ""
    types: frozenset[str] = frozenset()

    @property
    def kind(self) -> str:
        """What the page calls itself: `forum`, `article`, or nothing."""
        if not self.types.isdisjoint(["DiscussionForumPosting", "QAPage"]):
            return "forum"
        return "article" if "article" in self.og_type or any(_ARTICLE.search(name) for name in self.types) else ""


def read_hints(tree: HtmlElement, url: str) -> Hints:
    """Read the head of a page; the tree is not changed."""
    metas: dict[str, str] = {}
    for meta in tree.iter("meta"):
        name, content = (meta.get("property") or meta.get("name") or "").lower(), meta.get("content") or ""
        if content and len(content) > len(metas.get(name, "")):
            metas[name] = content
    return Hints(
        title=str(tree.findtext(".//title") or ""),
        og_title=metas.get("og:title", ""),
        og_type=metas.get("og:type", "").lower(),
        description=max(metas.get("og:description", ""), metas.get("description", ""), key=len),
        generator=metas.get("generator", "").lower(),
        url=_canonical(tree) or metas.get("og:url", "") or url,
        types=_types(tree),
    )


def _canonical(tree: HtmlElement) -> str:
    links = (link.get("href") or "" for link in tree.iter("link") if (link.get("rel") or "").lower() == "canonical")
    return next((href for href in links if href.startswith("http")), "")


def _types(tree: HtmlElement) -> frozenset[str]:
    data = "\n".join(script.text or "" for script in tree.iter("script") if "ld+json" in (script.get("type") or ""))
    found = _TYPE.findall(data[:_MAX_DATA])
    return frozenset(
        name.rpartition("/")[2] for one, several in found for name in (one, *re.findall(r"\w+", several)) if name
    )
