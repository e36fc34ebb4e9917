"""Crawling a copy of a site that stands elsewhere, while everything is told in the site's own addresses.

Only the last step knows the copy: the download handler turns the site's origin into the copy's on the way out, and what
comes back is turned into the site's own again. Redirects, robots rules, sitemaps, duplicates and documents never see
where the copy stood.
"""

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response

from contentbot.equipment import Equipment
from contentbot.sitecopy import SiteCopy

_MAPPED_HEADERS = (b"Location", b"Link", b"Content-Location", b"Refresh")


class CopyDownloadHandler(HTTP11DownloadHandler):
    """Fetches from the copy and answers under the site's own address."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._site = _copy_of(crawler)

    async def download_request(self, request: Request) -> Response:
        """Download from the copy; the response and its headers name the site."""
        there = request.replace(url=self._site.outward(request.url))
        there.meta.pop("proxy", None)
        try:
            response = await super().download_request(there)
        finally:
            # AutoThrottle reads it from the request it knows
            request.meta.update({key: there.meta[key] for key in ("download_latency",) if key in there.meta})
        return response.replace(url=request.url, headers=_inward_headers(response.headers, self._site))


def _inward_headers(headers: Headers, site: SiteCopy) -> Headers:
    mapped = Headers(headers)
    for name in _MAPPED_HEADERS:
        if values := headers.getlist(name):
            mapped.setlist(name, [site.inward(value) for value in values])
    return mapped


class CopyMiddleware:
    """Turns the copy's origin inside of bodies into the site's own, once they are decompressed."""

    def __init__(self, site: SiteCopy) -> None:
        self._site = site

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "CopyMiddleware":
        """Take the copy that the spider was started with."""
        return cls(_copy_of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:  # noqa: ARG002 - Scrapy's signature
        """Map the body, whatever type it says it has."""
        body = self._site.inward(response.body)
        return response if body == response.body else response.replace(body=body)


def _copy_of(crawler: Crawler) -> SiteCopy:
    copy = Equipment.of(crawler).copy
    if copy is None:
        raise NotConfigured
    return copy
