"""Scrapy extensions: progress and the record of a run."""
