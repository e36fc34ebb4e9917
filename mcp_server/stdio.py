"""The stdio transport, ending in order: a client that closes its end still gets every answer it has asked for.

The SDK drops running calls when its input ends, so `printf '…' | python -m mcp_server` would answer only in part.
"""

from types import TracebackType
from typing import Any, Self

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

_PATIENCE = 30.0
"""Seconds that calls may go on after the input has ended; one that the client has cancelled is never answered."""


async def serve(server: MCPServer[None]) -> None:
    """Serve on stdin and stdout until the input ends and its calls are answered."""
    calls = _Calls()
    lowlevel = server._lowlevel_server
    async with stdio_server() as (read, write):
        await lowlevel.run(_Reading(read, calls), _Writing(write, calls), lowlevel.create_initialization_options())


class _Calls:
    """The ids of the requests that are not answered yet."""

    def __init__(self) -> None:
        self._open: set[str | int] = set()
        self._answered = anyio.Event()

    def asked(self, item: SessionMessage | Exception) -> None:
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCRequest):
            self._open.add(item.message.id)

    def answered(self, item: SessionMessage) -> None:
        if isinstance(item.message, JSONRPCResponse | JSONRPCError) and item.message.id is not None:
            self._open.discard(item.message.id)
            self._answered.set()

    async def finished(self) -> None:
        with anyio.move_on_after(_PATIENCE):
            while self._open:
                self._answered = anyio.Event()
                await self._answered.wait()


class _Stream:
    """What both directions hand on unchanged."""

    def __init__(self, stream: Any, calls: _Calls) -> None:
        self._stream, self._calls = stream, calls

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        closed: bool | None = await self._stream.__aexit__(kind, error, trace)
        return closed


class _Reading(_Stream):
    """The input; its end is told only once every call is answered."""

    _stream: ReadStream[SessionMessage | Exception]

    async def receive(self) -> SessionMessage | Exception:
        try:
            item = await self._stream.receive()
        except anyio.EndOfStream:
            await self._calls.finished()
            raise
        self._calls.asked(item)
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class _Writing(_Stream):
    """The output; what passes counts as answered."""

    _stream: WriteStream[SessionMessage]

    async def send(self, item: SessionMessage, /) -> None:
        await self._stream.send(item)
        self._calls.answered(item)
