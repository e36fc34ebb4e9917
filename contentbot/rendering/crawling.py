"""Rendering within a crawl: what a page asks for goes the way of every other request of the crawl."""

from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler

from contentbot.documents import Page
from contentbot.equipment import Equipment
from contentbot.errors import ConfigError, ExtractionError
from contentbot.loading import Loader
from contentbot.loading.loader import LoadLimits
from contentbot.rendering.browser import Browser, RenderLimits, Resource
from contentbot.rendering.install import require


def renderer_of(crawler: Crawler, equipment: Equipment) -> "Renderer | None":
    """Return what renders the pages of a crawl, by CONTENTBOT_BROWSER and CONTENTBOT_RENDER_HOURS; None for `never`.

    Raises:
        ConfigError: every page is to be rendered, and package or browser are missing.
    """
    mode, settings = equipment.source.render, crawler.settings
    if mode == "never":
        return None
    named = settings["CONTENTBOT_BROWSER"] or ""
    if mode == "always":
        require(named)
    return Renderer(crawler, equipment, named, settings.getfloat("CONTENTBOT_RENDER_HOURS"))


class Renderer:
    """Renders the pages of one crawl.

    What belongs to the source is asked for as its pages are: robots.txt, rate limit, cache and copy included. What
    stands on other hosts is loaded as on demand: robots.txt, a pause between two requests, public addresses only.
    """

    def __init__(
        self, crawler: Crawler, equipment: Equipment, browser: str, hours: float, limits: RenderLimits | None = None
    ) -> None:
        self._crawler, self._equipment, self._limits = crawler, equipment, limits or RenderLimits()
        self._named, self._hours = browser, hours
        self._browser: Browser | None = None
        source = equipment.source
        foreign = LoadLimits(seconds=self._limits.settle_seconds, max_bytes=source.max_body_bytes, kept_seconds=600.0)
        self._loader = Loader(limits=foreign, user_agent=source.user_agent)

    @property
    def always(self) -> bool:
        """Whether every page is rendered, or only those that are empty without."""
        return self._equipment.source.render == "always"

    @property
    def expires(self) -> int | None:
        """Until when, in Unix seconds, an unchanged shell stands for unchanged content; None for as long as it is one.

        The validators of a shell say nothing about what its scripts load. A sitemap that is trusted does.
        """
        if getattr(self._equipment.source, "lastmod", "ignore") == "trust":
            return None
        return int(self._equipment.started.timestamp() + self._hours * 3600)

    async def render(self, page: Page) -> Page:
        """Run the scripts of a page.

        Raises:
            ExtractionError: as `Browser.render` does; `render_unavailable` where package or browser are missing.
        """
        if self._browser is None:
            try:
                program = require(self._named)
            except ConfigError as error:
                raise ExtractionError("render_unavailable", str(error)) from error
            self._browser = Browser(program, self._equipment.source.user_agent, self._limits)
        rendered = await self._browser.render(page, self._fetch)
        self._equipment.tally.count("rendered")
        return rendered

    async def close(self) -> None:
        """End the browser, if any page needed it."""
        if self._browser:
            await self._browser.close()

    async def _fetch(self, url: str) -> Resource:
        if not self._is_own(url):
            if self._equipment.copy:
                raise ValueError(f"{url} is not in the copy")
            loaded = await self._loader.load(url, accept="*/*")
            return Resource(200, loaded.page.headers, loaded.page.body)
        request = Request(url, headers={"Accept": "*/*"}, dont_filter=True)
        response = await self._crawler.engine.download_async(request)
        headers = {
            name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for name, values in response.headers.items()
        }
        return Resource(response.status, headers, response.body)

    def _is_own(self, url: str) -> bool:
        source = self._equipment.source
        own = {urlsplit(source.base_url).netloc.removeprefix("www."), *source.hosts}
        return urlsplit(url).netloc.removeprefix("www.") in own
