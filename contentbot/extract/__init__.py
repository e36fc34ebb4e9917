"""From bytes to documents: plain functions that know neither Scrapy nor MCP."""

from contentbot.extract.extractor import extract
from contentbot.extract.rules import ExtractRules, Limits

__all__ = ["ExtractRules", "Limits", "extract"]
