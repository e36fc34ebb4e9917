"""Foreign ground: containers that are about something else than the page, told by tag, names and headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.elements import names_of

_OWN_TAGS = frozenset({"main", "header", "h1", "h2", "time", "body", "html"})
_FOREIGN_NAME = re.compile(rf"(?<![a-z]){vocabulary.FOREIGN_NAME}(?![a-z])")
_DOUBTFUL_NAME = re.compile(rf"(?<![a-z]){vocabulary.DOUBTFUL_NAME}(?![a-z])")
_OWN_NAME = re.compile(vocabulary.OWN_NAME)
_ARTICLE_NAME = re.compile(r"(?<![a-z])(?:article|post|entry|news|story|asset|hentry)(?![a-z])", re.IGNORECASE)
_FOREIGN_HEADING = re.compile(rf"^{vocabulary.FOREIGN_HEADING}", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Ground:
    """A container that is about something else than the page, unless it was released. Grounds nest.

    `first` and `blocks` are its place and its length in blocks, `links` the headings in it that lead elsewhere;
    `doubtful` ones may turn out to hold the page's byline; `foreign` is decided at the end of the walk.
    """

    element: HtmlElement
    parent: "Ground | None" = None
    first: int = 0
    doubtful: bool = False
    inside_article: bool = False
    blocks: int = 0
    links: int = 0
    released: bool = False
    foreign: bool = True

    def around(self) -> "Iterator[Ground]":
        """Yield this ground and those around it, outwards."""
        ground: Ground | None = self
        while ground is not None:
            yield ground
            ground = ground.parent


def is_foreign(tag: str, names: str, *, inside_article: bool, after_title: bool) -> bool:
    """Say whether an element, by its tag, class and id, begins foreign ground."""
    if tag in ("nav", "dialog", "aside"):
        return True
    if tag == "footer":
        return not inside_article and not _OWN_NAME.search(names.lower())
    if tag == "article":
        # an article within an article is a comment, a quote or a teaser
        return inside_article and after_title
    return tag not in _OWN_TAGS and len(names) > 1 and (_is_foreign_name(names) or _is_doubtful_name(names))


def is_doubtful(element: HtmlElement, tag: str, names: str) -> bool:
    """Say whether a ground may yet be the page's own byline; a footer only where it closes an article, not the page."""
    if tag in ("nav", "dialog", "article", "footer") or _is_foreign_name(names):
        return False
    if "footer" not in names.lower():
        return True
    around = (element, *islice(element.iterancestors(), 6))
    return any(_ARTICLE_NAME.search(names_of(one)) for one in around)


def announces_others(heading: str) -> bool:
    """Say whether a heading opens a section about other pages: `Recent posts`, `Das könnte Sie interessieren`."""
    return bool(_FOREIGN_HEADING.match(heading))


def leads_elsewhere(heading: HtmlElement) -> bool:
    """Say whether a heading is, holds or stands in a link."""
    return heading.tag == "a" or heading.find(".//a") is not None or next(heading.iterancestors("a"), None) is not None


@lru_cache(maxsize=20_000)
def _is_foreign_name(names: str) -> bool:
    return _has(_FOREIGN_NAME, names)


@lru_cache(maxsize=20_000)
def _is_doubtful_name(names: str) -> bool:
    return _has(_DOUBTFUL_NAME, names)


def _has(pattern: re.Pattern[str], names: str) -> bool:
    listed = names.lower().replace("_", "-").split()[:12]
    return any(pattern.search(name) and not _OWN_NAME.search(name) for name in listed if len(name) < 60)
