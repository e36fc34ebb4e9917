"""What one file in `sources/` may say: a pydantic model per source type, unknown keys refused."""

from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urljoin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from contentbot.sources.fields import (
    BaseUrl,
    Bytes,
    Globs,
    Hosts,
    LocaleTag,
    PathPrefix,
    RequestRate,
    Schedule,
    Seconds,
    Selectors,
    UserAgent,
    Words,
    refuse,
)
from contentbot.sources.filters import Rules, RuleSet
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
    canonical: Literal["follow", "ignore"] = Field(
        "follow", description="Whether a page's canonical link may name the address that it is stored under."
    )
    locale: Annotated[LocaleRules, BeforeValidator(_locale, json_schema_input_type=LocaleRules | str)] = Field(
        LocaleRules(), description="One locale for all pages, or a default and path prefixes. Left out: `html lang`."
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


# one member today; further source types join this union and the table, tagged by `type`
Source = WebsiteSource
SOURCE_TYPES: dict[str, type[Source]] = {"website": WebsiteSource}
