"""What is summarised: the text of an article with the facts that are known beside it."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from contentbot.documents import ContentDocument


class Article(BaseModel):
    """An article, wherever it came from. What is unknown is empty.

    Attributes:
        document_id: the id of the document in the index, or of the feed's item.
        extract_id: the id of the extraction.
        text: the words without markup.
        links: addresses that the article holds beside its own; a summary may name them.
        facts: what else is known and may be said, such as authors and the name of the site.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    title: str = ""
    url: str = ""
    language: str = ""
    published_at: str = ""
    modified_at: str = ""
    document_id: str = ""
    source_id: str = ""
    extract_id: str = ""
    links: str = ""
    facts: list[str] = Field(default_factory=list)


def of_document(document: ContentDocument) -> Article:
    """Return the article of a document of the index."""
    return Article(
        text=document.plain_text or document.body,
        title=document.title,
        url=document.url,
        language=document.locale,
        published_at=document.published_date,
        modified_at=document.modified_date,
        document_id=document.id,
        source_id=document.source,
        links=document.body,
        facts=[fact for fact in (*document.authors, *document.categories, document.site_name) if fact],
    )


def of_extraction(article: Mapping[str, Any]) -> Article:
    """Return the article of an extraction's answer: the value of its key `article`, as JSON data."""
    metadata = article.get("metadata") or {}
    named = [*metadata.get("authors", []), *metadata.get("categories", []), metadata.get("site_name", "")]
    return Article(
        text=article.get("plain_text", "") or article.get("markdown", ""),
        title=article.get("title", ""),
        url=article.get("url", ""),
        language=article.get("language", ""),
        published_at=article.get("published_at", ""),
        modified_at=metadata.get("modified_at", ""),
        document_id=article.get("item_id", ""),
        source_id=article.get("source_id", ""),
        extract_id=article.get("extract_id", ""),
        links=article.get("markdown", ""),
        facts=[fact for fact in named if fact],
    )
