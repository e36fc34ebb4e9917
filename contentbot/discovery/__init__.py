"""Finding pages: sitemaps, robots.txt, links. Pure functions over bytes that know neither Scrapy nor MCP."""
