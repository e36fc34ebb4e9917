"""What a page files itself under: sections, tags and short keyword lists."""

import re
from collections.abc import Iterable, Iterator

from lxml.html import HtmlElement

from contentbot.extract.metadata.elements import text_of
from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.survey import Block, Survey
from contentbot.extract.metadata.text import clean, words

MAX_CATEGORIES = 15
_MAX_LENGTH = 60
_MAX_WORDS = 5
_NO_CATEGORY = frozenset(
    {"uncategorized", "uncategorised", "allgemein-ohne", "unkategorisiert", "undefined", "null", "none", "default", ""}
)
_HASHTAG = re.compile(r"^#\s?(?P<tag>[^\W\d_][\w .+&/-]{0,40})$")
_HASHTAGS = re.compile(r"#([^\W\d_][\w+.-]*)")


def read_categories(head: Head, graph: Graph, survey: Survey, title: Block | None) -> tuple[tuple[str, ...], str]:
    """Return the categories in the page's order and spelling, and where they came from."""
    for origin, values in _sources(head, graph, survey, title):
        if found := _distinct(values):
            return found, origin
    return (), ""


def _sources(head: Head, graph: Graph, survey: Survey, title: Block | None) -> Iterator[tuple[str, Iterable[str]]]:
    section = [text for _, text in head.named("article:section", "og:article:section")]
    tags = [text for _, text in head.named("article:tag", "og:article:tag", "parsely-tags")]
    yield "article:section, article:tag", [*section, *_split_lists(tags)]
    yield "jsonld", [*_split_lists(graph.strings("articleSection")), *_short_list(",".join(graph.strings("keywords")))]
    yield "keywords", _short_list(head.first("keywords", "news_keywords", "sailthru.tags"))
    yield "rel=tag", _tag_links(survey)
    yield "hashtags", _hashtags(survey, title)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    seen: dict[tuple[str, ...], str] = {}
    for value in values:
        text = clean(value, 200).strip(" ,;#")
        if 0 < len(text) <= _MAX_LENGTH and text.casefold() not in _NO_CATEGORY:
            seen.setdefault(words(text) or (text,), text)
    return tuple(seen.values())[:MAX_CATEGORIES]


def _split_lists(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        yield from re.split(r"[,;]", value) if value.count(",") + value.count(";") else [value]


def _short_list(value: str) -> list[str]:
    """Split a keyword list; a long one, or one of phrases, was written for search engines and says nothing."""
    listed = [part.strip() for part in re.split(r"[,;]", value) if part.strip()]
    if len(listed) > MAX_CATEGORIES or any(len(part.split()) > _MAX_WORDS for part in listed):
        return []
    return listed


def _tag_links(survey: Survey) -> Iterator[str]:
    for mark in survey.marks:
        if not mark.foreign and _is_tag_link(mark.element):
            yield text_of(mark.element, 200)


def _is_tag_link(element: HtmlElement) -> bool:
    relations = (element.get("rel") or "").lower().split()
    return "tag" in relations or "category" in relations


def _hashtags(survey: Survey, title: Block | None) -> Iterator[str]:
    if title is None:
        return
    for block in survey.near(title, before=4):
        if match := _HASHTAG.match(block.text):
            yield match["tag"]
        elif block.text.startswith("#") and len(found := _HASHTAGS.findall(block.text)) > 1:
            yield from found
