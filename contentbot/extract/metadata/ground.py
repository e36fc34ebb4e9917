"""Foreign ground: containers that are about something else than the page, told by tag, names and headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.elements import names_of

# what the names of an element may say
FOREIGN, DOUBTFUL, MARKED = 1, 2, 4
# names beyond this one, and longer ones, are made by style sheets and say nothing about the ground
_TELLING_NAMES, _LONGEST_NAME = 12, 60

_NEVER_OWN = frozenset({"nav", "dialog", "aside"})
_OWN_TAGS = frozenset({"main", "header", "h1", "h2", "time", "body", "html"})
_FOREIGN_NAME = re.compile(rf"(?<![a-z]){vocabulary.FOREIGN_NAME}(?![a-z])")
_NO_PAGE_NAME = re.compile(rf"(?<![a-z])(?:{vocabulary.FOREIGN_NAME}|{vocabulary.DOUBTFUL_NAME})(?![a-z])")
_OWN_NAME = re.compile(vocabulary.OWN_NAME)
_MARKED_NAME = re.compile(vocabulary.MARKED_NAME)
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

    @property
    def is_certain(self) -> bool:
        """Whether this ground, or one around it, is foreign beyond doubt."""
        return not all(ground.doubtful for ground in self.around())

    def repeats(self, words: frozenset[str]) -> bool:
        """Say whether words that would make a part of this ground foreign name the page itself.

        On a page about a newsletter `newsletter-date` is the page's own.
        """
        released = (ground.element for ground in self.around() if ground.released)
        return any(words <= foreign_words(names_of(element)) for element in released)

    def around(self) -> "Iterator[Ground]":
        """Yield this ground and those around it, outwards."""
        ground: Ground | None = self
        while ground is not None:
            yield ground
            ground = ground.parent


def is_foreign(tag: str, names: str, traits: int, *, inside_article: bool, after_title: bool) -> bool:
    """Say whether an element, by its tag, class and id, begins foreign ground; `traits` are those of the names."""
    if tag in _NEVER_OWN:
        return True
    if tag == "footer":
        return not inside_article and not _OWN_NAME.search(names.lower())
    if tag == "article":
        # an article within an article is a comment, a quote or a teaser
        return inside_article and after_title
    return bool(traits & (FOREIGN | DOUBTFUL)) and tag not in _OWN_TAGS


def is_doubtful(element: HtmlElement, tag: str, names: str, traits: int) -> bool:
    """Say whether a ground may yet be the page's own byline; a footer only where it closes an article, not the page."""
    if tag in ("nav", "dialog", "article", "footer") or traits & FOREIGN:
        return False
    if "footer" not in names.lower():
        return True
    around = (element, *islice(element.iterancestors(), 6))
    return any(_ARTICLE_NAME.search(names_of(one)) for one in around)


@lru_cache(maxsize=20_000)
def traits_of(names: str) -> int:
    """Return what class and id say about an element: `FOREIGN`, `DOUBTFUL` and `MARKED` as bits."""
    traits = 0
    for place, name in enumerate(names.lower().replace("_", "-").split()):
        said = _traits_of_name(name)
        traits |= said if place < _TELLING_NAMES else said & MARKED
    return traits


@lru_cache(maxsize=2_000)
def foreign_words(names: str) -> frozenset[str]:
    """Return the words in class and id that name foreign ground."""
    return frozenset(_NO_PAGE_NAME.findall(names.lower().replace("_", "-")))


@lru_cache(maxsize=50_000)
def _traits_of_name(name: str) -> int:
    marked = MARKED if _MARKED_NAME.search(name) else 0
    if len(name) >= _LONGEST_NAME or not _NO_PAGE_NAME.search(name) or _OWN_NAME.search(name):
        return marked
    return marked | (FOREIGN if _FOREIGN_NAME.search(name) else DOUBTFUL)


def announces_others(heading: str) -> bool:
    """Say whether a heading opens a section about other pages: `Recent posts`, `Das könnte Sie interessieren`."""
    return bool(_FOREIGN_HEADING.match(heading))


def leads_elsewhere(heading: HtmlElement) -> bool:
    """Say whether a heading is, holds or stands in a link."""
    return heading.tag == "a" or heading.find(".//a") is not None or next(heading.iterancestors("a"), None) is not None
