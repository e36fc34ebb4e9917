"""Feeds: what stands at an address, read as items; plain functions that know neither Scrapy nor the network."""

from contentbot.feeds.reading import Feed, read_feed
from contentbot.feeds.whole import is_read_inline, is_whole

__all__ = ["Feed", "is_read_inline", "is_whole", "read_feed"]
