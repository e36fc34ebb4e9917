"""The ASGI application: the MCP endpoint, health, and who may call them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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

PATH = "/mcp"
_EXPOSED = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate"]


def build_app(
    server: MCPServer[None],
    index: Index,
    *,
    settings: ServerSettings | None = None,
    listed: ListedSources = dict,
    finished: FinishedRuns = no_history,
) -> Starlette:
    """Create the application that serves one MCP server at `/mcp`."""
    settings = settings or ServerSettings()
    endpoint = Endpoint(server, max_body_bytes=settings.max_body_bytes)
    guarded = HostGuard(endpoint, hosts=settings.allowed_hosts, origins=settings.allowed_origins)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.run():
            yield

    app = Starlette(
        # both spellings are routes of their own: clients lose the body of a POST on a redirect
        routes=[Route(PATH, guarded), Route(f"{PATH}/", guarded), *health_routes(index, listed, finished)],
        middleware=[Middleware(Cors, settings=settings)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


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
