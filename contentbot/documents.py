"""The types that travel through the pipeline: `Page` in, `ContentDocument` and its `Chunk`s out."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from contentbot.access import PUBLIC_RULE, AccessRule


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that comes with an item of a feed, such as an episode: bytes and seconds are 0 where nothing says so."""

    url: str
    media_type: str = ""
    bytes: int = 0
    seconds: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed, as its feed has it. What it does not carry is empty.

    Attributes:
        feed: the address of the feed.
        id: what the feed tells its items apart by; its link where it has nothing better.
        url: the page that it links to.
        title: plain text.
        content: the whole text as HTML; not every feed has it.
        summary: a description as HTML, which may be a teaser or the whole text.
        published, updated: ISO 8601, as precise as the feed is.
        language: a BCP 47 tag.
        base: what relative addresses in the texts start from.
        site_name: what the feed is called.
    """

    feed: str
    id: str
    url: str = ""
    title: str = ""
    content: str = ""
    summary: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    published: str = ""
    updated: str = ""
    language: str = ""
    image: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    base: str = ""
    site_name: str = ""

    @property
    def version(self) -> str:
        """A hash of everything that a document is made from: another one says that the item has changed."""
        told = {**asdict(self), "feed": "", "base": ""}
        return hashlib.sha256(repr(sorted(told.items())).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """What a site offers as the Markdown of a page, as it was fetched."""

    url: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """What was fetched, before anything was read out of it.

    `url` is the address that was listed, `final_url` the one its redirects ended on; both are in the source's own
    origin even where a copy was crawled. `headers` has lower-case names. `lastmod` is what the sitemap said, and
    `published` what a feed said, as they stood there. `item` is the item of a feed that led here; where `inline` holds,
    nothing was fetched, and the item's own text is what is read. `own` is what the site offers as the page's Markdown.
    `rendered` says that a browser has run its scripts.
    """

    url: str
    final_url: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    lastmod: str = ""
    published: str = ""
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    item: FeedItem | None = None
    inline: bool = False
    own: MarkdownFile | None = None
    rendered: bool = False

    @property
    def content_type(self) -> str:
        """The Content-Type header as it came, parameters included; empty when there was none."""
        return self.headers.get("content-type", "")


class Kind(StrEnum):
    """What a document was made from."""

    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    RST = "rst"
    CODE = "code"
    FEED = "feed"


class _Stored(BaseModel):
    # Python names in snake_case; stored and exported in camelCase
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


class Heading(_Stored):
    """One heading of the body. Lines count from 1 and both ends belong to the section."""

    level: int = Field(ge=1, le=6)
    title: str
    anchor: str = ""
    line_start: int = Field(ge=1)
    line_end: int = Field(ge=1)


class ContentDocument(_Stored):
    """One page, normalised. Text fields are empty, never absent, when the page does not carry them.

    `published_date`, `modified_date` are ISO 8601 as precise as the page was (a date, or a time with its zone);
    `lastmod` is the sitemap's; `fetched_at` is UTC. `body` is Markdown, `plain_text` the same words without markup.
    """

    id: str
    key: str
    source: str
    kind: Kind = Kind.HTML
    locale: str = ""
    url: str
    path: str
    title: str
    excerpt: str = ""
    body: str
    plain_text: str = ""
    author: str = ""
    authors: list[str] = Field(default_factory=list)
    categories: list[str] = Field(default_factory=list)
    site_name: str = ""
    published_date: str = ""
    modified_date: str = ""
    lastmod: str = ""
    preview_image: str = ""
    quality_flags: list[str] = Field(default_factory=list)
    access: list[AccessRule] = Field(default_factory=lambda: [PUBLIC_RULE])
    additional_urls: list[str] = Field(default_factory=list)
    revision: str = ""
    content_hash: str = ""
    fetched_at: str = ""
    extractor: str = ""
    outline: list[Heading] = Field(default_factory=list)

    @property
    def published_timestamp(self) -> int | None:
        """Unix seconds of `published_date`, for filters and sorting; a bare date counts from midnight UTC."""
        return unix_seconds(self.published_date)


class Chunk(_Stored):
    """One section of a document's body: what a search matches.

    `heading_path` runs from the outermost heading to the section's own; lines count from 1 in the body's Markdown.
    """

    document_key: str
    number: int = Field(ge=0)
    heading_path: list[str] = Field(default_factory=list)
    anchor: str = ""
    line_start: int = Field(ge=1)
    line_end: int = Field(ge=1)
    text: str
    vectors: dict[str, list[float]] = Field(default_factory=dict)


def document_key(source: str, url: str) -> str:
    """Return the engine's primary key: SHA-256, in hex, of the source id and the canonical URL."""
    return hashlib.sha256(f"{source}\n{url}".encode()).hexdigest()


def unix_seconds(moment: str) -> int | None:
    """Return an ISO 8601 date or time as Unix seconds; None when it is empty or not such a thing.

    A time without a zone is taken as UTC.
    """
    if not moment:
        return None
    try:
        parsed = datetime.fromisoformat(moment) if len(moment) > len("2026-03-12") else _midnight(moment)
        return int(parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp())
    except (ValueError, OverflowError):
        return None


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), UTC)
