"""A content pipeline for AI agents: sources in YAML, crawled by Scrapy, indexed, served over MCP."""

__version__ = "0.1.0"
