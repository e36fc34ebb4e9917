"""What one file in `sources/` may say: a pydantic model per source type, unknown keys refused."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from contentbot.sources.fields import (
    BaseUrl,
    Bytes,
    FeedAddresses,
    Globs,
    Hosts,
    Keep,
    LocaleTag,
    PathPrefix,
    RequestRate,
    Schedule,
    Seconds,
    Selectors,
    UserAgent,
    Words,
    feed_url,
    refuse,
)
from contentbot.sources.filters import Rules, RuleSet
from contentbot.sources.opml import feed_address, read_opml
from contentbot.sources.urls import clean_url

USER_AGENT = "OpenElementsContentBot/1.0 (+https://open-elements.com)"


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class SourceModel(BaseModel):
    """The ground rules: kebab-case keys, nothing unknown, nothing changed after loading."""

    model_config = ConfigDict(alias_generator=_kebab, populate_by_name=True, extra="forbid", frozen=True)


class LocaleRules(SourceModel):
    """Which locale a page is in: the longest matching path prefix, else the default, else what the page says."""

    default: LocaleTag = Field("", description="The locale of pages that no prefix names, as a BCP 47 tag.")
    prefixes: dict[PathPrefix, LocaleTag] = Field(
        default_factory=dict, description="The locale by path prefix, such as `/de: de`; the longest one wins."
    )


def _locale(value: Any) -> Any:
    return {"default": value} if isinstance(value, str) else value


class SourceBase(SourceModel):
    """What every type of source says: who it is, which addresses are in, what is content, and how politely it is read.

    Each type adds `base_url`, `hosts` and `match_redirects`, which the address rules depend on.
    """

    # whether pages may be anywhere on the web: each item of a feed links to where it likes
    any_host: ClassVar[bool] = False

    id: str = Field(
        pattern=r"^[a-z0-9][a-z0-9-]{0,62}$",
        description="The name of the source everywhere: on the command line, in the index, in answers.",
    )
    type: str = Field(description="What kind of source this is.")
    title: str = Field("", description="The source's name for people.")
    enabled: bool = Field(True, description="false: kept, checked, but not crawled unless it is named.")
    url_include: Globs = Field(
        default_factory=lambda: ["/**"],
        min_length=1,
        description="Paths that are in, as Ant globs: `?` a character, `*` within a segment, `**` any segments.",
    )
    url_exclude: Globs = Field(default_factory=list, description="Paths that stay out, whatever includes them.")
    content_selector: Selectors = Field(
        default_factory=list,
        description="CSS selectors of the content, tried in order: the first that matches wins. None: found by itself.",
    )
    content_exclude: Selectors = Field(
        default_factory=list, description="CSS selectors of what is cut out of the content: all of them apply."
    )
    repeated_text: Literal["auto", "drop", "keep"] = Field(
        "auto",
        description="Whether text that repeats across the pages of the source goes: author boxes, tag lines, teasers. "
        "auto: it stays where a content-selector chose the content, and goes where it was found by itself.",
    )
    canonical: Literal["follow", "ignore"] = Field(
        "follow", description="Whether a page's canonical link may name the address that it is stored under."
    )
    locale: Annotated[LocaleRules, BeforeValidator(_locale, json_schema_input_type=LocaleRules | str)] = Field(
        LocaleRules(), description="One locale for all pages, or a default and path prefixes. Left out: `html lang`."
    )
    render: Literal["auto", "always", "never"] = Field(
        "never",
        description="Whether the scripts of a page are run: auto, where it shows no text without them; always; never. "
        "Takes the extra `render` and a Chromium.",
    )
    rules: Rules = Field(
        RuleSet(), description="Which documents are kept, once they were read; the others are counted."
    )
    user_agent: UserAgent = Field(
        USER_AGENT, description="The honest name that requests carry and robots.txt is read for."
    )
    rate_limit: RequestRate = Field(2.0, description="Requests a second and host at most; `off` for no limit.")
    request_timeout: Seconds = Field(30.0, description="Seconds until a request is given up, or `500ms`, `30s`, `1m`.")
    max_body_bytes: Bytes = Field(
        10 << 20, description="Larger answers are skipped; bytes, or `500KB`, `10MB`, `10MiB`."
    )
    prune_share: float = Field(
        0.3, ge=0, le=1, description="The largest part of the documents that one run may delete; more is an error."
    )
    refresh_cron: Schedule = Field(
        "",
        description="When a scheduler crawls the source: minute, hour, day of month, month, day of week, in UTC and in "
        "quotes, such as `'15 * * * *'`. Left out: only when it is asked for.",
    )
    suspect_errors: float = Field(
        0.2, ge=0, le=1, description="A run is suspect where a larger part of the pages failed; 1 never."
    )
    suspect_loss: float = Field(
        0.3,
        ge=0,
        le=1,
        description="A run is suspect where more of the pages have no document any more that had one after the run "
        "before; 1 never.",
    )
    suspect_fields: float = Field(
        0.3,
        ge=0,
        le=1,
        description="A run is suspect where so many more of the documents read lack a title of their own, a date or an "
        "author than in an earlier run; 1 never.",
    )


class WebsiteSource(SourceBase):
    """A website that is crawled by its sitemaps or, where it has none, by its links."""

    type: Literal["website"] = Field(description="What kind of source this is.")
    base_url: BaseUrl = Field(description="The site's address; relative addresses start from it, and so do links.")
    hosts: Hosts = Field(
        default_factory=list,
        description="Further hosts that belong to the site. base-url's host and its `www.` twin always do.",
    )
    sitemaps: Words | None = Field(
        None,
        description="Where the pages are listed, relative to base-url or absolute. Left out: what robots.txt names. "
        "An empty list: there is none, links are followed from base-url.",
    )
    match_redirects: bool = Field(
        True,
        description="Also ask for listed pages that do not match, because their redirects may end on one that does. "
        "false: only the listed address decides what is in.",
    )
    lastmod: Literal["trust", "ignore"] = Field(
        "ignore",
        description="trust: a page whose sitemap lastmod is as before is not requested at all. For sites whose sitemap "
        "tells of every edit.",
    )
    markdown: Literal["prefer", "ignore"] | None = Field(
        None,
        description="Whether a page's own Markdown is used where it says the same as the page. Left out: where the "
        "page links to it. prefer: also where llms.txt lists it. ignore: never.",
    )
    max_depth: int = Field(5, ge=0, le=100, description="How many links away from base-url pages are looked for.")

    @field_validator("sitemaps")
    @classmethod
    def _resolved(cls, sitemaps: list[str] | None, info: ValidationInfo) -> list[str] | None:
        # without a usable base-url its own error is enough
        if sitemaps is None or "base_url" not in info.data:
            return sitemaps
        return [_sitemap(one, info.data["base_url"]) for one in sitemaps]


def _sitemap(url: str, base_url: str) -> str:
    try:
        clean_url(url, base_url)
    except ValueError as error:
        refuse(f"{url!r}: {error}", "write it as /sitemap.xml or https://example.org/sitemap.xml")
    # asked for as it is written: a sitemap's address is no key of a page
    return urljoin(base_url, url.strip())


class FeedSource(SourceBase):
    """One or more feeds: RSS 0.9x to 2.0, Atom, JSON Feed. Each item is a document."""

    any_host: ClassVar[bool] = True
    match_redirects: ClassVar[bool] = False

    type: Literal["feed"] = Field(description="What kind of source this is.")
    opml: str = Field("", description="A list of feeds in OPML: a file beside the source file, or a web address.")
    feeds: FeedAddresses = Field(
        default_factory=list,
        validate_default=True,
        description="The addresses of the feeds, or of pages that name their feed.",
    )
    base_url: BaseUrl = Field(
        "",
        validate_default=True,
        description="The site's address, which readable ids start from. Left out: the origin of the first feed.",
    )
    content: Literal["auto", "feed", "page"] = Field(
        "auto",
        description="What an item's document is made from. feed: its text in the feed; page: the page it links to; "
        "auto: the feed where it has the whole text, else the page.",
    )
    max_items: int = Field(1_000, ge=1, le=100_000, description="The newest items of each feed that are read.")
    keep: Keep = Field(
        None,
        description="What becomes of items that left their feed. true: they stay; false: they are deleted; 90 or 90d: "
        "deleted once they have been gone for that many days.",
    )

    @field_validator("opml")
    @classmethod
    def _beside_the_file(cls, opml: str, info: ValidationInfo) -> str:
        folder = (info.context or {}).get("folder", "")
        return feed_address(opml) if _is_address(opml) or not opml else str(Path(folder) / opml)

    @field_validator("feeds")
    @classmethod
    def _with_those_of_the_list(cls, feeds: list[str], info: ValidationInfo) -> list[str]:
        opml = info.data.get("opml")
        if not feeds and opml == "":
            refuse("no feed is named", "write the address of a feed, or of a list of feeds in opml")
        listed = _feeds_of(opml) if opml and not _is_address(opml) else []
        return list({clean_url(url): url for url in reversed([*feeds, *listed])}.values())[::-1]

    @field_validator("base_url", mode="before")
    @classmethod
    def _else_of_the_first_feed(cls, base_url: Any, info: ValidationInfo) -> Any:
        named = [*info.data.get("feeds", ()), info.data.get("opml", "")]
        if base_url or not _is_address(named[0]):
            # what is wrong with the feeds is said already
            return base_url or "https://feed.invalid"
        parts = urlsplit(clean_url(named[0]))
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def hosts(self) -> list[str]:
        """The hosts that feeds and their list are on: those whose word counts as the operator's."""
        named = [*self.feeds, *([self.opml] if _is_address(self.opml) else [])]
        return sorted({urlsplit(clean_url(url)).netloc for url in named})


def _is_address(text: str) -> bool:
    return "://" in text


def _feeds_of(file: str) -> list[str]:
    """Return the feeds of a list that stands beside the source file."""
    try:
        listed = [outline.url for outline in read_opml(Path(file).read_bytes())]
    except (OSError, ValueError) as error:
        refuse(f"the list {file!r} cannot be read: {getattr(error, 'strerror', error)}", "export it as OPML")
    for url in listed:
        feed_url(url)
    return listed


Source = WebsiteSource | FeedSource
SOURCE_TYPES: dict[str, type[WebsiteSource] | type[FeedSource]] = {"website": WebsiteSource, "feed": FeedSource}
