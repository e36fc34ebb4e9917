"""The spider `site`: any source by its id, as in `scrapy crawl site -a source=open-elements`."""

from typing import Any

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader


class SiteSpider(Spider):
    """Stands in for the spider of the source that `-a source=` names, and becomes it."""

    name = "site"

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, source: str = "", **arguments: Any) -> Any:
        """Return the named source's own spider."""
        if not source:
            raise UsageError("which source? Add -a source=ID; `scrapy list` names them")
        spider_class = get_spider_loader(crawler.settings).load(source)
        return spider_class.from_crawler(crawler, **arguments)
