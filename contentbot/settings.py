"""Scrapy settings of the project; our own names start with CONTENTBOT_."""
