"""The title of a page: every place that names it is a candidate, the one that the others confirm wins."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.survey import Survey
from contentbot.extract.metadata.text import clean, letters, words

_SEPARATOR = re.compile(r"\s+(?:[|–—·•»«‹›/~\\-]|::?)+\s+|\s*[|»«]\s*|:\s+")
# the sign that documentation puts behind a heading, to link to it
_PERMALINK = re.compile(r"\s*[¶🔗]+$|\s+[#§]$")
_SECOND_LEVEL = frozenset({"co", "com", "org", "ac", "gov", "net", "edu"})
_MAX_TITLE = 500
_NO_TITLE = frozenset(
    {"undefined", "null", "none", "untitled", "untitled document", "unbenanntes dokument", "loading", "[object object]"}
)
# how much the word of each place counts when candidates are compared
_WEIGHTS = {
    "h1": 3.0,
    "og:title": 2.0,
    "twitter:title": 1.0,
    "jsonld:headline": 2.5,
    "jsonld:name": 1.5,
    "title": 2.0,
    "itemprop": 1.0,
}
# what a candidate has in advance: the heading is what a reader calls the page
_PRIOR = {
    "h1": 2.6,
    "jsonld:headline": 1.4,
    "og:title": 0.8,
    "title": 0.6,
    "jsonld:name": 0.4,
    "twitter:title": 0.2,
    "itemprop": 0.6,
}


# what a heading gains by sharing this part of its words with another candidate
_CONFIRMED_HEADING, _CONFIRMS = 1.6, 0.2


@dataclass(frozen=True, slots=True)
class Title:
    """A title and the place it was read from."""

    text: str
    origin: str


def read_title(head: Head, graph: Graph, survey: Survey, site_names: frozenset[str]) -> Title:
    """Return the page's title without the site's name; empty when the page names none.

    Args:
        head, graph, survey: what was read from the page.
        site_names: names of the site, as `letters` writes them.
    """
    raw = [one for one in _candidates(head, graph, survey) if one.text.casefold() not in _NO_TITLE]
    trimmed = [Title(without_site_name(one.text, site_names), one.origin) for one in raw]
    # a front page may be called like the site: its name is the title when nothing else is left
    candidates = [one for one in trimmed if letters(one.text) not in site_names] or raw
    if not candidates:
        return Title("", "")
    return max(candidates, key=lambda one: _support(one, candidates))


def _candidates(head: Head, graph: Graph, survey: Survey) -> Iterator[Title]:
    for heading in [*survey.headings(1)][:6]:
        yield Title(_PERMALINK.sub("", clean(heading.text, _MAX_TITLE)), "h1")
    for key in ("headline", "name"):
        for text in [*graph.strings(key)][:2]:
            yield Title(text[:_MAX_TITLE], f"jsonld:{key}")
    for name in ("og:title", "twitter:title"):
        if text := head.first(name):
            yield Title(text[:_MAX_TITLE], name)
    if head.title:
        yield Title(head.title[:_MAX_TITLE], "title")


def _support(candidate: Title, candidates: list[Title]) -> float:
    best: dict[str, float] = {}
    for other in candidates:
        if other.origin != candidate.origin:
            agreement = _agreement(candidate.text, other.text)
            best[other.origin] = max(agreement, best.get(other.origin, 0.0))
    support = _PRIOR[candidate.origin] + sum(_WEIGHTS[origin] * agreement for origin, agreement in best.items())
    # a heading that says what the head of the page says in other words is the title, one that does not may be a slogan
    is_confirmed = candidate.origin == "h1" and max(best.values(), default=1.0) >= _CONFIRMS
    return support + (_CONFIRMED_HEADING if is_confirmed else 0.0)


def _agreement(one: str, other: str) -> float:
    """Return 1 for the same words, less for a share of them; a heading inside a longer title agrees well."""
    left, right = words(one), words(other)
    if left == right:
        return 1.0
    common = (Counter(left) & Counter(right)).total()
    return 0.9 * 2 * common / max(1, len(left) + len(right))


def without_site_name(title: str, site_names: frozenset[str]) -> str:
    """Return the title without the site's name at either end, whatever separates it."""
    for _ in range(3):
        shorter = _strip_once(title, site_names)
        if shorter == title:
            break
        title = shorter
    return title


def _strip_once(title: str, site_names: frozenset[str]) -> str:
    separators = [*_SEPARATOR.finditer(title)]
    for mark in reversed(separators):
        if letters(title[mark.end() :]) in site_names:
            return title[: mark.start()].strip() or title
    for mark in separators:
        if letters(title[: mark.start()]) in site_names:
            return title[mark.end() :].strip() or title
    return title


def title_parts(title: str) -> list[str]:
    """Return the last and the first part of a title with separators; none for a title without."""
    return [end for end, _ in title_ends(title)]


def title_ends(title: str) -> list[tuple[str, str]]:
    """Return (end, the rest of the title) for the last and the first part; none for a title without separators."""
    separators = [*_SEPARATOR.finditer(title)]
    if not separators:
        return []
    first, last = separators[0], separators[-1]
    ends = [(title[last.end() :], title[: last.start()]), (title[: first.start()], title[first.end() :])]
    return [(end.strip(), rest.strip()) for end, rest in ends]


def host_of(url: str) -> str:
    """Return the host of a URL without `www.`; empty when the URL is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def is_host_name(text: str, url: str) -> bool:
    """Say whether a text is how the host calls itself: `Hiero` of hiero.org, `Open Elements` of open-elements.com."""
    host, name = host_of(url), letters(text)
    label = letters(_site_label(host))
    return len(name) > 1 and (name in (label, letters(host)) or (len(label) > 3 and name.removeprefix("the") == label))


def _site_label(host: str) -> str:
    labels = host.split(".")
    if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2:
        labels.pop()
    return labels[-2] if len(labels) > 1 else labels[0]


def slug_words(url: str) -> tuple[str, ...]:
    """Return the words of the last segment of a URL's path, its file's extension left out."""
    try:
        segment = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        return ()
    return words(re.sub(r"\.\w{2,5}$", "", segment).replace("_", " "))
