"""The service for callers that do not wait: plain functions, whatever event loop they are called beside."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from contentbot.articles.configured import configured_service
from contentbot.articles.items import Item
from contentbot.articles.model import ExtractionOutput
from contentbot.articles.service import ArticleService

_LONGEST_RUN = 3600.0


class _Running:
    """The service of this process, in a thread with a loop of its own; started by the first call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._service: ArticleService | None = None

    def get(self) -> tuple[BlockingPortal, ArticleService]:
        with self._lock:
            if self._portal is None or self._service is None:
                self._portal = self._stack.enter_context(start_blocking_portal())
                self._service = self._stack.enter_context(configured_service())
                # before the interpreter joins its threads: the loop's is one
                threading._register_atexit(self.close)  # type: ignore[attr-defined]
            return self._portal, self._service

    def close(self) -> None:
        self._stack.close()


_running = _Running()


def extract_url(url: str, language_hint: str = "") -> ExtractionOutput:
    """Load a page and extract its article.

    The worker processes start with the first call and end with the program. A script that calls this has to be a file,
    and to do so below `if __name__ == "__main__":`.

    Args:
        url: http or https, on the public internet.
        language_hint: a BCP 47 tag; this version is asked for where there are several.
    """
    portal, service = _running.get()
    return portal.call(service.extract_url, url, language_hint)


def extract_item(item: Item | Mapping[str, Any], language_hint: str = "") -> ExtractionOutput:
    """Extract the article of a feed item: its inline content where that is whole, else its page."""
    portal, service = _running.get()
    output: ExtractionOutput = portal.call(service.extract_item, item, language_hint)
    return output


def extract_many(urls: Sequence[str], language_hint: str = "") -> list[ExtractionOutput]:
    """Extract the articles of several addresses, in their order."""
    portal, service = _running.get()
    work = partial(service.extract_many, urls, language_hint, seconds=_LONGEST_RUN)
    return portal.call(work)
