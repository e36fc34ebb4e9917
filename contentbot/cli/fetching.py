"""Fetches one page as the crawler would: robots.txt first, the source's user agent, every redirect looked at."""

import zlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin
from urllib.request import HTTPRedirectHandler, Request, build_opener

from contentbot.discovery.robots import RobotsRules, rules_for_status
from contentbot.documents import Page
from contentbot.errors import ContentBotError
from contentbot.sources.models import Source
from contentbot.sources.urls import clean_url

MAX_HOPS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ROBOTS_BYTES = 500 << 10


class NotFetched(ContentBotError):
    """The page could not be fetched, or robots.txt asks not to."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page, and the addresses its redirects led over, the asked one first."""

    page: Page
    hops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    headers: Mapping[str, str]
    body: bytes


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str) -> None:
        """Leave every redirect to the caller."""


_opener = build_opener(_NoRedirects)


def fetch_page(url: str, source: Source, robots: dict[str, RobotsRules] | None = None) -> Fetched:
    """Fetch a page and follow its redirects.

    Args:
        url: where it is listed.
        source: whose user agent, timeout and limit are used.
        robots: the rules that are known already, by the address of their robots.txt; new ones are added.

    Raises:
        NotFetched: no answer, an error status, robots.txt forbids it, or the body is over the source's limit.
        ValueError: it is no web address.
    """
    hops = [clean_url(url)]
    robots = {} if robots is None else robots
    while True:
        here = hops[-1]
        _ask_robots(here, source, robots)
        answer = _get(here, source, source.max_body_bytes)
        if answer.status not in _REDIRECTS or not answer.headers.get("location"):
            break
        hops.append(clean_url(answer.headers["location"], here))
        if len(hops) > MAX_HOPS or hops[-1] in hops[:-1]:
            raise NotFetched(f"{url} redirects without end")
    if answer.status != 200:
        raise NotFetched(f"{here} answers {answer.status}")
    return Fetched(Page(url=hops[0], final_url=here, body=answer.body, headers=answer.headers), tuple(hops))


def _ask_robots(url: str, source: Source, known: dict[str, RobotsRules]) -> None:
    address = urljoin(url, "/robots.txt")
    if address not in known:
        known[address] = _robots(address, source)
    if not known[address].allows(url, source.user_agent):
        raise NotFetched(f"robots.txt asks {source.user_agent.partition('/')[0]} to stay out of {url}")


def _robots(address: str, source: Source) -> RobotsRules:
    at = address
    for _ in range(6):
        answer = _get(at, source, _ROBOTS_BYTES)
        if answer.status not in _REDIRECTS or not answer.headers.get("location"):
            return rules_for_status(answer.status, answer.body, at)
        at = clean_url(answer.headers["location"], at)
    return RobotsRules.allow_all()


def _get(url: str, source: Source, max_bytes: int) -> _Response:
    request = Request(url, headers={"User-Agent": source.user_agent, "Accept-Encoding": "gzip"})  # noqa: S310 - clean_url lets http(s) through only
    try:
        with closing(_opener.open(request, timeout=source.request_timeout)) as answer:
            return _read(answer.status, answer.headers, answer, max_bytes, url)
    except HTTPError as error:
        with closing(error):
            return _read(error.code, error.headers, error, max_bytes, url)
    except (URLError, HTTPException, OSError) as error:
        raise NotFetched(f"{url} does not answer: {getattr(error, 'reason', error)}") from error


def _read(status: int, headers: Message, body: IO[bytes], max_bytes: int, url: str) -> _Response:
    content = body.read(max_bytes + 1)
    if headers.get("Content-Encoding", "").lower() in {"gzip", "x-gzip"}:
        try:
            content = zlib.decompressobj(wbits=31).decompress(content, max_bytes + 1)
        except zlib.error as error:
            raise NotFetched(f"{url}: the compressed body is broken") from error
    if len(content) > max_bytes:
        raise NotFetched(f"{url}: the body is over {max_bytes} bytes")
    return _Response(status, {name.lower(): value for name, value in headers.items()}, content)
