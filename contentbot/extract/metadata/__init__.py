"""What a page says about itself: title, authors, dates, categories and the rest, each with where it was read.

`read_metadata` looks at the whole page, whatever part of it the content selector takes. A field that the page does
not carry stays empty, and nothing is taken from a neighbouring article, a related-posts box, comments or a footer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from lxml.html import HtmlElement

from contentbot.extract.metadata.authors import read_byline
from contentbot.extract.metadata.categories import read_categories
from contentbot.extract.metadata.graph import Graph, read_graph
from contentbot.extract.metadata.head import Head, read_head
from contentbot.extract.metadata.language import read_language
from contentbot.extract.metadata.media import read_canonical, read_preview_image, read_robots
from contentbot.extract.metadata.published import DateReader, Listed
from contentbot.extract.metadata.site import names_of_site, read_site_name
from contentbot.extract.metadata.survey import Block, Survey, survey
from contentbot.extract.metadata.text import words
from contentbot.extract.metadata.titles import Title, read_title

__all__ = ["Metadata", "read_metadata"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself. Texts are one line without markup, addresses absolute, absent fields empty.

    `author` is the byline as the page words it, `authors` the names in it. Dates are ISO 8601, as precise as the
    page. `language` is a BCP 47 tag. `robots` are the directives for this crawler, such as `noindex`. `evidence`
    maps each filled field to the place it was read from.
    """

    title: str = ""
    author: str = ""
    authors: tuple[str, ...] = ()
    published_date: str = ""
    modified_date: str = ""
    categories: tuple[str, ...] = ()
    excerpt: str = ""
    preview_image: str = ""
    site_name: str = ""
    language: str = ""
    canonical: str = ""
    robots: frozenset[str] = frozenset()
    evidence: Mapping[str, str] = field(default_factory=dict)

    @property
    def date(self) -> str:
        """The one date to cite the page by: of publication, else of the last change where a page names only that."""
        return self.published_date or self.modified_date


def read_metadata(
    tree: HtmlElement, *, url: str, now: datetime, headers: Mapping[str, str], lastmod: str = "", published: str = ""
) -> Metadata:
    """Read a page's metadata; the tree is not changed, and no page makes it raise.

    Args:
        tree: the parsed page, its JSON-LD scripts included.
        url: the page's address, what relative addresses are resolved against.
        now: when the page was fetched, with its zone: no date lies more than a day after it.
        headers: of the response, names in lower case.
        lastmod: what the sitemap says. Never a date of the page, for sites state there when they rendered it; it only
            decides which number of a page's `3/4/2024` is the month.
        published: what the feed says that listed the page.
    """
    head = read_head(tree, url)
    seen = survey(tree, (head.title, head.first("og:title"), head.first("twitter:title")))
    canonical = read_canonical(head, headers)
    headings = tuple(block.text for block in seen.headings(1))
    graph = read_graph(tree, addresses=(url, canonical.text), titles=(*headings, head.title, head.first("og:title")))
    site_names = names_of_site(head, graph, url, headings)
    title, language = read_title(head, graph, seen, site_names), read_language(head, headers, seen)
    heading = title_block(seen, title)
    byline = read_byline(head, graph, seen, heading, site_names)
    dates = DateReader(
        head,
        graph,
        seen,
        title=heading,
        url=url,
        language=date_language(head, language.text),
        now=now,
        listed=Listed(lastmod, published),
    ).read()
    categories, filed = read_categories(head, graph, seen, heading)
    excerpt, image, site = read_excerpt(head, graph), read_preview_image(head, graph), read_site_name(head, graph, url)
    origins = {
        "title": title.origin,
        "authors": byline.origin,
        "published_date": dates.published.origin,
        "modified_date": dates.modified.origin,
        "categories": filed,
        "excerpt": excerpt.origin,
        "preview_image": image.origin,
        "site_name": site.origin,
        "language": language.origin,
        "canonical": canonical.origin,
    }
    return Metadata(
        title=title.text,
        author=byline.text,
        authors=byline.names,
        published_date=dates.published.iso,
        modified_date=dates.modified.iso,
        categories=categories,
        excerpt=excerpt.text,
        preview_image=image.text,
        site_name=site.text,
        language=language.text,
        canonical=canonical.text,
        robots=read_robots(head, headers, now),
        evidence={name: origin for name, origin in origins.items() if origin},
    )


def title_block(seen: Survey, title: Title) -> Block | None:
    """Return the heading that stands for the page, around which bylines and dates are looked for."""
    wanted = words(title.text)
    longest = 2 * len(title.text) + 20
    own = (block for block in seen.blocks if not block.foreign and len(block.text) <= longest)
    same = [block for block in own if words(block.text) == wanted]
    headings = (block for block in same if block.level)
    return (
        next(headings, None) or next(seen.headings(1), None) or next(iter(same), None) or next(seen.headings(2), None)
    )


def date_language(head: Head, language: str) -> str:
    """Return the page's language with the region that another declaration adds: it decides what 3/4/2024 means."""
    locale = head.first("og:locale").replace("_", "-")
    return locale if locale.partition("-")[0].lower() == language.lower() else language


def read_excerpt(head: Head, graph: Graph) -> Title:
    """Return the page's own description."""
    for name, text in head.named(
        "description", "og:description", "twitter:description", "dc.description", "dcterms.description"
    ):
        return Title(text, name)
    return next((Title(text, "jsonld") for text in graph.strings("description")), Title("", ""))
