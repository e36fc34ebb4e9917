"""Scrapy middlewares: what stands between the spiders and the network."""
