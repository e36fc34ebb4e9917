"""What a user pastes to connect an agent to this index."""

import json
import shlex
import sys
from collections.abc import Mapping


def client_config(environment: Mapping[str, str]) -> str:
    """Return the `mcpServers` JSON that most MCP clients read."""
    server = {"command": sys.executable, "args": ["-m", "mcp_server"], "env": dict(environment)}
    return json.dumps({"mcpServers": {"contentbot": server}}, indent=2)


def claude_command(environment: Mapping[str, str]) -> str:
    """Return the command that connects Claude Code."""
    variables = [part for name, value in environment.items() for part in ("--env", f"{name}={value}")]
    return shlex.join(["claude", "mcp", "add", "contentbot", *variables, "--", sys.executable, "-m", "mcp_server"])
