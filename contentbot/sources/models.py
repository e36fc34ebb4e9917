"""What one file in `sources/` may say: a pydantic model per source type, unknown keys refused."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

USER_AGENT = "OpenElementsContentBot/1.0 (+https://open-elements.com)"

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
_BYTES = {"": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "kib": 1 << 10, "mib": 1 << 20}


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _listed(value: Any) -> Any:
    """Take `a, b` for `[a, b]`."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _selectors(value: Any) -> Any:
    """Split at the commas outside of brackets, parentheses and quotes."""
    if not isinstance(value, str):
        return value
    parts = re.findall(r"""(?:\([^)]*\)|\[[^\]]*\]|"[^"]*"|'[^']*'|[^,])+""", value)
    return [part.strip() for part in parts if part.strip()]


def _seconds(value: Any) -> Any:
    """Take `10`, `"10s"`, `"500ms"` or `"1m"`; the result is seconds."""
    if isinstance(value, str) and (match := re.fullmatch(r"\s*([\d.]+)\s*(ms|s|m)\s*", value)):
        return float(match[1]) * _UNITS[match[2]]
    return value


def _bytes(value: Any) -> Any:
    """Take `10485760`, `"10MB"` or `"10MiB"`; the result is bytes."""
    if isinstance(value, str) and (match := re.fullmatch(r"\s*(\d+)\s*([KkMm]?i?[Bb]?)\s*", value)):
        return int(match[1]) * _BYTES.get(match[2].lower(), 0) or value
    return value


def _no_limit(value: Any) -> Any:
    # YAML reads a bare `off` as false
    return 0 if value is False or value == "off" else value


Words = Annotated[list[str], BeforeValidator(_listed)]
Selectors = Annotated[list[str], BeforeValidator(_selectors)]
Seconds = Annotated[float, BeforeValidator(_seconds), Field(gt=0)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(gt=0)]
RequestRate = Annotated[float, BeforeValidator(_no_limit), Field(ge=0)]


class SourceModel(BaseModel):
    """The ground rules: kebab-case keys, nothing unknown, nothing changed after loading."""

    model_config = ConfigDict(alias_generator=_kebab, populate_by_name=True, extra="forbid", frozen=True)


class LocaleRules(SourceModel):
    """Which locale a page is in: the longest matching path prefix, else the default, else what the page says."""

    default: str = ""
    prefixes: dict[str, str] = Field(default_factory=dict)


def _locale(value: Any) -> Any:
    return {"default": value} if isinstance(value, str) else value


class WebsiteSource(SourceModel):
    """A website that is crawled by its sitemaps or, where it has none, by its links."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    type: Literal["website"]
    title: str = ""
    enabled: bool = True
    base_url: str
    hosts: Words = Field(default_factory=list)
    sitemaps: Words | None = None
    url_include: Words = Field(default_factory=lambda: ["/**"])
    url_exclude: Words = Field(default_factory=list)
    match_redirects: bool = True
    content_selector: Selectors = Field(default_factory=list)
    content_exclude: Selectors = Field(default_factory=list)
    canonical: Literal["follow", "ignore"] = "follow"
    locale: Annotated[LocaleRules, BeforeValidator(_locale)] = LocaleRules()
    user_agent: str = USER_AGENT
    rate_limit: RequestRate = 2.0
    request_timeout: Seconds = 30.0
    max_body_bytes: Bytes = 10 << 20
    max_depth: int = Field(default=5, ge=0)


# one member today; further source types join this union, tagged by `type`
Source = WebsiteSource
