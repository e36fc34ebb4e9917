"""Keeps what the source's `rules:` ask for; what they refuse is counted by its reason, and named."""

from dataclasses import replace

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.equipment import Equipment
from contentbot.filtering import keeps_until, refusal
from contentbot.pipelines.item import Extracted


class RulesPipeline:
    """Applies the rules of the source to documents in their normal form."""

    def __init__(self, equipment: Equipment) -> None:
        self._equipment, self._rules = equipment, equipment.source.rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RulesPipeline":
        """Take the spider's equipment."""
        return cls(Equipment.of(crawler))

    def process_item(self, item: Extracted) -> Extracted:
        """Return the document, with the time until which it is kept; raises `DropItem` when a rule refuses it."""
        if refused := refusal(item.document, self._rules, self._equipment.started):
            self._equipment.refuse(item.page, refused.reason, str(refused))
            raise DropItem(f"{item.url}: {refused}")
        ends = [end for end in (item.page.expires, keeps_until(item.document, self._rules)) if end is not None]
        return replace(item, page=replace(item.page, expires=min(ends, default=None)))
