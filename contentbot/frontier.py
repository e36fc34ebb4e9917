"""Which addresses of a source are visited: each page once, however many ways lead to it.

Plain bookkeeping in the source's own address space; it requests nothing. The sitemap or a link offers an address
(`admit`), a redirect moves a visit on (`redirect`), and a page that turned out to live elsewhere claims that address
(`claim`).
"""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b

from contentbot.runs import Tally, Visit
from contentbot.sources.scope import Scope
from contentbot.sources.urls import clean_url

MAX_HOPS = 10


class LeftOut(Exception):
    """This visit ends here without a page; `reason` is a countable word."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class Frontier:
    """The addresses of one run.

    Args:
        scope: what belongs to the source.
        tally: told what was listed, included, found twice or left out.
        max_aliases: how many second ways to a page are remembered for its `additional_urls`.
    """

    def __init__(self, scope: Scope, tally: Tally, *, max_aliases: int = 10_000) -> None:
        self._scope, self._tally, self._max_aliases = scope, tally, max_aliases
        self._taken = SeenUrls()  # a page is, or will be, read from here
        self._asked = SeenUrls()  # offered before, and left out or only asked for its redirect
        self._aliases: dict[str, list[str]] = {}

    @property
    def aliases(self) -> Mapping[str, list[str]]:
        """Addresses that lead to a page which another visit reads, by that page's address."""
        return self._aliases

    def admit(self, url: str, *, lastmod: str = "", published: str = "") -> Visit | None:
        """Return the visit for an address of a sitemap or a feed; None when there is nothing to request.

        One that is not in scope may be asked where it redirects to.
        """
        return self._admit(Visit(url, included=True, lastmod=lastmod, published=published))

    def follow(self, link: str, depth: int) -> Visit | None:
        """Return the visit for a link; None when there is nothing to request. Only pages in scope are."""
        visit = self._admit(Visit(link, included=True, depth=depth))
        if visit and not visit.included:
            self._tally.skip(visit.listed, "not_included")
            return None
        return visit

    def _admit(self, offered: Visit) -> Visit | None:
        try:
            key = clean_url(offered.listed)
        except ValueError as error:
            self._tally.skip(offered.listed, "bad_url", str(error))
            return None
        if key in self._taken or key in self._asked:
            self._tally.count("duplicate")
            return None
        return self._decide(replace(offered, listed=key))

    def begin(self, base_url: str) -> Visit:
        """Return the visit that following links begins with: its page is read, and kept where it is in scope."""
        key = clean_url(base_url)
        included = self._scope.decide(key).included
        self._taken.add(key)
        self._tally.count("included", included)
        return Visit(key, included=included, for_links=True)

    def _decide(self, visit: Visit) -> Visit | None:
        decision = self._scope.decide(visit.listed)
        if decision.included:
            self._taken.add(visit.listed)
            self._tally.count("included")
            return visit
        self._asked.add(visit.listed)
        if decision.worth_asking:
            return replace(visit, included=False)
        self._tally.skip(visit.listed, decision.reason, decision.rule)
        return None

    def redirect(self, visit: Visit, target: str) -> Visit:
        """Return the visit one hop on; raises `LeftOut` when it ends here.

        A hop may come back to an address of its own visit, as where a site only reorders the query: that is no
        duplicate. The number of hops bounds it.
        """
        try:
            key = clean_url(target, visit.url)
        except ValueError as error:
            raise LeftOut("bad_redirect", str(error)) from error
        if len(visit.hops) >= MAX_HOPS:
            loops = len(set(visit.chain)) < len(visit.chain)
            raise LeftOut("redirect_loop" if loops else "too_many_redirects", key)
        decision = self._scope.decide(visit.listed, key)
        if decision.included:
            self._take_over(visit, key)
        elif not self._goes_on(visit, key, decision.reason):
            raise LeftOut(decision.reason, decision.rule or key)
        return visit.redirected(key, included=decision.included)

    def resume(self, visit: Visit, url: str) -> Visit:
        """Return the visit as it ended in an earlier run; as it was where another visit reads that address."""
        if url == visit.listed:
            return replace(visit, resumed=True)
        if url in self._taken or not self._scope.decide(visit.listed, url).included:
            return visit
        self._taken.add(url)
        return replace(visit.redirected(url, included=True), resumed=True)

    def restart(self, visit: Visit) -> Visit:
        """Return a resumed visit as it begins where the page is listed; what it had taken may be reached anew."""
        for url in visit.hops:
            self._taken.discard(url)
        return replace(visit, hops=(), resumed=False)

    def _goes_on(self, visit: Visit, key: str, reason: str) -> bool:
        """Say whether a hop out of scope may still lead to something: a later hop into it, or links."""
        return reason == "not_included" and (visit.for_links or self._scope.decide(key).worth_asking)

    def _take_over(self, visit: Visit, key: str) -> None:
        if key not in visit.chain and key in self._taken:
            self._remember_alias(key, visit.listed)
            raise LeftOut("duplicate", key)
        self._taken.add(key)
        if not visit.included:
            self._tally.count("included")

    def claim(self, url: str) -> None:
        """Note that the page of this address has been read under another one, so that it is not fetched again."""
        self._taken.add(url)

    def _remember_alias(self, key: str, listed: str) -> None:
        if len(self._aliases) < self._max_aliases:
            self._aliases.setdefault(key, []).append(listed)


class SeenUrls:
    """A set of addresses that keeps 8 bytes of each: a million take some 70 MB instead of 200.

    Two of a million addresses share a digest with a probability of 1 in 37 million.
    """

    def __init__(self) -> None:
        self._digests: set[int] = set()

    def add(self, url: str) -> None:
        """Put an address in."""
        self._digests.add(_digest(url))

    def discard(self, url: str) -> None:
        """Take an address out, if it is in."""
        self._digests.discard(_digest(url))

    def __contains__(self, url: str) -> bool:
        return _digest(url) in self._digests

    def __len__(self) -> int:
        return len(self._digests)


def _digest(url: str) -> int:
    return int.from_bytes(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
