"""One real MCP client session over stdio."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters

from contentbot.errors import ContentBotError

SECONDS = 60


@dataclass(frozen=True, slots=True)
class McpSession:
    """What a server showed: the names of its tools, and its answer to a search as data and as text."""

    tools: list[str]
    answer: Any
    text: str


def ask_over_mcp(command: Sequence[str], environment: Mapping[str, str], query: str) -> McpSession:
    """Start the server, list its tools, call `search_content`, and end it.

    Raises:
        ContentBotError: the server did not answer, or its tool failed.
    """
    try:
        return anyio.run(_ask, command, environment, query)
    except (MCPError, OSError, ExceptionGroup) as error:
        cause: BaseException = error
        while isinstance(cause, BaseExceptionGroup):  # one connection, so the groups hold one error, however deep
            cause = cause.exceptions[0]
        if not isinstance(cause, MCPError | OSError):
            raise
        raise ContentBotError(f"no answer from `{shlex.join(command)}`: {cause}") from error


async def _ask(command: Sequence[str], environment: Mapping[str, str], query: str) -> McpSession:
    server = StdioServerParameters(command=command[0], args=list(command[1:]), env={**os.environ, **environment})
    with anyio.fail_after(SECONDS):
        async with Client(server) as client:
            tools = await client.list_tools()
            result = await client.call_tool("search_content", {"query": query, "limit": 3})
    text = "\n".join(block.text for block in result.content if block.type == "text")
    if result.is_error:
        raise ContentBotError(f"search_content failed: {text}")
    return McpSession([tool.name for tool in tools.tools], result.structured_content, text)
