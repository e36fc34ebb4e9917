"""What travels from pipeline to pipeline."""

from dataclasses import dataclass

from contentbot.documents import ContentDocument, Page
from contentbot.sources.urls import clean_url
from contentbot.state import PageState, PageStatus


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document with the page it came from, as the page state will know it once the index has confirmed."""

    document: ContentDocument
    page: PageState

    @property
    def url(self) -> str:
        """The page's address as it was listed."""
        return self.page.url


def extracted(page: Page, document: ContentDocument, extraction: str = "", *, dropped: str = "") -> Extracted:
    """Put a page's document and its state together.

    Args:
        extraction: the fingerprint of the rules that made it.
        dropped: stands for the repeated text that was left out of it.
    """
    state = PageState(
        source=document.source,
        url=page.url,
        status=PageStatus.INDEXED,
        http_status=200,
        final_url=clean_url(page.final_url),
        document_key=document.key,
        document_url=document.url,
        content_hash=document.content_hash,
        extraction=extraction,
        dropped=dropped,
        etag=page.headers.get("etag", ""),
        last_modified=page.headers.get("last-modified", ""),
        lastmod=page.item.version if page.item else page.lastmod,
    )
    return Extracted(document, state)
