"""The streamable HTTP endpoint: JSON or an event stream, as the client accepts it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

_JSON, _STREAM = "application/json", "text/event-stream"

_HELLO = """\
This is an MCP endpoint (Model Context Protocol, streamable HTTP). Point an MCP client at this address:

    claude mcp add --transport http contentbot {url}
"""


def prefers_stream(accept: str, *, tells_progress: bool = False) -> bool:
    """Say whether an Accept header (RFC 9110, 12.5.1) asks for an event stream rather than JSON.

    Clients send all sorts: only one of the two, a wildcard, nothing. All of them are answered, in JSON unless an
    event stream is all they name or what they weigh higher; where progress is told, which JSON cannot carry, naming it
    is enough.
    """
    quality = {_JSON: 0.0, _STREAM: 0.0}
    for part in accept.lower().split(","):
        media, _, parameters = part.strip().partition(";")
        for one, weight in quality.items():
            if media.strip() in (one, "*/*", one.partition("/")[0] + "/*"):
                quality[one] = max(weight, _weight(parameters))
    named = tells_progress and _STREAM in accept.lower()
    return quality[_STREAM] > quality[_JSON] or (named and 0 < quality[_STREAM] == quality[_JSON])


def _weight(parameters: str) -> float:
    value = next((part.strip()[2:] for part in parameters.split(";") if part.strip().startswith("q=")), "1")
    try:
        return float(value)
    except ValueError:
        return 1.0


class Endpoint:
    """An ASGI endpoint that serves one MCP server without sessions; `run` has to be entered around its requests.

    Args:
        tells_progress: tools of the server tell how far they are: clients that can read a stream get one.
    """

    def __init__(self, server: MCPServer[None], *, max_body_bytes: int, tells_progress: bool = False) -> None:
        self._tells_progress = tells_progress
        self._json = _manager(server, max_body_bytes, json_response=True)
        self._stream = _manager(server, max_body_bytes, json_response=False)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve until the block is left."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._json.run())
            await stack.enter_async_context(self._stream.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        accept = Headers(scope=scope).get("accept", "")
        if scope["method"] != "POST":
            await _not_posted(scope, accept)(scope, receive, send)
            return
        manager = self._stream if prefers_stream(accept, tells_progress=self._tells_progress) else self._json
        await manager.handle_request(_accepting_both(scope), receive, send)


def _manager(server: MCPServer[None], max_body_bytes: int, *, json_response: bool) -> StreamableHTTPSessionManager:
    # hosts and origins are checked in front of every route, by hosts.HostGuard
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    server.streamable_http_app(
        stateless_http=True,
        json_response=json_response,
        max_request_body_size=max_body_bytes,
        transport_security=open_to_all,
    )
    return server.session_manager


def _accepting_both(scope: Scope) -> Scope:
    """Return the scope as the SDK wants it: it refuses whoever does not accept both forms."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept"]
    return {**scope, "headers": [*headers, (b"accept", f"{_JSON}, {_STREAM}".encode())]}


def _not_posted(scope: Scope, accept: str) -> Response:
    """Answer what is no call: there are no sessions to end and no stream to listen to; a person gets a hint."""
    if scope["method"] in ("GET", "HEAD") and "text/html" in accept.lower() and _STREAM not in accept.lower():
        return PlainTextResponse(_HELLO.format(url=_address(scope)))
    return Response(status_code=405, headers={"Allow": "POST"})


def _address(scope: Scope) -> str:
    host = Headers(scope=scope).get("host", "")
    return f"{scope.get('scheme', 'http')}://{host}{scope['path'].rstrip('/')}"
