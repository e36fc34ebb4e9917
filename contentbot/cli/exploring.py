"""Looks at a site for `contentbot init`: politely, and at no more of it than a proposal needs."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from contentbot.cli.fetching import NotFetched, fetch_page
from contentbot.discovery.feedlinks import feed_links
from contentbot.discovery.links import page_links
from contentbot.discovery.robots import RobotsRules
from contentbot.discovery.sitemaps import PageEntry, Rejected, SitemapEntry, read_sitemap
from contentbot.documents import Page
from contentbot.errors import ConfigError, ExtractionError, NotASitemap
from contentbot.extract.explain import explain
from contentbot.extract.rules import ExtractRules
from contentbot.proposing.deciding import Sample, Survey, read_sample, to_read, wanted
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.sources.overrides import overridden
from contentbot.sources.scope import Scope
from contentbot.sources.urls import clean_url

MAX_SITEMAPS = 20
MAX_ENTRIES = 50_000
GUESSED = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml")
LOOKED_INTO = 3
"""Links of one page that are followed at once, where there is no sitemap."""

LONGEST_PAUSE = 10.0
"""Seconds between two requests that are waited at most; a site that asks for more is asked for fewer pages."""

Tell = Callable[[str], None]


class Explorer:
    """Asks a site for a few pages.

    Args:
        source: its base-url, and how it is asked: user agent, rate, limits.
        copy: the origin of a copy that is asked instead; empty for the site itself.
        pages: how many pages are read at most.
        tell: told what is done.
    """

    def __init__(self, source: WebsiteSource, copy: str, pages: int, tell: Tell) -> None:
        self._source, self._pages, self._tell = source, pages, tell
        self._copy = SiteCopy(source.base_url, copy) if copy else None
        self._scope = Scope(source)
        self._robots: dict[str, RobotsRules] = {}
        self._fetched: dict[str, Page] = {}
        self._last = 0.0

    def survey(self, start: str) -> Survey:
        """Return what a look at the site gives.

        Args:
            start: its home page, or a folder of it.

        Raises:
            NotFetched: it gives no answer, or robots.txt asks not to.
        """
        home = self._fetch(start)
        if not self._scope.owns(home.final_url):
            moved = f"{urlsplit(home.final_url).scheme}://{urlsplit(home.final_url).netloc}"
            raise NotFetched(f"{start} redirects to another site: run `contentbot init {moved}`")
        named = list(self._rules().sitemaps())
        roots, entries = named, list(self._listed(named, guessed=False))
        for guess in () if named else GUESSED:
            roots = [urljoin(self._source.base_url, guess)]
            if entries := list(self._listed(roots, guessed=True)):
                break
        path = urlsplit(clean_url(start)).path
        found = Survey(
            self._source.base_url.rstrip("/"),
            path.rstrip("/") or "/",
            entries,
            None if named else roots,
            bool(entries),
            list(feed_links(home.body, home.final_url, home.content_type)),
            title=self._title(home),
        )
        if not entries:
            return self._by_links(found, home)
        found.samples = self._samples(to_read(found, self._pages))
        return found

    def _title(self, home: Page) -> str:
        document = explain(home, ExtractRules(self._source)).document
        return (document.site_name or document.title) if document else ""

    def _rules(self) -> RobotsRules:
        return next(iter(self._robots.values()))

    def _listed(self, roots: Iterable[str], *, guessed: bool) -> Iterable[PageEntry]:
        waiting, seen, count = deque(roots), set[str](), 0
        while waiting and len(seen) < MAX_SITEMAPS and count < MAX_ENTRIES:
            url = waiting.popleft()
            if url in seen:
                continue
            seen.add(url)
            self._tell(f"reading {url}")
            try:
                page = self._fetch(url)
                for entry in read_sitemap(page.body, page.final_url, max_bytes=self._source.max_body_bytes):
                    if isinstance(entry, SitemapEntry):
                        waiting.append(entry.url)
                    elif not isinstance(entry, Rejected) and (own := self._own(entry)):
                        count += 1
                        yield own
            except (NotFetched, NotASitemap, ValueError) as error:
                if not guessed:
                    self._tell(f"not read: {error}")

    def _own(self, entry: PageEntry) -> PageEntry | None:
        try:
            url = clean_url(self._copy.inward_url(entry.url) if self._copy else entry.url)
        except ValueError:
            return None
        return replace(entry, url=url) if self._scope.owns(url) else None

    def _by_links(self, found: Survey, home: Page) -> Survey:
        """Follow links, of which each page that is read gives more: home first, then what it leads to."""
        found.has_sitemap, found.sitemaps = False, []
        known: dict[str, PageEntry] = {}
        waiting, samples = deque([home]), list[Sample]()
        while waiting and len(samples) < self._pages:
            page = waiting.popleft()
            for link in page_links(page.body, page.final_url, page.content_type):
                own = self._own(PageEntry(link))
                if own and own.url not in known and self._allowed(own.url):
                    known[own.url] = own
            found.entries = list(known.values())
            read = {one.url for one in samples}
            telling = [*to_read(found, self._pages), *wanted(found)]
            fresh = [url for url in dict.fromkeys(telling) if url not in read][:LOOKED_INTO]
            for sample in self._samples(fresh[: self._pages - len(samples)]):
                samples.append(sample)
                waiting.append(sample.page)
        found.samples = samples
        return found

    def _allowed(self, url: str) -> bool:
        return self._rules().allows(url, self._source.user_agent)

    def _samples(self, urls: Iterable[str]) -> list[Sample]:
        found = []
        for url in urls:
            self._tell(f"reading {url}")
            try:
                found.append(read_sample(url, self._fetch(url), self._source))
            except (NotFetched, ExtractionError, ValueError) as error:
                self._tell(f"left out: {error}")
        return found

    def _fetch(self, url: str) -> Page:
        key = clean_url(url)
        if key not in self._fetched:
            self._wait()
            self._fetched[key] = self._asked(url)
        return self._fetched[key]

    def _asked(self, url: str) -> Page:
        if self._copy is None:
            return fetch_page(url, self._source, self._robots).page
        copy = self._copy
        there = fetch_page(copy.outward(copy.inward_url(url)), self._source, self._robots).page
        return replace(
            there,
            url=copy.inward_url(there.url),
            final_url=copy.inward_url(there.final_url),
            body=copy.inward(there.body),
            headers={name: copy.inward_url(value) for name, value in there.headers.items()},
        )

    def _wait(self) -> None:
        asked = self._rules().crawl_delay(self._source.user_agent) if self._robots else None
        pause = max(1 / self._source.rate_limit if self._source.rate_limit else 0.0, min(asked or 0.0, LONGEST_PAUSE))
        time.sleep(max(0.0, self._last + pause - time.monotonic()))
        self._last = time.monotonic()


def site_of(url: str, rate_limit: str) -> WebsiteSource:
    """Return a source of the whole site that an address is on; raises `ConfigError` for none, or for no rate."""
    given = url if "://" in url else f"https://{url}"
    hint = "write the address of a site, such as https://www.example.org"
    if "@" in given.partition("://")[2].partition("/")[0]:
        raise ConfigError(f"{url!r} is no address of a site", hint=hint)
    try:
        parts = urlsplit(clean_url(given))
    except ValueError as error:
        raise ConfigError(f"{url!r}: {error}", hint=hint) from error
    base = f"{parts.scheme}://{parts.netloc}"
    site = WebsiteSource.model_validate({"id": "site", "type": "website", "base-url": base, "canonical": "ignore"})
    try:
        return overridden(site, {"rate_limit": rate_limit})
    except ConfigError as error:
        raise ConfigError(error.problem, key="--rate-limit", hint=error.hint) from error
