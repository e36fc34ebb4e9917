"""Who wrote a page: JSON-LD, meta tags, marked elements, visible bylines, in this order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from contentbot.extract.metadata import bylines, vocabulary
from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.names import clean_byline, looks_like_person, split_names, unique
from contentbot.extract.metadata.survey import Block, Survey
from contentbot.extract.metadata.text import letters
from contentbot.extract.metadata.titles import host_of

_MAX_AUTHORS = 30


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
    fallback, named = Byline(), letters(title.text) if title is not None else ""
    for origin, texts in _sources(head, graph, survey, title):
        # a class of the author's may hold the whole head of the page
        usable = (text for text in texts if origin != "class" or letters(text) != named)
        byline = _assemble(usable, origin, site_names)
        if byline.names and not all(letters(name) in site_names for name in byline.names):
            return _as_shown(byline, _assemble(bylines.at_top(survey, title), "byline", site_names), site_names)
        fallback = fallback if fallback.names else byline
    return fallback


def _as_shown(declared: Byline, shown: Byline, site_names: frozenset[str]) -> Byline:
    """Return the declared byline, or the line at the top of the page that names other people, or more of them.

    What software declares is often the account that the page was written with, or the first of its authors.
    """
    if not shown.names or declared.origin == "byline":
        return declared
    said, known = letters(shown.text), [letters(name) for name in declared.names]
    are_persons = all(looks_like_person(name) and letters(name) not in site_names for name in shown.names)
    if not are_persons or (len(shown.names) <= len(known) and any(name in said or said in name for name in known)):
        return declared
    return shown if len(shown.names) > len(known) or not any(name in said for name in known) else declared


def _assemble(texts: Iterable[str], origin: str, site_names: frozenset[str]) -> Byline:
    kept = unique(text for text in map(clean_byline, islice(texts, _MAX_AUTHORS)) if text)
    persons = tuple(text for text in kept if letters(text) not in site_names) or kept
    names = [split_names(text) for text in persons]
    if len(persons) > 1:
        # "Low, Ann" among others would read as two
        persons = tuple(said[0] if len(said) == 1 else text for said, text in zip(names, persons, strict=True))
    return Byline(", ".join(persons), unique(name for said in names for name in said), origin if kept else "")


def _sources(head: Head, graph: Graph, survey: Survey, title: Block | None) -> Iterator[tuple[str, Iterable[str]]]:
    host = host_of(head.base)
    yield "jsonld", graph.texts(graph.first("author", "creator"))
    for name in vocabulary.AUTHOR_METAS:
        yield name, (text for _, text in head.named(name))
    if head.first("twitter:label1").casefold() in ("written by", "verfasst von", "author", "by"):
        yield "twitter:data1", [head.first("twitter:data1")]
    yield "rel=author", bylines.marked(survey, title, bylines.is_author_link)
    yield "itemprop=author", bylines.marked(survey, title, bylines.is_author_property)
    yield "byline", bylines.written(survey, title)
    yield "link to a person", bylines.near(survey, title, lambda element: bylines.is_person_link(element, host))
    yield "class", bylines.marked(survey, title, bylines.is_byline_class)
