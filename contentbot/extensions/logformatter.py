"""Log lines that name a page, not its content."""

import logging
from typing import Any

from scrapy import Spider
from scrapy.http import Response
from scrapy.logformatter import LogFormatter, LogFormatterResult
from twisted.python.failure import Failure


class ShortLogFormatter(LogFormatter):
    """Scrapy's lines without the items in them: ours are whole pages. A dropped one is in the run record already."""

    def scraped(self, item: Any, response: Response | Failure | None, spider: Spider) -> LogFormatterResult:  # noqa: ARG002
        """Say at level DEBUG that a document was made."""
        return {"level": logging.DEBUG, "msg": "Indexed %(url)s", "args": {"url": _url(item)}}

    def dropped(
        self,
        item: Any,
        exception: BaseException,
        response: Response | Failure | None,  # noqa: ARG002 - Scrapy's signature
        spider: Spider,  # noqa: ARG002 - Scrapy's signature
    ) -> LogFormatterResult:
        """Say at level DEBUG why an item ended."""
        return {
            "level": logging.DEBUG,
            "msg": "Skipped %(why)s",
            "args": {"why": exception, "url": _url(item), "reason": _reason(exception)},
        }

    def item_error(
        self,
        item: Any,
        exception: BaseException,  # noqa: ARG002 - Scrapy logs its traceback
        response: Response | Failure | None,  # noqa: ARG002 - Scrapy's signature
        spider: Spider,  # noqa: ARG002 - Scrapy's signature
    ) -> LogFormatterResult:
        """Say at level ERROR that a page met a fault of ours; the traceback follows."""
        return {"level": logging.ERROR, "msg": "A fault of contentbot cost %(url)s", "args": {"url": _url(item)}}


def _reason(exception: BaseException) -> str:
    """Return the countable word of an item's end; the error that carries it is the cause of Scrapy's."""
    return str(getattr(exception.__cause__, "reason", ""))


def _url(item: Any) -> str:
    return str(getattr(item, "url", item.__class__.__name__))
