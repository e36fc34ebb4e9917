"""Deletes what is gone from a source, after a run that can tell."""

import asyncio
import logging

from scrapy.crawler import Crawler

from contentbot.equipment import Equipment
from contentbot.errors import ContentBotError, EngineUnavailable, StateError
from contentbot.runs import Tally
from contentbot.shared import Writer, writing
from contentbot.state.memory import Memory, Removals

logger = logging.getLogger(__name__)

AT_LEAST = 1
"""Documents that may always be deleted: the share of a source of three would be over any limit."""


class Pruner:
    """Compares, at the end of a run, what the run met with what the index has.

    Args:
        index_url: which index, as `open_index` takes it.
        memory: what the run knows of its pages.
        tally: told what was deleted, or why nothing was.
        share: the largest part of a source's documents that may go in one run, from 0 to 1.
    """

    def __init__(self, index_url: str, memory: Memory, tally: Tally, share: float) -> None:
        self._url, self._memory, self._tally, self._share = index_url, memory, tally, share

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "Pruner":
        """Take CONTENTBOT_INDEX_URL, and the source's `prune-share`."""
        equipment, url = Equipment.of(crawler), crawler.settings["CONTENTBOT_INDEX_URL"]
        return cls(url, equipment.memory, equipment.tally, equipment.source.prune_share)

    async def prune(self, reason: str) -> None:
        """Delete what is certainly gone; a run that did not end `finished` deletes nothing."""
        try:
            if reason != "finished" or self._tally.error:
                self._memory.flush()
                return
            with writing(self._url) as writer:
                async with writer.turn:
                    await asyncio.to_thread(self._prune, writer)
        except EngineUnavailable as error:
            self._tally.fail("index_away", f"nothing was deleted, the search index gave no answer: {error}")
        except StateError as error:
            self._tally.fail("state_failed", str(error))
        except Exception as error:  # whatever it is: the run is recorded, and its locks are given back
            logger.critical("pruning failed", exc_info=None if isinstance(error, ContentBotError) else error)
            self._tally.fail("prune_failed", str(error) or repr(error))

    def _prune(self, writer: Writer) -> None:
        indexed = writer.index.keys(self._memory.source)
        complete = self._tally.discovery_complete and bool(self._tally.counts["included"])
        removals = self._memory.removals(indexed, complete=complete)
        self._tally.documents = len(indexed)
        if self._is_too_much(removals, len(indexed)):
            return
        if removals.keys:
            self._memory.doubt([page.url for page in removals.pages if page.document_key in removals.keys])
            writer.index.delete(removals.keys)
            self._tally.count("deleted", len(removals.keys))
            self._tally.documents -= len(removals.keys)
        self._memory.removed(removals)

    def _is_too_much(self, removals: Removals, documents: int) -> bool:
        gone = len(removals.keys)
        if gone <= max(AT_LEAST, self._share * documents):
            return False
        self._tally.fail(
            "prune_refused",
            f"{gone} of {documents} documents would be deleted, more than {self._share:.0%}: if that is right, "
            "run again with -a prune_share=1 (scrapy) or --prune-share 1 (contentbot)",
        )
        return True
