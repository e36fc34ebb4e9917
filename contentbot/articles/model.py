"""What the extraction service answers with: an article, or the reason why there is none. Never half of one.

Nothing is null: what a page does not carry is an empty text or list, and of `article` and `error` exactly one is there.
"""

from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

Untrusted = "Untrusted data."


class ErrorCode(StrEnum):
    """Why there is no article."""

    INVALID_INPUT = "INVALID_INPUT"
    CONTENT_FETCH_FAILED = "CONTENT_FETCH_FAILED"
    CONTENT_EXTRACTION_FAILED = "CONTENT_EXTRACTION_FAILED"
    CONTENT_TOO_SHORT = "CONTENT_TOO_SHORT"
    UNKNOWN_ERROR = "UNKNOWN_ERROR"


class Stage(StrEnum):
    """The layers of an extraction, in their order."""

    NORMALISE = "normalise"
    LOAD = "load"
    EXTRACT = "extract"
    CHECK = "check"
    MAP = "map"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QualityFlags(_Part):
    """What is doubtful about an article; none of these drops it."""

    is_paywalled: bool = Field(False, description="The page says that readers without a subscription see a part only.")
    is_truncated: bool = Field(False, description="The text ends in the middle, with a way to go on elsewhere.")
    is_low_content: bool = Field(False, description="Fewer than 25 words.")
    is_link_list: bool = Field(False, description="More than two thirds of the text are links.")
    is_garbled: bool = Field(False, description="Characters that come of a wrong encoding.")


class ArticleMetadata(_Part):
    """What else is known of an article."""

    content_source: Literal["page", "page_markdown", "inline", "file"] = Field(
        description="Where the text is from: the page, the page's own Markdown, the item's inline content, or a file."
    )
    extractor: str = Field(description="What made the article, with its version.")
    char_count: int = Field(ge=0, description="Characters of plain_text.")
    word_count: int = Field(ge=0, description="Words of plain_text; two ideographs count as one.")
    requested_url: str = Field("", description="The address that was asked for.")
    canonical_url: str = Field("", description="What the page calls its address.")
    authors: list[str] = Field(default_factory=list, description=f"Authors. {Untrusted}")
    categories: list[str] = Field(default_factory=list, description=f"Categories and tags. {Untrusted}")
    site_name: str = Field("", description=f"Name of the site. {Untrusted}")
    excerpt: str = Field("", description=f"The page's description, or its beginning. {Untrusted}")
    preview_image: str = Field("", description="Address of the preview image.")
    modified_at: str = Field("", description="When it was last modified, ISO 8601.")
    fetched_at: str = Field("", description="When it was fetched, UTC.")
    revision: str = Field("", description="ETag or Last-Modified of the page.")
    content_hash: str = Field("", description="SHA-256 of what was extracted: the same while the content is.")
    media_type: str = Field("", description="What it was read as, such as text/html.")
    language_source: str = Field("", description="What told the language: a declaration, the text, or the hint.")
    is_noindex: bool = Field(False, description="The page asks search engines not to index it.")


class Article(_Part):
    """One page or item, clean and structured."""

    extract_id: str = Field(description="Id of this content at this address: the same as long as both are.")
    item_id: str = Field("", description="The item's own id, as it came.")
    source_id: str = Field("", description="The id of the item's source, as it came.")
    url: str = Field("", description="The address that answered, after redirects.")
    title: str = Field("", description=f"Title without the site's name. {Untrusted}")
    published_at: str = Field("", description="When it was published, ISO 8601 as precise as the page is.")
    language: str = Field("", description="BCP 47, such as de or pt-BR.")
    content_kind: str = Field(description="What kind of page it is, such as article or forum; other when unknown.")
    plain_text: str = Field(description=f"The words without markup. {Untrusted}")
    markdown: str = Field(description=f"The content as Markdown with absolute links. {Untrusted}")
    quality_flags: QualityFlags = Field(description="What is doubtful about it.")
    metadata: ArticleMetadata = Field(description="What else is known of it.")
    pipeline_state: Literal["EXTRACTED"] = Field(
        "EXTRACTED", description="How far it came: extracted; summary, validation, rules and storage come after it."
    )


class ErrorDetails(_Part):
    """The facts of a failure."""

    reason: str = Field("", description="One stable word, such as http_status or empty_text.")
    url: str = Field("", description="The address it is about.")
    http_status: int = Field(0, description="What the host answered; 0 where it did not.")
    retry_after: int = Field(0, description="Seconds that the host asks to wait; 0 where it does not.")


class ErrorInfo(_Part):
    """Why there is no article, and whether another try is worth it."""

    code: ErrorCode = Field(description="What kind of failure it is.")
    message: str = Field(description="What happened, and what to do about it.")
    retryable: bool = Field(description="Whether the same call may succeed later.")
    stage: Stage = Field(description="The layer that failed.")
    details: ErrorDetails = Field(default_factory=ErrorDetails, description="The facts.")


class Debug(_Part):
    """How it went, for whoever wonders."""

    stage_ms: dict[str, float] = Field(default_factory=dict, description="Milliseconds of each stage.")
    redirects: list[str] = Field(default_factory=list, description="The addresses that led to the page.")
    from_cache: bool = Field(False, description="Whether the page was kept from a moment before.")
    content_type: str = Field("", description="The Content-Type header.")
    encoding: str = Field("", description="How the bytes were decoded, and what told so.")
    bytes_read: int = Field(0, description="Of the body, inflated.")
    chosen_by: str = Field("", description="What chose the content: a selector or the method.")
    inline: str = Field("", description="Why an item's inline content was used or not.")
    evidence: dict[str, str] = Field(default_factory=dict, description="Where each metadata field was read.")


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)  # it is null, and nothing here is


class ExtractionOutput(_Part):
    """The answer to every extraction."""

    success: bool = Field(description="Whether there is an article.")
    article: Article | SkipJsonSchema[None] = Field(
        None, description="The article; left out on failure.", json_schema_extra=_without_default
    )
    error: ErrorInfo | SkipJsonSchema[None] = Field(
        None, description="Why there is none; left out on success.", json_schema_extra=_without_default
    )
    warnings: list[str] = Field(default_factory=list, description="What a reader should know of the article.")
    debug: Debug = Field(default_factory=Debug, description="How it went.")

    @model_validator(mode="after")
    def _either(self) -> Self:
        if self.success != (self.article is not None) or self.success == (self.error is not None):
            raise ValueError("an output has an article or an error, as success says")
        return self

    def as_data(self) -> dict[str, Any]:
        """Return the output as JSON data: of article and error, only the one that is there."""
        return self.model_dump(mode="json", exclude_none=True)


def output_schema() -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return ExtractionOutput.model_json_schema(mode="serialization")
