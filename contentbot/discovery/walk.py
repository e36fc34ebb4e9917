"""Sitemaps, and the sitemaps that they name: each read once, in the order of the list, page by page."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from contentbot.discovery.sitemaps import PageEntry, Rejected, SitemapEntry, read_sitemap
from contentbot.errors import NotASitemap
from contentbot.runs import Tally
from contentbot.sources.urls import clean_url

# bytes; sitemaps.org wants 50 MB and 50,000 entries at most, but files with a million entries are served
MAX_DOWNLOAD = 256 << 20
MAX_BYTES = 512 << 20  # read as a stream, after inflating
_MISSING = frozenset({404, 410})


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back for a sitemap. `failure` is a countable word, empty when there was an answer."""

    url: str
    status: int = 0
    body: bytes = b""
    failure: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """Where the walk stops: sitemaps in all, and indexes below indexes."""

    sitemaps: int = 10_000
    depth: int = 5


class SitemapWalk:
    """Reads sitemaps one after the other.

    Args:
        fetch: downloads one sitemap; reports a failure instead of raising it.
        on_site: whether an address belongs to the source. A sitemap elsewhere is read only where the roots are.
        tally: told about what was listed, rejected, and not read.
        limits: where the walk stops.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[Fetched]],
        on_site: Callable[[str], bool],
        tally: Tally,
        limits: WalkLimits | None = None,
    ) -> None:
        self._fetch, self._on_site, self._tally, self._limits = fetch, on_site, tally, limits or WalkLimits()
        self._seen: set[str] = set()
        self._hosts: set[str] = set()
        self.read = 0

    async def pages(self, roots: Iterable[str], *, guessed: bool = False) -> AsyncIterator[PageEntry]:
        """Yield the pages that the roots and everything below them list.

        `guessed` roots may not exist: a missing one, or one that is no sitemap, is then nobody's fault. `read` says
        afterwards how many sitemaps there were.
        """
        waiting = deque((root, 0) for root in roots)
        self._hosts |= {urlsplit(root).netloc for root, _ in waiting}
        while waiting:
            url, depth = waiting.popleft()
            if not self._wanted(url, depth):
                continue
            fetched = await self._fetch(url)
            below: list[str] = []
            for entry in self._entries(fetched, guessed=guessed and not depth):
                if isinstance(entry, SitemapEntry):
                    below.append(entry.url)
                else:
                    yield entry
            waiting.extendleft((child, depth + 1) for child in reversed(below))

    def _wanted(self, url: str, depth: int) -> bool:
        try:
            key = clean_url(url)
        except ValueError as error:
            self._tally.sitemap_failed(url, "bad_url", str(error))
            return False
        # robots.txt that names itself, and an index that does
        if key in self._seen or urlsplit(key).path == "/robots.txt":
            return False
        self._seen.add(key)
        if not (self._on_site(key) or urlsplit(key).netloc in self._hosts):
            # its pages may be ours: without it nobody can say which of them are gone
            self._tally.sitemap_failed(key, "off_site", "add its host to `hosts` to have it read")
            return False
        if depth > self._limits.depth or len(self._seen) > self._limits.sitemaps:
            self._tally.sitemap_failed(key, "too_deep" if depth > self._limits.depth else "too_many_sitemaps")
            return False
        return True

    def _entries(self, fetched: Fetched, *, guessed: bool) -> Iterable[PageEntry | SitemapEntry]:
        if fetched.failure or fetched.status != 200:
            if not (guessed and fetched.status in _MISSING):
                self._tally.sitemap_failed(fetched.url, fetched.failure or f"http_{fetched.status}", fetched.detail)
            return
        try:
            for entry in read_sitemap(fetched.body, fetched.url, max_bytes=MAX_BYTES):
                if isinstance(entry, Rejected):
                    self._reject(entry, fetched.url)
                else:
                    self._tally.count("listed", isinstance(entry, PageEntry))
                    yield entry
            self.read += 1
            self._tally.count("sitemaps")
        except NotASitemap as error:
            if not guessed:
                self._tally.sitemap_failed(fetched.url, "not_a_sitemap", str(error))

    def _reject(self, entry: Rejected, url: str) -> None:
        self._tally.count("rejected")
        if entry.incomplete:
            self._tally.sitemap_failed(url, entry.reason, entry.value)
