"""What the site around a page is called."""

from collections import Counter
from collections.abc import Iterator, Sequence

from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.text import letters, words
from contentbot.extract.metadata.titles import Title, is_host_name, slug_words, title_ends, title_parts

_DECLARED = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name", "dc.publisher", "cre")
_LONGEST = 80
# an address of fewer words says nothing about the title
_TELLING_SLUG = 3


def read_site_name(head: Head, graph: Graph, url: str) -> Title:
    """Return the site's name: declared, or the part of the title that the host agrees with; else empty."""
    if name := head.first("og:site_name"):
        return Title(name, "og:site_name")
    for name in graph.site_names:
        if len(name) <= _LONGEST:
            return Title(name, "jsonld")
    if name := head.first("application-name"):
        return Title(name, "application-name")
    for title in (head.title, head.first("og:title")):
        for part in title_parts(title):
            if is_host_name(part, url):
                return Title(part, "title")
    return Title("", "")


def names_of_site(head: Head, graph: Graph, url: str, headings: Sequence[str]) -> frozenset[str]:
    """Return every name that the site goes by, as `letters` writes them, to tell it from a title."""
    titles = (head.title, head.first("og:title"))
    declared = [name for key in _DECLARED for _, name in head.named(key)]
    # a site's name may stand in the heading of every page, as a logo does
    learnt = [
        part for title in (*titles, *headings) for part in (title, *title_parts(title)) if is_host_name(part, url)
    ]
    unlike = [name for title in titles for name in _unlike_address(title, slug_words(url), headings)]
    names = {letters(name) for name in (*declared, *graph.site_names, *learnt, *unlike)}
    return frozenset(name for name in names if name)


def _unlike_address(title: str, slug: tuple[str, ...], headings: Sequence[str]) -> Iterator[str]:
    """Yield the end of a title that neither the address nor a heading repeats, while the address repeats the rest."""
    if len(slug) < _TELLING_SLUG:
        return
    for end, rest in title_ends(title):
        is_in_heading = any(
            letters(end) in letters(heading) for heading in headings if letters(heading) != letters(end)
        )
        if not is_in_heading and _overlap(end, slug) < 0.2 and _overlap(rest, slug) > 0.6:
            yield end


def _overlap(text: str, slug: tuple[str, ...]) -> float:
    said = words(text)
    return 2 * (Counter(said) & Counter(slug)).total() / max(1, len(said) + len(slug))
