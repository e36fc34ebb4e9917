"""The extraction service: any address or feed item to a clean, structured article."""

from contentbot.articles.blocking import extract_item, extract_many, extract_url
from contentbot.articles.items import Item
from contentbot.articles.model import Article, ErrorCode, ErrorInfo, ExtractionOutput, output_schema
from contentbot.articles.service import ArticleService

__all__ = [
    "Article",
    "ArticleService",
    "ErrorCode",
    "ErrorInfo",
    "ExtractionOutput",
    "Item",
    "extract_item",
    "extract_many",
    "extract_url",
    "output_schema",
]
