"""Redirects, by status or by `<meta http-equiv=refresh>`, that never leave the source's hosts."""

from urllib.parse import urljoin, urlsplit, urlunsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from w3lib.url import safe_url_string

from contentbot.discovery.links import meta_refresh
from contentbot.equipment import Equipment
from contentbot.frontier import MAX_HOPS, Frontier, LeftOut
from contentbot.middlewares.cache import FROM_CACHE, VALIDATED, WITHOUT_BODY
from contentbot.runs import Visit
from contentbot.sources.scope import Scope

# what was asked of one address means nothing at the next: a 304 there would be an answer about another page
_CONDITIONS = ("If-None-Match", "If-Modified-Since")
# what holds for one address of a visit only
_NOT_CARRIED = frozenset({"retry_times", "download_slot", "download_latency", FROM_CACHE, WITHOUT_BODY})

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Refused(IgnoreRequest):
    """A visit that ends without a page; `reason` is a countable word."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class RedirectMiddleware:
    """Follows redirects: those of a page by the frontier's rules, those of a sitemap within the source's hosts.

    A request for robots.txt may be led anywhere, as RFC 9309 section 2.3.1.2 wants it.
    """

    def __init__(self, frontier: Frontier, scope: Scope) -> None:
        self._frontier, self._scope = frontier, scope

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RedirectMiddleware":
        """Take the rules of the spider's source."""
        equipment = Equipment.of(crawler)
        return cls(equipment.frontier, equipment.scope)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the request one hop on, or the response when it is no redirect; raises `Refused`."""
        visit: Visit | None = request.meta.get("visit")
        target = _location(response) or (_refresh(response) if visit and _may_refresh(visit, response) else "")
        if not target:
            return response
        if visit is None:
            return self._plain_hop(request, target)
        try:
            moved = self._frontier.redirect(visit, target)
        except LeftOut as end:
            raise Refused(end.reason, end.detail) from end
        return _hop(request, target, visit=moved)

    def _plain_hop(self, request: Request, target: str) -> Request:
        url, hops = urljoin(request.url, target), request.meta.get("hops", 0) + 1
        if hops > MAX_HOPS:
            raise Refused("too_many_redirects", url)
        if urlsplit(url).scheme not in {"http", "https"}:
            raise Refused("bad_redirect", url)
        same_host = urlsplit(url).hostname == urlsplit(request.url).hostname
        if not (same_host or self._scope.on_site(url) or request.meta.get("robots_txt")):
            raise Refused("off_site", url)
        return _hop(request, target, hops=hops)


def _may_refresh(visit: Visit, response: Response) -> bool:
    """Say whether the body has to be read: not where the same bytes ended a visit before."""
    return visit.included and not (visit.resumed and VALIDATED in response.flags)


def _hop(request: Request, target: str, **meta: object) -> Request:
    # the address as the server wrote it: the cleaned one is the key of the page, but may lead back here
    carried = {key: value for key, value in request.meta.items() if key not in _NOT_CARRIED}
    url = _without_credentials(urljoin(request.url, target))
    hop = request.replace(url=url, meta={**carried, **meta}, dont_filter=True, priority=request.priority + 1)
    for condition in _CONDITIONS:
        hop.headers.pop(condition, None)
    return hop


def _location(response: Response) -> str:
    """Return the redirect's target as ASCII; empty when the response is none."""
    raw = response.headers.get(b"Location") if response.status in REDIRECTS else None
    return safe_url_string(raw.strip()) if raw else ""


def _refresh(response: Response) -> str:
    """Return where the page sends its readers by itself; empty when it stays."""
    if response.status != 200:
        return ""
    content_type = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
    target = meta_refresh(response.body, response.url, content_type)
    return safe_url_string(target) if target else ""


def _without_credentials(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))
