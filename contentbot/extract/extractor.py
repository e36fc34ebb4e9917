"""One page to one document: decode, parse, read the metadata, choose the region, render."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from contentbot import __version__
from contentbot.documents import ContentDocument, Heading, Page, document_key
from contentbot.errors import NoContent
from contentbot.extract.decode import decode, media_type
from contentbot.extract.hidden import remove_invisible
from contentbot.extract.html import base_url, parse_html
from contentbot.extract.identity import document_id, name_of
from contentbot.extract.mainpart import kind_of
from contentbot.extract.markdown import Rendering, render
from contentbot.extract.metadata import Metadata, read_metadata
from contentbot.extract.region import choose
from contentbot.extract.rules import ExtractRules
from contentbot.extract.text import clean, one_line, shorten
from contentbot.sources.locales import locale_of
from contentbot.sources.scope import Scope

EXTRACTOR = f"contentbot {__version__}"
EXCERPT_LENGTH = 200


def extract(page: Page, rules: ExtractRules) -> ContentDocument:
    """Turn a page into a document.

    Raises:
        UnsupportedMedia: it is neither HTML nor text.
        LimitExceeded: it is over one of `rules.limits`.
        NoContent: it has no text, does not want to be indexed, or belongs to another address.
    """
    media_type(page.content_type, page.body)
    tree = parse_html(decode(page.body, page.content_type).text, rules.limits)
    metadata = read_metadata(tree, url=page.final_url, now=page.fetched_at, headers=page.headers, lastmod=page.lastmod)
    if not metadata.robots.isdisjoint({"noindex", "none"}):
        raise NoContent("noindex", "the page asks not to be indexed")
    url = Scope(rules.source).document_url(page.final_url, metadata.canonical)
    return _document(page, rules, url, metadata, render_body(tree, page, rules))


def render_body(tree: HtmlElement, page: Page, rules: ExtractRules) -> Rendering:
    """Render the content of a page; the tree is used up.

    Raises:
        NoContent: `empty_text` when no text is left.
    """
    links_from = base_url(tree, page.final_url)
    kind = kind_of(tree)
    remove_invisible(tree)
    region = choose(tree, rules.source, url=page.final_url, kind=kind)
    rendering = render(region.nodes, base_url=links_from)
    if not rendering.plain_text.strip():
        raise NoContent("empty_text", "no text is left after boilerplate")
    return rendering


def _document(page: Page, rules: ExtractRules, url: str, metadata: Metadata, rendering: Rendering) -> ContentDocument:
    source = rules.source
    path = urlsplit(url).path
    content = {
        "title": one_line(metadata.title) or _first_title(rendering.outline) or name_of(url),
        "excerpt": one_line(metadata.excerpt) or shorten(first_paragraph(rendering), EXCERPT_LENGTH),
        "body": clean(rendering.markdown),
        "plain_text": clean(rendering.plain_text),
        "author": one_line(metadata.author),
        "authors": [one_line(name) for name in metadata.authors],
        "categories": [one_line(name) for name in metadata.categories],
        "site_name": one_line(metadata.site_name),
        "published_date": metadata.published_date,
        "modified_date": metadata.modified_date,
        "preview_image": metadata.preview_image,
        "locale": locale_of(source.locale, path, metadata.language),
    }
    return ContentDocument(
        **content,
        id=document_id(source.id, url, source.base_url),
        key=document_key(source.id, url),
        source=source.id,
        url=url,
        path=path,
        lastmod=page.lastmod,
        additional_urls=_other_urls(page, url),
        revision=page.headers.get("etag", "") or page.headers.get("last-modified", ""),
        content_hash=_hash(content),
        fetched_at=page.fetched_at.astimezone(UTC).isoformat(timespec="seconds"),
        extractor=EXTRACTOR,
        outline=list(rendering.outline),
    )


def _first_title(outline: Sequence[Heading]) -> str:
    top = min((heading.level for heading in outline), default=0)
    return next((one_line(heading.title) for heading in outline if heading.level == top), "")


def first_paragraph(rendering: Rendering) -> str:
    """Return the first block of the plain text that is no heading, on one line."""
    titles = {one_line(heading.title) for heading in rendering.outline}
    blocks = (one_line(block) for block in rendering.plain_text.split("\n"))
    return next((block for block in blocks if block and block not in titles), "")


def _other_urls(page: Page, url: str) -> list[str]:
    return [other for other in dict.fromkeys((page.url, page.final_url)) if other != url]


def _hash(content: Mapping[str, object]) -> str:
    """Hash what was extracted, not the bytes: a new token or build number in the page's shell is no change."""
    digest = hashlib.sha256()
    for name in sorted(content):
        digest.update(f"{name}\0{content[name]}\0".encode())
    return digest.hexdigest()
