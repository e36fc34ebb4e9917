"""Pages and rules for the tests of extraction, as short as they can be written."""

from typing import Any

from contentbot.documents import ContentDocument, Page
from contentbot.extract import ExtractRules, Limits, extract
from contentbot.sources.models import WebsiteSource

HOME = "https://mill.example"


def page(
    body: str | bytes, url: str = f"{HOME}/a", *, content_type: str = "text/html; charset=utf-8", **more: Any
) -> Page:
    """A fetched page; `headers` and the other fields of `Page` can be given by name."""
    headers = {"content-type": content_type, **more.pop("headers", {})}
    raw = body.encode() if isinstance(body, str) else body
    return Page(url=more.pop("listed", url), final_url=url, body=raw, headers=headers, **more)


def rules(*, limits: Limits | None = None, **source: Any) -> ExtractRules:
    """The rules of a source named `mill`; keys are those of a source file."""
    declared = {"id": "mill", "type": "website", "base-url": HOME, **source}
    return ExtractRules(WebsiteSource.model_validate(declared), limits or Limits())


def document(
    body: str | bytes, url: str = f"{HOME}/a", *, source: dict[str, Any] | None = None, **more: Any
) -> ContentDocument:
    """The document of a page."""
    return extract(page(body, url, **more), rules(**(source or {})))
