"""The MCP server: it serves the index to agents and never crawls."""
