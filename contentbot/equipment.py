"""What the parts of one crawl share: the spider carries it, the others take it from there."""

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime

from scrapy.crawler import Crawler

from contentbot.frontier import Frontier
from contentbot.repetition import Repetition
from contentbot.runs import Tally
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import Source
from contentbot.sources.scope import Scope
from contentbot.state import PageState, PageStatus, State
from contentbot.state.memory import Memory


@dataclass(frozen=True, slots=True)
class Equipment:
    """The source as this run has it, its address rules, what is counted and known, and where it is crawled."""

    source: Source
    scope: Scope
    frontier: Frontier
    tally: Tally
    state: State
    memory: Memory
    started: datetime
    # the locks and the database connection, given back when the spider is closed
    resources: ExitStack
    repetition: Repetition
    copy: SiteCopy | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> "Equipment":
        """Return the equipment of the crawl's spider."""
        equipment = getattr(crawler.spider, "equipment", None)
        if not isinstance(equipment, cls):
            raise TypeError(f"{crawler.spider!r} is no spider of a source")
        return equipment

    def leave(
        self, url: str, reason: str, detail: str = "", *, final_url: str = "", status: int = 0, lastmod: str = ""
    ) -> None:
        """Count a page that was asked for and gives no document, and remember why."""
        self.tally.skip(url, reason, detail)
        self.memory.left_out(
            PageState(
                self.source.id,
                url,
                PageStatus.FAILED,
                reason=reason,
                detail=detail,
                final_url=final_url,
                http_status=status,
                lastmod=lastmod,
            )
        )

    def refuse(self, page: PageState, reason: str, detail: str) -> None:
        """Count a page whose document the rules of the source refuse, and remember why."""
        self.tally.skip(page.url, reason, detail)
        self.memory.refused(page, reason, detail)
