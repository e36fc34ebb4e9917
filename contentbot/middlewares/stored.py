"""Pages as earlier runs have downloaded them, out of the HTTP cache."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.utils.request import fingerprint

from contentbot.discovery.own_markdown import MarkdownList, is_markdown, linked_markdown
from contentbot.documents import MarkdownFile, Page
from contentbot.middlewares.inflate import InflateMiddleware
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.sources.urls import clean_url
from contentbot.state import PageState
from contentbot.state.cache import CachedResponse, ResponseCache


class StoredPages:
    """What the cache of one source has of its pages. Use it as a context manager, or close it.

    Args:
        file: the source's cache.
        source: whose limit holds for a body that has to be inflated.
        copy: the copy of the site that was crawled, where it was one: its origin stands in the stored bodies.
    """

    def __init__(self, file: Path, source: WebsiteSource, copy: SiteCopy | None = None) -> None:
        self._cache = ResponseCache(file) if file.is_file() else None
        self._copy = copy
        self._inflate = InflateMiddleware.outside_of_a_crawl(source.max_body_bytes)
        self._elsewhere: Mapping[str, bytes] | None = None
        self._markdown, self._base_url = source.markdown, source.base_url
        self._listed: MarkdownList | None = None

    def page(self, known: PageState) -> Page | None:
        """Return the page as it was last downloaded; None where it is not stored, or cannot be read."""
        if self._cache is None or not known.final_url:
            return None
        stored = self._get(self._cache, known.final_url)
        response = self._inflated(stored) if stored else None
        if stored is None or response is None:
            return None
        page = Page(
            url=known.url,
            final_url=known.final_url,
            body=self._copy.inward(response.body) if self._copy else response.body,
            headers=_plain(response.headers),
            lastmod=known.lastmod,
            fetched_at=datetime.fromtimestamp(stored.stored_at, UTC),
        )
        return replace(page, own=self._own_markdown(page, self._cache))

    def _own_markdown(self, page: Page, cache: ResponseCache) -> MarkdownFile | None:
        """Return the page's own Markdown, where the crawl has stored it beside the page."""
        if self._markdown == "ignore" or is_markdown(page.content_type):
            return None
        target = linked_markdown(page.body, page.final_url, page.headers.get("link", ""))
        if not target and self._markdown == "prefer":
            target = self._list(cache).of(page.final_url)
        stored = self._get(cache, target) if target else None
        response = self._inflated(stored) if stored else None
        if stored is None or response is None or not is_markdown(_plain(response.headers).get("content-type", "")):
            return None
        return MarkdownFile(stored.url, self._copy.inward(response.body) if self._copy else response.body)

    def _list(self, cache: ResponseCache) -> MarkdownList:
        if self._listed is None:
            url = urljoin(self._base_url, "/llms.txt")
            stored = self._get(cache, url)
            response = self._inflated(stored) if stored else None
            self._listed = MarkdownList(response.body.decode("utf-8", "replace") if response else "", url)
        return self._listed

    def _get(self, cache: ResponseCache, url: str) -> CachedResponse | None:
        found = cache.get(_key(url))
        if found is None:
            if self._elsewhere is None:
                self._elsewhere = _spelled_otherwise(cache)
            found = cache.get(self._elsewhere[url]) if url in self._elsewhere else None
        return found

    def _inflated(self, stored: CachedResponse) -> Response | None:
        headers = Headers()
        for name, value in stored.headers:
            headers.appendlist(name.encode("latin-1"), value.encode("latin-1"))
        response = Response(stored.url, status=stored.status, headers=headers, body=stored.body)
        try:
            inflated = self._inflate.process_response(Request(stored.url), response)
        except IgnoreRequest:
            return None
        return inflated if isinstance(inflated, Response) else None

    def close(self) -> None:
        """Close the file."""
        if self._cache:
            self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _spelled_otherwise(cache: ResponseCache) -> Mapping[str, bytes]:
    """Find responses by their cleaned address: a redirect was followed as the server wrote it."""
    found = {}
    for key, url in cache.addresses():
        try:
            cleaned = clean_url(url)
        except ValueError:
            continue
        if _key(cleaned) != key:
            found[cleaned] = key
    return found


def _key(url: str) -> bytes:
    return fingerprint(Request(url))


def _plain(headers: Headers) -> dict[str, str]:
    # RFC 9110 section 5.5: bytes outside of ASCII are opaque; latin-1 keeps every one of them
    return {name.decode("latin-1").lower(): b", ".join(headers.getlist(name)).decode("latin-1") for name in headers}
