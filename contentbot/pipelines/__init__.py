"""Scrapy item pipelines: extract, validate, index."""
