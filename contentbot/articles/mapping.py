"""From what was read to the article that is handed out."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from contentbot.articles.items import Item
from contentbot.articles.model import Article, ArticleMetadata, Debug, QualityFlags
from contentbot.articles.words import word_count
from contentbot.documents import ContentDocument
from contentbot.loading import Loaded
from contentbot.sources.tags import normal_locale

if TYPE_CHECKING:
    from contentbot.articles.study import Study

Source = Literal["page", "page_markdown", "inline", "file"]

_FLAGS = {
    "paywalled": "is_paywalled",
    "truncated": "is_truncated",
    "low_content": "is_low_content",
    "link_list": "is_link_list",
    "mojibake": "is_garbled",
}


def article_of(
    read: "Study", *, source: Source, url: str, requested: str = "", item: Item | None = None, hint: str = ""
) -> Article:
    """Return the article of a page or item that was read.

    Args:
        url: the address that answered; empty where there is none.
        requested: the address that was asked for.
        item: the item it belongs to: its ids stay, and what it says of itself fills what the page does not say.
        hint: the language that the caller expects; it counts where neither the page nor its text tells.
    """
    document, item = read.document, item or Item()
    language, told_by = _language(read, item, hint)
    return Article(
        extract_id=extract_id(url or item.item_id, document),
        item_id=item.item_id,
        source_id=item.source_id,
        url=url,
        title=_title(document, item, source),
        published_at=document.published_date or item.published_at,
        language=language,
        content_kind=read.page_kind or "other",
        plain_text=document.plain_text,
        markdown=document.body,
        quality_flags=QualityFlags(**{name: flag in document.quality_flags for flag, name in _FLAGS.items()}),
        metadata=_metadata(read, item, source=_form(source, read), requested=requested, language_source=told_by),
    )


def debug_of(read: "Study", loaded: Loaded | None, stage_ms: Mapping[str, float], inline: str = "") -> Debug:
    """Return how an extraction went."""
    return Debug(
        stage_ms=dict(stage_ms),
        redirects=list(loaded.hops[1:]) if loaded else [],
        from_cache=loaded.kept if loaded else False,
        content_type=loaded.page.content_type if loaded else "",
        encoding=read.encoding,
        bytes_read=len(loaded.page.body) if loaded else 0,
        chosen_by=read.chosen_by,
        inline=inline,
        evidence=dict(read.evidence),
    )


def extract_id(name: str, document: ContentDocument) -> str:
    """Return the id of this content under this name; a second extraction of the same gives the same."""
    told = "\n".join((name, document.content_hash, document.extractor))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _form(source: Source, read: "Study") -> Source:
    # its own Markdown was used when nothing refused it
    return "page_markdown" if read.own_refused == "" else source


def _title(document: ContentDocument, item: Item, source: Source) -> str:
    # the item is about its own content; of a page, its title is better than what a feed has made of it
    return (item.title or document.title) if source == "inline" else (document.title or item.title)


def _language(read: "Study", item: Item, hint: str) -> tuple[str, str]:
    declared = read.document.locale or normal_locale(read.language)
    if declared:
        return declared, read.language_from
    for told, by in ((item.language, "item"), (hint, "hint")):
        if tag := normal_locale(told):
            return tag, by
    return "", ""


def _metadata(read: "Study", item: Item, *, source: Source, requested: str, language_source: str) -> ArticleMetadata:
    document = read.document
    return ArticleMetadata(
        content_source=source,
        extractor=document.extractor,
        char_count=len(document.plain_text),
        word_count=word_count(document.plain_text),
        requested_url=requested,
        canonical_url=read.canonical,
        authors=document.authors or item.authors,
        categories=document.categories or item.categories,
        site_name=document.site_name,
        excerpt=document.excerpt,
        preview_image=document.preview_image,
        modified_at=document.modified_date,
        fetched_at=document.fetched_at,
        revision=document.revision,
        content_hash=document.content_hash,
        media_type=read.media_type,
        language_source=language_source,
        is_noindex=read.is_noindex,
    )
