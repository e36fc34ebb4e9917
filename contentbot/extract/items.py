"""The item of a feed as a document's parts: its text is content already, and its feed says the rest."""

import re
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from contentbot.documents import Enclosure, FeedItem, Page
from contentbot.extract.dates import is_plausible
from contentbot.extract.html import parse_html
from contentbot.extract.metadata import Metadata
from contentbot.extract.rules import Limits
from contentbot.extract.text import one_line, shorten
from contentbot.sources.urls import clean_url

TITLE_LENGTH = 80
"""Characters of a post without a title that stand for one."""

# what feed services put below each text
_SERVICE = re.compile(r"\b(?:feedflare|wp-block-jetpack-sharing|sharedaddy|jp-relatedposts|addtoany\w*)\b")
_EXCERPT_LENGTH = 300


def open_item(page: Page, item: FeedItem, limits: Limits) -> tuple[HtmlElement, Metadata]:
    """Return an item's text as a tree, its files listed below it, and what its feed says about it.

    Raises:
        LimitExceeded: it is over one of the limits.
        NoContent: `empty_page`, it has neither text nor title.
    """
    html = item.content or item.summary or (f"<p>{escape(item.title)}</p>" if item.title else "")
    tree = parse_html(f"<html><body>{html}</body></html>" if html else "", limits)
    body = tree.find("body")
    if body is not None:
        _drop_service(body, page.url)
    text = one_line("".join(tree.itertext()))
    if body is not None:
        for one in item.enclosures:
            _append(body, one)
    return tree, _metadata(page, item, text)


def completed(metadata: Metadata, item: FeedItem) -> Metadata:
    """Return a page's metadata with what it lacks and the feed that led to it has."""
    told = {
        "title": item.title,
        "author": ", ".join(item.authors),
        "authors": item.authors,
        "categories": item.categories,
        "preview_image": item.image,
        "language": item.language,
    }
    missing: dict[str, Any] = {name: value for name, value in told.items() if value and not getattr(metadata, name)}
    evidence = {name: "feed" for name in missing if name != "author"}
    return replace(metadata, **missing, evidence={**metadata.evidence, **evidence})


def _metadata(page: Page, item: FeedItem, text: str) -> Metadata:
    dates = {
        "published_date": item.published if is_plausible(item.published, page.fetched_at) else "",
        "modified_date": item.updated if is_plausible(item.updated, page.fetched_at) else "",
    }
    if dates["modified_date"] == dates["published_date"]:
        dates["modified_date"] = ""
    told: dict[str, Any] = {
        "title": item.title or shorten(text, TITLE_LENGTH),
        "author": ", ".join(item.authors),
        "authors": item.authors,
        "categories": item.categories,
        "excerpt": _excerpt(item),
        "preview_image": item.image,
        "site_name": item.site_name,
        "language": item.language,
        **dates,
    }
    return Metadata(**told, evidence={name: "feed" for name, value in told.items() if value and name != "author"})


def _excerpt(item: FeedItem) -> str:
    """Return the summary beside a whole text; empty where the summary is the text."""
    if not (item.content and item.summary):
        return ""
    return shorten(one_line("".join(parse_html(f"<p>{item.summary}</p>", Limits()).itertext())), _EXCERPT_LENGTH)


def _drop_service(body: HtmlElement, url: str) -> None:
    """Remove share bars, and the line by which a blog says where its post has appeared first."""
    for element in [one for one in body.iter() if isinstance(one.tag, str) and _SERVICE.search(one.get("class", ""))]:
        if element.getparent() is not None:
            element.drop_tree()
    last = next((one for one in reversed(body) if isinstance(one.tag, str)), None)
    if last is not None and last.tag == "p" and len(last.text_content()) <= 400 and _names_post_and_blog(last, url):
        last.drop_tree()


def _names_post_and_blog(paragraph: HtmlElement, url: str) -> bool:
    targets = {_cleaned(link.get("href") or "", url) for link in paragraph.iter("a")}
    return len(targets) == 2 and url in targets and all(url.startswith(target) for target in targets)


def _cleaned(href: str, base: str) -> str:
    try:
        return clean_url(href, base)
    except ValueError:
        return ""


def _append(body: HtmlElement, one: Enclosure) -> None:
    """Add a line that links to a file, with what is known of it."""
    if any(link.get("href") == one.url for link in body.iter("a")):
        return
    name = one.title or unquote(urlsplit(one.url).path.rpartition("/")[2]) or one.url
    told = [one.media_type, _duration(one.seconds), _size(one.bytes)]
    about = ", ".join(filter(None, told))
    line = body.makeelement("p")
    link = body.makeelement("a", {"href": one.url})
    link.text, link.tail = one_line(name), f" ({about})" if about else ""
    line.append(link)
    body.append(line)


def _duration(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}" if seconds else ""


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB" if count else ""
