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
    def from_crawler(cls, crawler: Crawler, *_: Any, **arguments: Any) -> Any:
        """Return the named source's own spider; raises `UsageError` when none is named."""
        spider_class = get_spider_loader(crawler.settings).load(named_source(arguments))
        return spider_class.from_crawler(crawler, **arguments)


def named_source(arguments: dict[str, Any]) -> str:
    """Take the source's id out of the arguments."""
    source = arguments.pop("source", "")
    if not source:
        raise UsageError("which source? Add -a source=ID; `scrapy list` names them", print_help=False)
    return str(source)
