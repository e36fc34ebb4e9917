"""What the parts of one crawl share: the spider carries it, the others take it from there."""

from dataclasses import dataclass

from scrapy.crawler import Crawler

from contentbot.frontier import Frontier
from contentbot.runs import Tally
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.sources.scope import Scope


@dataclass(frozen=True, slots=True)
class Equipment:
    """The source as this run has it, its address rules, where it is crawled, and what is counted."""

    source: WebsiteSource
    scope: Scope
    frontier: Frontier
    tally: Tally
    copy: SiteCopy | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> "Equipment":
        """Return the equipment of the crawl's spider."""
        equipment = getattr(crawler.spider, "equipment", None)
        if not isinstance(equipment, cls):
            raise TypeError(f"{crawler.spider!r} is no spider of a source")
        return equipment
