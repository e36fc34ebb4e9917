"""Looks at the headers of a page before its body is downloaded."""

import re

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers

from contentbot.runs import Visit

# what extraction may be able to read; it decides by the bytes. A type that is no type says nothing.
_READABLE = re.compile(
    r"\s*(?:text/|application/(?:xhtml\+xml|xml|octet-stream|x-unknown|unknown)\b|[^/]*$)", re.IGNORECASE
)


def may_be_text(content_type: str) -> bool:
    """Say whether a page of this Content-Type header is worth its body."""
    return bool(_READABLE.match(content_type))


class HeaderGuard:
    """Stops a download after its headers: of a page that was only asked for its redirect, and of what is no text.

    The response goes on with an empty body and the flag `download_stopped`.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "HeaderGuard":
        """Listen to the headers of every response."""
        guard = cls()
        crawler.signals.connect(guard.headers_received, signal=signals.headers_received)
        return guard

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Raise `StopDownload` when the body is not wanted."""
        visit: Visit | None = request.meta.get("visit")
        if visit is None or b"Location" in headers:
            return
        content_type = (headers.get(b"Content-Type") or b"").decode("latin-1")
        wanted = visit.included or visit.for_links
        if not wanted or not may_be_text(content_type):
            raise StopDownload(fail=False)
