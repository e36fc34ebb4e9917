"""Scrapy spiders: they discover and fetch."""
