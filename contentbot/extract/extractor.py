"""One page to one document.

    decode -> parse -> read the metadata -> settle the address -> drop what is hidden -> choose the region -> render

The steps leave their results in a `Reading`, so that `contentbot.extract.explain` can tell about pages that fail.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from contentbot import __version__
from contentbot.documents import ContentDocument, FeedItem, Heading, Kind, Page, document_key
from contentbot.errors import NeedsScripts, NoContent
from contentbot.extract.blocks import read_hints
from contentbot.extract.decode import Decoded, Media, decode, is_xhtml, media_type
from contentbot.extract.hidden import remove_invisible
from contentbot.extract.html import base_url, parse_html, xhtml_to_html
from contentbot.extract.identity import document_id, name_of
from contentbot.extract.items import completed, open_item
from contentbot.extract.markdown import Rendering, render
from contentbot.extract.metadata import Metadata, read_metadata
from contentbot.extract.own import own_markdown
from contentbot.extract.plain import markdown_to_html, text_to_html
from contentbot.extract.quality import MOSTLY_LINKS, is_paywalled, link_share, text_flags
from contentbot.extract.region import Region, Sent, choose, exclude, select
from contentbot.extract.repeated import Sieve, digest_of
from contentbot.extract.rules import ExtractRules
from contentbot.extract.shells import is_shell
from contentbot.extract.text import clean, one_line, shorten
from contentbot.extract.tree import text_length
from contentbot.sources.locales import locale_of
from contentbot.sources.scope import Scope
from contentbot.sources.urls import clean_url

EXTRACTOR = f"contentbot {__version__}"
EXCERPT_LENGTH = 200
KINDS = {Media.HTML: Kind.HTML, Media.MARKDOWN: Kind.MARKDOWN, Media.TEXT: Kind.TEXT}


@dataclass(slots=True)
class Reading:
    """What the steps of an extraction found, as far as they came."""

    media: Media | None = None
    decoded: Decoded | None = None
    # all elements of the page until its region is chosen: lxml makes an element's Python object anew whenever none is
    # left; kept, it is made once and not at every step
    elements: list[HtmlElement] = field(default_factory=list, repr=False)
    metadata: Metadata | None = None
    url: str = ""
    # elements that were dropped as invisible, by reason
    removed: Mapping[str, int] = field(default_factory=dict)
    region: Region | None = None
    # what the classifier takes the page for, or what it calls itself; empty where neither is known
    page_kind: str = ""
    # the page's survey and what went of it, where the text that repeats in its source is learned
    sieve: Sieve | None = None
    # why the page's own Markdown is not used, where there is one; it is used when this is empty
    own_refused: str | None = None
    flags: list[str] = field(default_factory=list)
    document: ContentDocument | None = None


def extract(page: Page, rules: ExtractRules) -> ContentDocument:
    """Turn a page into a document.

    Raises:
        UnsupportedMedia: it is neither HTML nor text.
        LimitExceeded: it is over one of `rules.limits`.
        NoContent: it has no text, does not want to be indexed, or belongs to another address.
    """
    return read(page, rules, Reading())


@dataclass(frozen=True, slots=True)
class Extraction:
    """A document with what is remembered of its page's text, to learn what repeats in its source.

    Attributes:
        blocks: the packed survey of the page; empty where nothing is to be learned from it.
        dropped: 16 hex digits for the blocks that were dropped as repeated; empty for none.
    """

    document: ContentDocument
    blocks: bytes = b""
    dropped: str = ""


def extract_surveyed(page: Page, rules: ExtractRules) -> Extraction:
    """Turn a page into a document by what `rules.template` knows of its source; raises what `extract` raises."""
    reading = Reading()
    document = read(page, rules, reading)
    if reading.sieve is None:
        return Extraction(document)
    return Extraction(document, reading.sieve.blocks.pack(), digest_of(reading.sieve.dropped))


def read(page: Page, rules: ExtractRules, reading: Reading) -> ContentDocument:
    """Extract a page and note in `reading` what each step found; raises what `extract` raises."""
    if page.inline and page.item:
        return _read_item(page, page.item, rules, reading)
    tree = open_page(page, rules, reading)
    reading.metadata = metadata = read_metadata(
        tree,
        url=page.final_url,
        now=page.fetched_at,
        headers=page.headers,
        lastmod=page.lastmod,
        published=page.published,
    )
    if page.item:
        reading.metadata = metadata = completed(metadata, page.item)
    if rules.obey_noindex and not metadata.robots.isdisjoint({"noindex", "none"}):
        raise NoContent("noindex", "the page asks not to be indexed")
    reading.url = Scope(rules.source).document_url(page.final_url, metadata.canonical)
    rendering = _own_or(render_body(tree, page, rules, reading), page, rules, reading)
    reading.document = _document(page, rules, reading, metadata, rendering)
    return reading.document


def _own_or(rendering: Rendering, page: Page, rules: ExtractRules, reading: Reading) -> Rendering:
    """Return the page's own Markdown where there is one that says the same, else what was rendered."""
    if page.own is None:
        return rendering
    own = own_markdown(page.own, rendering, rules.limits)
    reading.own_refused = own.refused
    return own.rendering or rendering


def _read_item(page: Page, item: FeedItem, rules: ExtractRules, reading: Reading) -> ContentDocument:
    """Read the text that a feed has of an item; nothing of it is boilerplate, but parts may be hidden."""
    tree, reading.metadata = open_item(page, item, rules.limits)
    reading.url = clean_url(page.final_url)
    reading.removed = remove_invisible(tree)
    excluded = exclude(tree, rules.source.content_exclude)
    reading.region = Region([tree], "the feed's item", {}, excluded)
    rendering = render([tree], base_url=item.base or page.final_url)
    if not rendering.markdown.strip():
        raise NoContent("empty_text", "the item of the feed has no text")
    if (words := len(rendering.plain_text.split())) < rules.min_words:
        raise NoContent("too_short", f"{words} words, fewer than {rules.min_words}")
    reading.flags = text_flags(rendering.plain_text)
    reading.document = _document(page, rules, reading, reading.metadata, rendering)
    return reading.document


def open_page(page: Page, rules: ExtractRules, reading: Reading) -> HtmlElement:
    """Return the page as a tree, whatever it was written in."""
    reading.media = media_type(page.content_type, page.body)
    reading.decoded = decode(page.body, page.content_type)
    text = reading.decoded.text
    if reading.media is Media.MARKDOWN:
        text = markdown_to_html(text)
    elif reading.media is Media.TEXT:
        text = text_to_html(text)
    elif is_xhtml(page.content_type):
        text = xhtml_to_html(text)
    tree = parse_html(text, rules.limits)
    reading.elements = list(tree.iter())
    return tree


def render_body(tree: HtmlElement, page: Page, rules: ExtractRules, reading: Reading) -> Rendering:
    """Render the content of a page; the tree is used up.

    Raises:
        NoContent: `empty_text` when no text is left, `too_short` when less than the rules ask for.
    """
    links_from, paywalled = base_url(tree, page.final_url), is_paywalled(tree)
    if rules.source.render == "auto" and not page.rendered and is_shell(tree):
        raise NeedsScripts("empty_text", "the page is a shell for its scripts")
    sent = _sent(tree, page, reading)
    reading.removed = remove_invisible(tree)
    body = tree.find("body")
    visible = text_length(tree if body is None else body)
    reading.region = region = _region(tree, page, rules, reading, sent)
    reading.elements.clear()
    reading.page_kind = region.page_kind or (sent.hints.kind if sent else "")
    share = link_share(region.nodes)
    rendering = render(region.nodes, base_url=links_from)
    # pictures alone are a page too, but not where scripts would fill it
    if not rendering.plain_text.strip() and not (rendering.markdown and not reading.removed["machinery"]):
        if visible or page.rendered or not reading.removed["machinery"]:
            raise NoContent("empty_text", _why_empty(visible, page, reading))
        raise NeedsScripts("empty_text", _why_empty(visible, page, reading))
    if (words := len(rendering.plain_text.split())) < rules.min_words:
        raise NoContent("too_short", f"{words} words, fewer than {rules.min_words}")
    reading.flags = text_flags(rendering.plain_text)
    extra = {
        "paywalled": paywalled,
        "link_list": share > MOSTLY_LINKS,
        "selector_missed": bool(rules.source.content_selector)
        and region.chosen_by not in rules.source.content_selector,
    }
    reading.flags += [flag for flag, holds in extra.items() if holds]
    return rendering


def _region(tree: HtmlElement, page: Page, rules: ExtractRules, reading: Reading, sent: Sent | None) -> Region:
    """Choose the content; the text that repeats in the source goes, unless an operator's selector asked for it."""
    source, body = rules.source, tree.find("body")
    kept = source.repeated_text == "keep"
    if source.repeated_text == "auto" and source.content_selector:
        kept = bool(select(tree, source.content_selector)[0])
    if rules.template is not None and not kept:
        reading.sieve = Sieve(tree if body is None else body, page.final_url, rules.template)
    region = choose(tree, source, sent)
    if (sieve := reading.sieve) is None:
        return region
    title = one_line(reading.metadata.title) if reading.metadata else ""
    return replace(region, nodes=sieve.sieve(region.nodes, title))


def _sent(tree: HtmlElement, page: Page, reading: Reading) -> Sent | None:
    """Return what the choice of the region needs of the page as it was sent; other media than HTML are all content."""
    if reading.media is not Media.HTML or reading.decoded is None:
        return None
    return Sent(reading.decoded.text, read_hints(tree, page.final_url))


def _why_empty(visible: int, page: Page, reading: Reading) -> str:
    if visible:
        return f"the page has {visible:,} characters of text, none of them in its content"
    if page.rendered:
        return "no text is shown although its scripts have run"
    count = reading.removed
    return (
        f"no text is shown unless scripts run ({count['machinery']} scripts and styles, {count['hidden']} hidden parts)"
    )


def _document(
    page: Page, rules: ExtractRules, reading: Reading, metadata: Metadata, rendering: Rendering
) -> ContentDocument:
    source, url = rules.source, reading.url
    content = _content(metadata, rendering, url)
    path = urlsplit(url).path
    return ContentDocument(
        **content,
        id=document_id(source.id, url, source.base_url),
        key=document_key(source.id, url),
        source=source.id,
        kind=_kind(page, reading),
        locale=locale_of(source.locale, path, metadata.language),
        url=url,
        path=path,
        lastmod=page.lastmod,
        quality_flags=reading.flags,
        additional_urls=_other_urls(page, url),
        revision=page.headers.get("etag", "") or page.headers.get("last-modified", ""),
        content_hash=_hash(content),
        fetched_at=page.fetched_at.astimezone(UTC).isoformat(timespec="seconds"),
        extractor=EXTRACTOR,
    )


def _kind(page: Page, reading: Reading) -> Kind:
    if page.inline:
        return Kind.FEED
    return Kind.MARKDOWN if reading.own_refused == "" else KINDS[reading.media or Media.HTML]


def _content(metadata: Metadata, rendering: Rendering, url: str) -> dict[str, object]:
    """Return the fields that the page's author has written, fit for JSON and an index."""
    outline = [heading.model_copy(update={"title": one_line(heading.title)}) for heading in rendering.outline]
    return {
        "title": _title(one_line(metadata.title), outline) or name_of(url),
        "excerpt": one_line(metadata.excerpt)
        or shorten(first_paragraph(rendering.plain_text, outline), EXCERPT_LENGTH),
        "body": clean(rendering.markdown),
        "plain_text": clean(rendering.plain_text),
        "author": one_line(metadata.author),
        "authors": [one_line(name) for name in metadata.authors],
        "categories": [one_line(name) for name in metadata.categories],
        "site_name": one_line(metadata.site_name),
        "published_date": metadata.published_date,
        "modified_date": metadata.modified_date,
        "preview_image": metadata.preview_image,
        "outline": outline,
    }


def _title(title: str, outline: Sequence[Heading]) -> str:
    """Return the page's title; its top heading's where there is none, or where it is that with an anchor's sign."""
    top = min((heading.level for heading in outline), default=0)
    heading = next((heading.title for heading in outline if heading.level == top), "")
    if not title or (heading and title.startswith(heading) and not re.search(r"\w", title[len(heading) :])):
        return heading
    return title


def first_paragraph(plain_text: str, outline: Sequence[Heading]) -> str:
    """Return the first block of a text that is no heading, on one line; a longer one is preferred to a stub."""
    titles = {heading.title for heading in outline}
    blocks = [line for block in plain_text.split("\n\n")[:20] if (line := one_line(block)) and line not in titles]
    return next((block for block in blocks if len(block) >= 40), blocks[0] if blocks else "")


def _other_urls(page: Page, url: str) -> list[str]:
    others = (clean_url(other) for other in (page.url, page.final_url))
    return [other for other in dict.fromkeys(others) if other != url]


def _hash(content: Mapping[str, object]) -> str:
    """Hash what was extracted, not the bytes: a new token or build number in the page's shell is no change."""
    digest = hashlib.sha256()
    for name in sorted(content):
        digest.update(f"{name}\0{content[name]}\0".encode())
    return digest.hexdigest()
