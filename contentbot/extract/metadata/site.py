"""What the site around a page is called."""

from contentbot.extract.metadata.graph import Graph
from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.text import letters
from contentbot.extract.metadata.titles import Title, is_host_name, title_parts

_DECLARED = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name", "dc.publisher", "cre")
_LONGEST = 80


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


def names_of_site(head: Head, graph: Graph, url: str) -> frozenset[str]:
    """Return every name that the site goes by, as `letters` writes them, to tell it from a title."""
    declared = [name for key in _DECLARED for _, name in head.named(key)]
    learnt = [
        part for title in (head.title, head.first("og:title")) for part in title_parts(title) if is_host_name(part, url)
    ]
    names = {letters(name) for name in (*declared, *graph.site_names, *learnt)}
    return frozenset(name for name in names if name)
