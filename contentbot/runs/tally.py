"""The counting of a run, and what a request carries on its way."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from contentbot.runs.record import SkippedPage

# Addresses that the source's own rules leave out: part of every healthy run, and no fault of a page.
LEFT_OUT = frozenset({"off_site", "not_included", "excluded", "duplicate"})

# documents that `rules:` of the source refuses, see contentbot.filtering
FILTERED = frozenset({
    "too_few_words", "other_language", "category_missing", "category_excluded", "words_missing", "words_excluded",
    "too_old", "undated",
})  # fmt: skip

# what the rules of the source or of the site leave out: no fault of anything
BY_RULE = LEFT_OUT | FILTERED | {"loop", "noindex", "robots_disallowed", "canonical_offsite"}


@dataclass(frozen=True, slots=True)
class Visit:
    """One listed page on its way: where it was listed, and the cleaned addresses its redirects led over so far.

    `included` says that the page's scope is settled. Without it only the answer's redirect matters, so its body is not
    downloaded. `depth` counts links from the base URL; sitemap entries are at 0. `for_links` marks the page where
    following links begins: it is read even when it is not itself in scope. `resumed` marks one that began where an
    earlier run ended; should the page not be there any more, it begins anew at the listed address.
    """

    listed: str
    included: bool
    lastmod: str = ""
    published: str = ""
    depth: int = 0
    hops: tuple[str, ...] = ()
    for_links: bool = False
    resumed: bool = False

    @property
    def url(self) -> str:
        """The cleaned address that is requested now."""
        return self.hops[-1] if self.hops else self.listed

    @property
    def chain(self) -> tuple[str, ...]:
        """Every cleaned address of this visit, the listed one first."""
        return (self.listed, *self.hops)

    def redirected(self, url: str, *, included: bool) -> "Visit":
        """Return the visit one hop on."""
        return replace(self, hops=(*self.hops, url), included=included)


class Tally:
    """Counts a run while it happens.

    Args:
        on_count: told every increment as (name, by), for live statistics.
        pages_per_reason: how many skipped addresses of one reason are kept by name.
    """

    def __init__(self, on_count: Callable[[str, int], object] | None = None, *, pages_per_reason: int = 100) -> None:
        self._on_count = on_count or (lambda _name, _by: None)
        self._pages_per_reason = pages_per_reason
        self.counts: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.skipped_pages: list[SkippedPage] = []
        self.failed_sitemaps: list[SkippedPage] = []
        self.fields: Counter[str] = Counter()
        self._titles: set[int] = set()
        self.documents: int | None = None
        self.withdrawn = 0
        self.current_url = ""
        self.listing_done = False
        self.error = ""
        self.finish_reason = ""

    @property
    def discovery_complete(self) -> bool:
        """Whether everything that lists pages was read to its end."""
        return self.listing_done and not self.failed_sitemaps and not self.error

    @property
    def done(self) -> int:
        """Pages that need no more work: indexed ones and those skipped for a fault."""
        return self.counts["indexed"] + sum(n for reason, n in self.skipped.items() if reason not in LEFT_OUT)

    @property
    def known(self) -> int:
        """Pages that are known to be wanted so far; at the end of a run, as many as are done."""
        return max(self.counts["included"] - self.withdrawn, self.done)

    def withdraw(self) -> None:
        """Note that an included address is no page of its own: it leads to another page, or out of scope."""
        self.withdrawn += 1

    def count(self, name: str, by: int = 1) -> None:
        """Add to one of the counts of `RunRecord.counts`."""
        self.counts[name] += by
        self._on_count(name, by)

    def skip(self, url: str, reason: str, detail: str = "") -> None:
        """Count an address that gives no document, and keep its name unless its reason has enough of them."""
        self.skipped[reason] += 1
        self._on_count(f"skipped/{reason}", 1)
        if self.skipped[reason] <= self._pages_per_reason:
            self.skipped_pages.append(SkippedPage(url=url, reason=reason, detail=detail[:500]))

    def read(self, title: str, *, date: bool, author: bool) -> None:
        """Note which fields a document has; a title that another one had in this run is none of its own."""
        digest = hash(title)
        self.fields.update(documents=1, title=digest not in self._titles, date=date, author=author)
        self._titles.add(digest)

    def sitemap_failed(self, url: str, reason: str, detail: str = "") -> None:
        """Note a sitemap that could not be read: discovery is incomplete from here on."""
        self.failed_sitemaps.append(SkippedPage(url=url, reason=reason, detail=detail[:500]))
        self._on_count("failed_sitemaps", 1)

    def fail(self, finish_reason: str, error: str) -> None:
        """Note what stops the whole run; the first such error stays."""
        if not self.error:
            self.finish_reason, self.error = finish_reason, error
