"""From bytes to documents: plain functions that know neither Scrapy nor MCP."""
