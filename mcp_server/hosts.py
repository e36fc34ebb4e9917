"""Which Host and Origin headers are let in: the defence against DNS rebinding that MCP asks of HTTP servers."""

import logging
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_server.settings import PREFIX

logger = logging.getLogger(__name__)

_LOCAL = ("localhost", "127.0.0.1", "[::1]")
ANY = "*"


def host_allowed(host: str, allowed: Sequence[str]) -> bool:
    """Say whether a Host header names this server; a name without a port stands for each of its ports."""
    host = host.casefold()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    names = {one.casefold().removesuffix(":*") for one in allowed}
    return name in _LOCAL or ANY in names or (bool(host) and not names.isdisjoint({host, name}))


def origin_allowed(origin: str, hosts: Sequence[str], origins: Sequence[str]) -> bool:
    """Say whether scripts of an origin may call; no origin is no browser."""
    if not origin or ANY in origins or origin.casefold().rstrip("/") in {one.casefold().rstrip("/") for one in origins}:
        return True
    named = [host for host in hosts if host != ANY]
    return host_allowed(urlsplit(origin).netloc, named)


class HostGuard:
    """ASGI middleware that refuses foreign hosts (421) and origins (403); the log says which setting lets them in."""

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str], origins: Sequence[str]) -> None:
        self._app, self._hosts, self._origins = app, tuple(hosts), tuple(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if not host_allowed(host, self._hosts):
            await _refuse(421, "Host", host, f"{PREFIX}ALLOWED_HOSTS (--allowed-host)")(scope, receive, send)
        elif not origin_allowed(origin, self._hosts, self._origins):
            await _refuse(403, "Origin", origin, f"{PREFIX}ALLOWED_ORIGINS (--allowed-origin)")(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _refuse(status: int, header: str, value: str, setting: str) -> JSONResponse:
    message = f"{header} {value[:200]!r} is not allowed here; the operator can add it to {setting}"
    logger.warning("Refused a request (%d): %s", status, message)
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    return JSONResponse(error, status_code=status)
