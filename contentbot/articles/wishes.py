"""By whose rules a page is read: those of the declared source that it belongs to, else none."""

import logging
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from contentbot.errors import ContentBotError
from contentbot.sources.models import Source, WebsiteSource
from contentbot.sources.scope import Scope

logger = logging.getLogger(__name__)

Wishes = Callable[[str], WebsiteSource]
"""From an address to the rules that its page is read by."""

HOME = "https://page.example"
"""Where a page is taken to be that has no address."""


def without_rules(url: str = "", **keys: object) -> WebsiteSource:
    """Return a source that has no wishes but these, on the site of an address."""
    parts = urlsplit(url)
    base = f"{parts.scheme}://{parts.netloc}" if parts.netloc else HOME
    told = {"id": "no-source", "type": "website", "base-url": base, "canonical": "ignore", **keys}
    return WebsiteSource.model_validate(told)


class DeclaredWishes:
    """The rules of declared sources.

    Args:
        declared: every source, asked anew for each page.
    """

    def __init__(self, declared: Callable[[], Mapping[str, Source]]) -> None:
        self._declared = declared

    def __call__(self, url: str) -> WebsiteSource:
        """Return the rules of the first source that includes the address; the canonical address is left aside."""
        for source in self._sources().values():
            if isinstance(source, WebsiteSource) and Scope(source).decide(url).included:
                return source.model_copy(update={"canonical": "ignore"})
        return without_rules(url)

    def _sources(self) -> Mapping[str, Source]:
        try:
            return self._declared()
        except ContentBotError as error:
            # a page can be read without rules; what is wrong with the files is said where they are used
            logger.warning("pages are read without the rules of sources: %s", error)
            return {}
