"""Who wrote a page: JSON-LD, meta tags, marked elements, visible bylines, in this order."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.names import MAX_BYLINE, clean_byline, split_names, unique
from contentbot.extract.metadata.survey import Block, Survey
from contentbot.extract.metadata.text import letters, squash

_MAX_AUTHORS = 30
# how far from the heading a byline may stand, in blocks
_BEFORE, _AFTER = 4, 14

_AUTHOR_NAME = re.compile(rf"(?<![a-z]){vocabulary.AUTHOR_NAME}(?![a-z])")
_NO_AUTHOR_NAME = re.compile(vocabulary.OTHER_AUTHOR_NAME)
_VISIBLE = re.compile(
    rf"^(?:(?:{vocabulary.BYLINE_VERB}\s+)?(?:by|von)\b|{vocabulary.AUTHOR_LABEL}\s*:|(?:par|por)\b)\s*:?\s*(?P<name>.+)$",
    re.IGNORECASE,
)
# behind a date or a separator in the same line, before a capital
_INSIDE = re.compile(
    rf"(?:[|•·,–—]\s*|\d\s+|{vocabulary.BYLINE_VERB}\s+)(?:by|von)\s+(?P<name>(?-i:[A-ZÀ-Ý]).+)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Byline:
    """Who wrote a page: `text` as the page words it, `names` the persons or groups in it, `origin` where it stood."""

    text: str = ""
    names: tuple[str, ...] = ()
    origin: str = ""


def read_byline(head: Head, graph: Graph, survey: Survey, title: Block | None, site_names: frozenset[str]) -> Byline:
    """Return the byline of the best place that has a usable name; empty when the page names nobody.

    A byline that only repeats the site's name is the last resort: persons go before it.
    """
    fallback = Byline()
    for origin, texts in _sources(head, graph, survey, title):
        byline = _assemble(texts, origin)
        if byline.names and not all(letters(name) in site_names for name in byline.names):
            return byline
        fallback = fallback if fallback.names else byline
    return fallback


def _assemble(texts: Iterable[str], origin: str) -> Byline:
    cleaned = (clean_byline(text) for _, text in zip(range(_MAX_AUTHORS), texts, strict=False))
    kept = unique(text for text in cleaned if text)
    return Byline(", ".join(kept), unique(name for text in kept for name in split_names(text)), origin if kept else "")


def _sources(head: Head, graph: Graph, survey: Survey, title: Block | None) -> Iterator[tuple[str, Iterable[str]]]:
    yield "jsonld", graph.texts(graph.first("author", "creator"))
    for name in vocabulary.AUTHOR_METAS:
        yield name, (text for _, text in head.named(name))
    if head.first("twitter:label1").casefold() in ("written by", "verfasst von", "author", "by"):
        yield "twitter:data1", [head.first("twitter:data1")]
    yield "rel=author", _marked(survey, title, _is_author_link)
    yield "itemprop=author", _marked(survey, title, _is_author_property)
    yield "byline", _visible(survey, title, _VISIBLE)
    yield "class", _marked(survey, title, _is_byline_class)
    yield "byline", _visible(survey, title, _INSIDE)


def _marked(survey: Survey, title: Block | None, accepts: Callable[[HtmlElement], bool]) -> Iterator[str]:
    """Yield the texts of the marked elements; those of the place nearest to the title, not of the whole page."""
    found = [mark for mark in survey.marks if not mark.foreign and accepts(mark.element)]
    if title is not None:
        found.sort(key=lambda mark: (mark.position < title.position - _BEFORE, abs(mark.position - title.position)))
    first: int | None = None
    for mark in found:
        text = squash(mark.element.text_content()[:1_000])
        if not clean_byline(text) or len(text) > MAX_BYLINE:
            continue
        first = mark.position if first is None else first
        if abs(mark.position - first) > 3:
            return
        yield text


def _is_author_link(element: HtmlElement) -> bool:
    return "author" in (element.get("rel") or "").lower().split()


def _is_author_property(element: HtmlElement) -> bool:
    return "author" in (element.get("itemprop") or "").lower().split()


def _is_byline_class(element: HtmlElement) -> bool:
    names = f"{element.get('class') or ''} {element.get('id') or ''}".lower().replace("_", "-")
    return any(_AUTHOR_NAME.search(name) and not _NO_AUTHOR_NAME.search(name) for name in names.split()[:10])


def _visible(survey: Survey, title: Block | None, pattern: re.Pattern[str]) -> Iterator[str]:
    if title is None:
        return
    for block in survey.near(title, before=_BEFORE):
        match = pattern.search(block.text) if len(block.text) <= MAX_BYLINE else None
        if match and _is_byline_sized(match["name"]):
            yield match["name"]
            return


def _is_byline_sized(name: str) -> bool:
    # a sentence is no byline, unless what ends it is an initial or a degree: "Ann Low, M.D."
    return len(name) < 150 and not re.search(r"[a-z]{3}[.!?:]\s*$", name)
