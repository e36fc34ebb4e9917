"""A headless Chromium that runs the scripts of a page which was fetched already, and hands back what they made of it.

The browser opens no connection: the page itself is given to it, and what the page then asks for (scripts, style
sheets, XHR, fetch; GET only) is fetched by a function of the caller. Pictures, fonts, media, frames, sockets,
downloads, pop-ups and other pages are not loaded. Each page has a context of its own, so that nothing is kept from
one to the next.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from contentbot.documents import Page
from contentbot.errors import ExtractionError
from contentbot.rendering.install import flags

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Route
    from playwright.async_api import Page as Tab

logger = logging.getLogger(__name__)

WANTED = frozenset({"script", "stylesheet", "xhr", "fetch"})
_KEPT_KINDS = frozenset({"script", "stylesheet"})
_POLL = 0.2  # seconds between two looks at a page
_QUIET = 4  # looks in a row that have to be alike
_EMPTY_QUIET = 12  # the same, as long as no text is shown
_STARTING = 30.0  # seconds until a browser that does not start is given up
_CLOSING = 5.0  # seconds until a browser that does not close is left alone
_STATE = "() => [document.body ? document.body.innerText.trim().length : 0, document.readyState]"
# what a copy of the answer would contradict: it is inflated, and has another length
_NOT_PASSED_ON = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection"})


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """Where rendering a page ends.

    Attributes:
        seconds: for all of it; a page that is not done by then fails.
        settle_seconds: after them a page that still changes is taken as it is.
        requests: that a page may make; further ones are refused.
        max_bytes: of all answers to a page, and of what it becomes.
        pages: at once.
    """

    seconds: float = 45.0
    settle_seconds: float = 20.0
    requests: int = 100
    max_bytes: int = 20 << 20
    pages: int = 2


@dataclass(frozen=True, slots=True)
class Resource:
    """What the caller has fetched for a page. `headers` has lower-case names; the body is inflated."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Fetch = Callable[[str], Awaitable[Resource]]
"""Fetches an address for a page; whatever it raises, the page does not get it."""


@dataclass(slots=True)
class _Visit:
    """One page in the browser: what it has asked for, and what happened."""

    page: Page
    fetch: Fetch
    limits: RenderLimits
    running: int = 0
    requests: int = 0
    received: int = 0
    refused: int = 0
    begun: bool = False
    crashed: asyncio.Event = field(default_factory=asyncio.Event)


class Browser:
    """A browser, started with the first page, and started again where it crashed. Belongs to one event loop.

    Args:
        executable: the program.
        user_agent: what pages are told; the crawler's own name.
        limits: of each page.
    """

    def __init__(self, executable: str, user_agent: str, limits: RenderLimits | None = None) -> None:
        self._executable, self._user_agent, self._limits = executable, user_agent, limits or RenderLimits()
        self._room = asyncio.Semaphore(self._limits.pages)
        self._starting = asyncio.Lock()
        self._running: AsyncExitStack | None = None
        self._chromium: Chromium | None = None
        # scripts of a site are the same on each of its pages
        self._kept: dict[str, Resource] = {}
        self._kept_bytes = 0

    async def render(self, page: Page, fetch: Fetch) -> Page:
        """Run the scripts of a page; return it with what its document then is, as UTF-8, and `rendered` set.

        Raises:
            ExtractionError: `render_timeout`, `render_crashed` or `render_failed`.
        """
        from playwright.async_api import Error  # noqa: PLC0415 - an optional package

        visit = _Visit(page, fetch, self._limits)
        async with self._room:
            try:
                async with asyncio.timeout(_STARTING):
                    chromium = await self._started()
                async with asyncio.timeout(self._limits.seconds):
                    html = await self._rendered(chromium, visit)
            except TimeoutError as error:
                raise ExtractionError("render_timeout", f"over {self._limits.seconds:g} s") from error
            except Error as error:
                reason = "render_crashed" if visit.crashed.is_set() or not self._is_alive else "render_failed"
                raise ExtractionError(reason, error.message.splitlines()[0][:300]) from error
        if len(html) > self._limits.max_bytes:
            raise ExtractionError("render_failed", f"what it becomes is over {self._limits.max_bytes:,} bytes")
        if visit.refused:
            logger.debug("%s: %d requests of the page were refused", page.final_url, visit.refused)
        return replace(
            page, body=html, headers={**page.headers, "content-type": "text/html; charset=utf-8"}, rendered=True
        )

    async def close(self) -> None:
        """End the browser."""
        running, self._running, self._chromium = self._running, None, None
        if running:
            with suppress(Exception):  # it may have died before
                async with asyncio.timeout(_CLOSING):
                    await running.aclose()

    @property
    def _is_alive(self) -> bool:
        return self._chromium is not None and self._chromium.is_connected()

    async def _started(self) -> "Chromium":
        from playwright.async_api import async_playwright  # noqa: PLC0415 - an optional package

        async with self._starting:
            if self._chromium is None or not self._is_alive:
                await self.close()
                stack = AsyncExitStack()
                self._running = stack
                driver = await stack.enter_async_context(async_playwright())
                self._chromium = await driver.chromium.launch(
                    executable_path=self._executable, headless=True, args=flags(), handle_sigint=False
                )
                stack.push_async_callback(self._chromium.close)
            return self._chromium

    async def _rendered(self, chromium: "Chromium", visit: _Visit) -> bytes:
        context = await chromium.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False, java_script_enabled=True
        )
        try:
            return await self._in_tab(context, visit)
        finally:
            with suppress(Exception):  # gone with its browser
                async with asyncio.timeout(_CLOSING):
                    await context.close()

    async def _in_tab(self, context: "BrowserContext", visit: _Visit) -> bytes:
        await context.route("**/*", lambda route: self._answer(route, visit))
        await context.route_web_socket("**/*", lambda socket: socket.close())
        tab = await context.new_page()
        context.on("page", lambda other: asyncio.ensure_future(_closed(other)))
        tab.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
        tab.on("crash", lambda _: visit.crashed.set())
        watching = asyncio.ensure_future(visit.crashed.wait())
        reading = asyncio.ensure_future(_read(tab, visit))
        try:
            await asyncio.wait({watching, reading}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise ExtractionError("render_crashed", "its scripts brought the page down")
            return reading.result()
        finally:
            for task in (watching, reading):
                task.cancel()
            await asyncio.gather(watching, reading, return_exceptions=True)

    async def _answer(self, route: "Route", visit: _Visit) -> None:
        """Answer one request of a page, or refuse it."""
        request = route.request
        visit.running += 1
        try:
            if not visit.begun and request.is_navigation_request():
                visit.begun = True
                await route.fulfill(status=200, headers=_passed_on(visit.page.headers), body=visit.page.body)
            elif resource := await self._resource(request.url, request.resource_type, request.method, visit):
                headers = _passed_on(resource.headers)
                await route.fulfill(status=resource.status, headers=headers, body=resource.body)
            else:
                visit.refused += 1
                # a page that wants to go elsewhere stays: any other error would show a page of the browser's own
                await route.abort("aborted" if request.is_navigation_request() else "blockedbyclient")
        except Exception as error:
            # the page may be gone by now, and what it asked for is its own affair
            logger.debug("%s: %s was not fetched: %s", visit.page.final_url, request.url, error)
            visit.refused += 1
            with suppress(Exception):
                await route.abort("failed")
        finally:
            visit.running -= 1

    async def _resource(self, url: str, kind: str, method: str, visit: _Visit) -> Resource | None:
        if kind not in WANTED or method != "GET" or not url.startswith(("http://", "https://")):
            return None
        visit.requests += 1
        if visit.requests > visit.limits.requests or visit.received > visit.limits.max_bytes:
            return None
        resource = self._kept.get(url) or await visit.fetch(url)
        visit.received += len(resource.body)
        if kind in _KEPT_KINDS and resource.status == 200 and url not in self._kept:
            self._keep(url, resource)
        return resource

    def _keep(self, url: str, resource: Resource) -> None:
        if self._kept_bytes + len(resource.body) <= self._limits.max_bytes:
            self._kept[url] = resource
            self._kept_bytes += len(resource.body)


async def _read(tab: "Tab", visit: _Visit) -> bytes:
    await tab.goto(visit.page.final_url, wait_until="commit")
    await _settled(tab, visit)
    if not tab.url.startswith(("http://", "https://")):
        raise ExtractionError("render_failed", f"the page left for {tab.url[:100]}")
    html: str = await tab.content()
    return html.encode("utf-8", "replace")


async def _settled(tab: "Tab", visit: _Visit) -> None:
    """Wait until a page asks for nothing and shows the same for a while, or until its time to settle is over."""
    before, alike = (-1, ""), 0
    loop = asyncio.get_running_loop()
    until = loop.time() + visit.limits.settle_seconds
    while loop.time() < until:
        length, state = await tab.evaluate(_STATE)
        now = (int(length), str(state))
        alike = alike + 1 if now == before and not visit.running and state == "complete" else 0
        if alike >= (_QUIET if now[0] else _EMPTY_QUIET):
            return
        before = now
        await asyncio.sleep(_POLL)


async def _closed(tab: Any) -> None:
    with suppress(Exception):
        await tab.close()


def _passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _NOT_PASSED_ON}
