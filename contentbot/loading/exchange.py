"""One request and its answer: streamed, counted, and stopped at the limits."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from time import time

import httpcore2
from anyio import to_thread

from contentbot.errors import NotLoaded
from contentbot.loading.decompress import ACCEPTED, inflated
from contentbot.loading.network import GuardedNetwork
from contentbot.loading.targets import Target

REDIRECTS = frozenset({301, 302, 303, 307, 308})
# seconds without a byte; the whole load has a limit of its own
_SILENCE = 10.0
_UNREADABLE = ("image/", "video/", "audio/", "font/", "application/zip", "application/pdf", "application/gzip")
# where an answer of an error is not read
_BODILESS = frozenset({204, 205, 304})


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: lower-case header names, several of a name joined by commas; the body is inflated."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def location(self) -> str:
        """Where a redirect leads; empty for any other answer."""
        return self.headers.get("location", "") if self.status in REDIRECTS else ""


class Exchange:
    """Requests of one load. Use it as an asynchronous context manager; its connections end with it.

    Cookies are not kept, no proxy is used, nothing is sent but what is given here.
    """

    def __init__(self, network: GuardedNetwork, user_agent: str) -> None:
        self._user_agent = user_agent
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls(), network_backend=network, max_connections=4, keepalive_expiry=5.0
        )

    async def __aenter__(self) -> "Exchange":
        await self._pool.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._pool.aclose()

    async def get(
        self, target: Target, max_bytes: int, *, headers: Mapping[str, str] | None = None, readable: bool = True
    ) -> Answer:
        """Ask for an address.

        Args:
            max_bytes: of the body, as it comes and inflated.
            headers: what is sent beside host, user agent and accepted codings.
            readable: stop at the headers of what cannot be text, such as a picture.

        Raises:
            NotLoaded: no answer, one that breaks the protocol, or a body over the limit.
        """
        sent = {"Host": _host(target), "User-Agent": self._user_agent, "Accept-Encoding": ACCEPTED, **(headers or {})}
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), _SILENCE)
        try:
            async with self._pool.stream(
                "GET", target.url, headers=list(sent.items()), extensions={"timeout": timeouts}
            ) as response:
                return await _read(response, max_bytes, readable)
        except httpcore2.TimeoutException as error:
            raise NotLoaded("too_slow", f"{target.host} sent nothing for {_SILENCE:g} s", retryable=True) from error
        except httpcore2.RemoteProtocolError as error:
            raise NotLoaded("broken_answer", f"{target.host}: {error}", retryable=True) from error
        except httpcore2.LocalProtocolError as error:
            raise NotLoaded("invalid_url", f"it cannot be asked for: {error}") from error
        except (httpcore2.NetworkError, OSError) as error:
            raise NotLoaded("no_answer", f"{target.host}: {_why(error)}", retryable=True) from error


async def _read(response: httpcore2.Response, max_bytes: int, readable: bool) -> Answer:
    headers = _headers(response.headers)
    if response.status in REDIRECTS or response.status in _BODILESS:
        return Answer(response.status, headers, b"")
    content_type = headers.get("content-type", "").lower()
    if readable and response.status == 200 and content_type.startswith(_UNREADABLE):
        raise NotLoaded("unsupported_media", f"{content_type[:80]} is not read")
    if headers.get("content-length", "").isdecimal() and int(headers["content-length"][:18]) > max_bytes:
        raise NotLoaded("body_too_large", f"{headers['content-length'][:18]} bytes are over {max_bytes:,}")
    body = bytearray()
    async for piece in response.aiter_stream():
        body += piece
        if len(body) > max_bytes:
            raise NotLoaded("body_too_large", f"over {max_bytes:,} bytes")
    codings = headers.get("content-encoding", "")
    if not codings:
        return Answer(response.status, headers, bytes(body))
    plain = await to_thread.run_sync(inflated, bytes(body), codings, max_bytes)
    return Answer(response.status, headers, plain)


def _headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in raw:
        # RFC 9110 section 5.5: bytes outside of ASCII are opaque; latin-1 keeps every one of them
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found and key != "location" else text
    return found


def retry_after(headers: Mapping[str, str]) -> int:
    """Return the seconds that a host asks to wait (RFC 9110, section 10.2.3); 0 where it does not."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return int(value[:9])
    try:
        return max(0, round(parsedate_to_datetime(value).timestamp() - time()))
    except (ValueError, OverflowError):
        return 0


def _host(target: Target) -> str:
    name = f"[{target.host}]" if ":" in target.host else target.host
    return name if target.port == {"http": 80, "https": 443}[target.scheme] else f"{name}:{target.port}"


def _why(error: BaseException) -> str:
    """Return what a failed connection says of itself, certificate or refusal."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)[:200] or type(error).__name__


@cache
def _tls() -> ssl.SSLContext:
    # of the system's own certificates: reading them takes longer than a page
    return ssl.create_default_context()
