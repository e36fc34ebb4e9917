"""The page's own Markdown in a crawl: asked for beside a page that has changed, and only then."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import Response
from twisted.python.failure import Failure

from contentbot.discovery.own_markdown import MarkdownList, is_markdown, linked_markdown
from contentbot.documents import MarkdownFile, Page
from contentbot.middlewares.cache import FROM_CACHE
from contentbot.sources.models import WebsiteSource
from contentbot.spiders.source import SourceSpider, header

_PAGE = "page_of_markdown"
_SOON = 10  # before further pages: the page waits for it


class MarkdownSpider(SourceSpider):
    """A spider that puts a page's own Markdown beside the page, where the site offers it.

    The page stays what is remembered, with its validators: one that has not changed costs no request for its Markdown.
    """

    listed_markdown: MarkdownList | None = None

    async def read_markdown_list(self, source: WebsiteSource) -> None:
        """Read llms.txt, where the source wants what it lists."""
        if source.markdown != "prefer":
            return
        url = urljoin(source.base_url, "/llms.txt")
        fetched = await self._fetch(url)
        if fetched.status == 200:
            self.listed_markdown = MarkdownList(fetched.body.decode("utf-8", "replace"), url)

    def _pages(self, response: Response, visit: Any) -> Iterator[Page | Request]:
        page = self._page(response, visit)
        target = self._markdown_of(page)
        if not target:
            yield page
            return
        # a page that is read anew out of the cache has its Markdown there, too
        meta = {_PAGE: page, FROM_CACHE: bool(response.meta.get(FROM_CACHE))}
        yield Request(
            target, self.with_markdown, errback=self.without_markdown, meta=meta, priority=_SOON, dont_filter=True
        )

    def _markdown_of(self, page: Page) -> str:
        source = self.equipment.source
        if not isinstance(source, WebsiteSource) or source.markdown == "ignore" or is_markdown(page.content_type):
            return ""
        linked = linked_markdown(page.body, page.final_url, page.headers.get("link", ""))
        return linked or (self.listed_markdown.of(page.final_url) if self.listed_markdown else "")

    def with_markdown(self, response: Response, **_: Any) -> Iterator[Page]:
        """Yield the page with its Markdown, or without where the answer is none."""
        page: Page = response.meta[_PAGE]
        usable = response.status == 200 and "download_stopped" not in response.flags
        if usable and is_markdown(header(response, b"Content-Type")) and self.equipment.scope.on_site(response.url):
            page = replace(page, own=MarkdownFile(response.url, response.body))
        yield page

    def without_markdown(self, failure: Failure) -> Iterator[Page]:
        """Yield the page alone: its Markdown is a better form of it, no part of it."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        yield request.meta[_PAGE]
