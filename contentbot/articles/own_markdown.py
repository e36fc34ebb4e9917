"""The page's own Markdown on demand: where the page, its host or llms.txt offers it."""

from dataclasses import replace
from urllib.parse import urljoin, urlsplit

import anyio

from contentbot.discovery.own_markdown import MarkdownList, depends_on_accept, is_markdown, linked_markdown
from contentbot.documents import MarkdownFile, Page
from contentbot.errors import NotLoaded
from contentbot.loading import Loaded, Loader
from contentbot.sources.models import WebsiteSource

ACCEPT = "text/markdown, text/plain;q=0.5"
_SECONDS = 8.0


async def with_own_markdown(page: Page, source: WebsiteSource, loader: Loader) -> Page:
    """Return the page with its own Markdown where the site offers it; it is a better form of it, no part of it.

    Args:
        source: whose wish counts: `markdown: ignore` asks for nothing, `prefer` reads llms.txt too.
    """
    if source.markdown == "ignore" or is_markdown(page.content_type):
        return page
    try:
        with anyio.fail_after(_SECONDS):
            found = await _offered(page, source, loader)
    except (NotLoaded, TimeoutError):
        return page
    if (
        found is None
        or not is_markdown(found.page.content_type)
        or _host(found.page.final_url) != _host(page.final_url)
    ):
        return page
    return replace(page, own=MarkdownFile(found.page.final_url, found.page.body))


async def _offered(page: Page, source: WebsiteSource, loader: Loader) -> Loaded | None:
    if linked := linked_markdown(page.body, page.final_url, page.headers.get("link", "")):
        return await loader.load(linked, accept=ACCEPT)
    if depends_on_accept(page.headers):
        asked = await loader.load(page.final_url, accept=ACCEPT)
        if is_markdown(asked.page.content_type):
            return asked
    if source.markdown != "prefer":
        return None
    listed = await loader.load(urljoin(page.final_url, "/llms.txt"), accept=ACCEPT)
    text = listed.page.body.decode("utf-8", "replace")
    file = MarkdownList(text, listed.page.final_url).of(page.final_url)
    return await loader.load(file, accept=ACCEPT) if file else None


def _host(url: str) -> str:
    return urlsplit(url).netloc
