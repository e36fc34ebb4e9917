"""`python -m mcp_server`: serve the index or the extraction over stdio, or both over HTTP with `--http`."""

import argparse
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from socket import socket
from types import FrameType
from typing import Any, get_args

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer

from contentbot.articles.configured import configured_service
from contentbot.config import get_settings, log_format
from contentbot.errors import ConfigError, ContentBotError
from contentbot.index import Index, open_index
from contentbot.logs import formatter_for
from mcp_server import stdio
from mcp_server.app import CONTENT_PATH, EXTRACT_PATH, build_app
from mcp_server.configured import ConfiguredSources, ListedSources
from mcp_server.explaining import CrawlRecords
from mcp_server.history import FinishedRuns, RecordedRuns
from mcp_server.keycheck import check_key
from mcp_server.server import build_extraction_server, build_server
from mcp_server.settings import ServerSettings, Toolset, server_settings

logger = logging.getLogger("mcp_server")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client leaves or a signal comes; returns the exit code."""
    # stdout belongs to the protocol
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter_for(log_format()))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        settings = server_settings(**_given(options))
        logging.root.setLevel(settings.log_level)
        config = get_settings()
        if not options.http and _of_stdio(options.toolsets) == "extraction":
            with configured_service(config) as service:
                return _serve_stdio(build_extraction_server(service))
        index_url = options.index or config.index_url
        check_key(index_url, allow_write=settings.allow_write_key)
        with open_index(index_url, read_only=True) as index, ExitStack() as stack:
            listed = ConfiguredSources(config.sources_dir)
            records = CrawlRecords(listed.declared, config.state_url, config.data_dir / "outbox.db")
            content = build_server(index, listed=listed, records=records)
            if not options.http:
                return _serve_stdio(content)
            servers = {CONTENT_PATH: content} if "content" in settings.toolsets else {}
            if "extraction" in settings.toolsets:
                servers[EXTRACT_PATH] = build_extraction_server(stack.enter_context(configured_service(config)))
            return _serve_http(servers, index, listed, RecordedRuns(config.state_url), settings)
    except ContentBotError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


def _of_stdio(toolsets: Sequence[str] | None) -> str:
    """Return the one toolset that is served over stdio; raises `ConfigError` for several."""
    if toolsets and len(set(toolsets)) > 1:
        raise ConfigError("stdio serves one toolset", hint="give --toolset once, or serve several with --http")
    return toolsets[0] if toolsets else "content"


def _serve_stdio(server: MCPServer[None]) -> int:
    def leave(_number: int, _frame: FrameType | None) -> None:
        # a thread waits in a read of stdin that nothing can cancel; the index is open for reading only
        os._exit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    anyio.run(stdio.serve, server)
    return 0


def _serve_http(
    servers: Mapping[str, MCPServer[None]],
    index: Index,
    listed: ListedSources,
    finished: FinishedRuns,
    settings: ServerSettings,
) -> int:
    app = build_app(servers, index, settings=settings, listed=listed, finished=finished)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
    # uvicorn raises the signal again once it has shut down; by then all is done
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)
    _Server(config, tuple(servers)).run()
    return 0


class _Server(uvicorn.Server):
    """uvicorn, with a line in the log for each endpoint once it can be reached: what to point a client at."""

    def __init__(self, config: uvicorn.Config, paths: Sequence[str]) -> None:
        super().__init__(config)
        self._paths = paths

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers if self.started else ():
            for listening in server.sockets:
                host, port = listening.getsockname()[:2]
                for path in self._paths:
                    logger.info("MCP endpoint: http://%s:%d%s", f"[{host}]" if ":" in host else host, port, path)


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given as options; the others come from the environment."""
    return {name: value for name in ServerSettings.model_fields if (value := getattr(options, name, None)) is not None}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m mcp_server", description="Serve the index to agents over MCP.")
    add = parser.add_argument
    add("--http", action="store_true", help="serve streamable HTTP at /mcp and /extract instead of stdio")
    add(
        "--toolset",
        dest="toolsets",
        action="append",
        choices=get_args(Toolset),
        help="what to serve: over stdio one of them (default content), over HTTP any (default all)",
    )
    add("--host", help="address to listen on (default 127.0.0.1)")
    add("--port", type=int, help="port to listen on (default 8000; 0 lets the system choose)")
    add(
        "--allowed-host", dest="allowed_hosts", action="append", metavar="NAME", help="name clients reach the server by"
    )
    add(
        "--allowed-origin",
        dest="allowed_origins",
        action="append",
        metavar="ORIGIN",
        help="origin whose pages may call",
    )
    add("--index", metavar="URL", help="index to serve, such as tantivy:data/index (default CONTENTBOT_INDEX_URL)")
    add(
        "--allow-write-key",
        action="store_true",
        default=None,
        help="serve even with an index key that may write",
    )
    add("--log-level", choices=["DEBUG", "INFO", "WARNING", "ERROR"], help="what goes to stderr (default INFO)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
