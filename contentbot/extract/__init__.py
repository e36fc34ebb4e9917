"""From bytes to documents: plain functions that know neither Scrapy nor MCP."""

from contentbot.extract.extractor import Extraction, extract, extract_surveyed
from contentbot.extract.rules import ExtractRules, Limits

__all__ = ["ExtractRules", "Extraction", "Limits", "extract", "extract_surveyed"]
