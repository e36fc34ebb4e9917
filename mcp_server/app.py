"""The ASGI application: the MCP endpoints, health, and who may call them."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from contentbot.index import Index
from mcp_server.configured import ListedSources
from mcp_server.endpoint import Endpoint
from mcp_server.health import health_routes
from mcp_server.history import FinishedRuns, no_history
from mcp_server.hosts import HostGuard, origin_allowed
from mcp_server.settings import ServerSettings

CONTENT_PATH, EXTRACT_PATH = "/mcp", "/extract"
_EXPOSED = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate"]


def build_app(
    servers: Mapping[str, MCPServer[None]],
    index: Index,
    *,
    settings: ServerSettings | None = None,
    listed: ListedSources = dict,
    finished: FinishedRuns = no_history,
) -> Starlette:
    """Create the application that serves MCP servers, each at its path.

    Args:
        servers: path to server, such as `/mcp`; a path has no slash at its end.
        index: what readiness is told of.
    """
    settings = settings or ServerSettings()
    endpoints = {
        path: Endpoint(server, max_body_bytes=settings.max_body_bytes, tells_progress=path == EXTRACT_PATH)
        for path, server in servers.items()
    }

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for endpoint in endpoints.values():
                await stack.enter_async_context(endpoint.run())
            yield

    app = Starlette(
        routes=[*_endpoint_routes(endpoints, settings), *health_routes(index, listed, finished)],
        middleware=[Middleware(Cors, settings=settings)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _endpoint_routes(endpoints: Mapping[str, Endpoint], settings: ServerSettings) -> Iterator[Route]:
    for path, endpoint in endpoints.items():
        guarded = HostGuard(endpoint, hosts=settings.allowed_hosts, origins=settings.allowed_origins)
        # both spellings are routes of their own: clients lose the body of a POST on a redirect
        yield Route(path, guarded)
        yield Route(f"{path}/", guarded)


class Cors(CORSMiddleware):
    """CORS for the origins that may call anyway; scripts may read the protocol's headers."""

    def __init__(self, app: ASGIApp, *, settings: ServerSettings) -> None:
        super().__init__(
            app,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=_EXPOSED,
            max_age=600,
        )
        self._settings = settings

    def is_allowed_origin(self, origin: str) -> bool:
        """Say whether scripts of the origin may call."""
        return origin_allowed(origin, self._settings.allowed_hosts, self._settings.allowed_origins)
