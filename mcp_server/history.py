"""Which sources were crawled to the end, as the crawler's history of runs has it."""

import logging
from collections.abc import Callable, Mapping

from contentbot.errors import ContentBotError

logger = logging.getLogger(__name__)

FinishedRuns = Callable[[], Mapping[str, str] | None]
"""The sources that have finished a run, each with the identity of the index that its newest one wrote to, which may be
empty; None where no history is kept here."""


def no_history() -> None:
    """Say that no history is kept here."""


class RecordedRuns:
    """Reads the state database at every call, and writes nothing. Where it cannot be read, that is logged once.

    Searching does not need it, so that a database that is away, or is still to be migrated by the next crawl, is taken
    for one that is not there.
    """

    def __init__(self, url: str) -> None:
        self._url, self._problem = url, ""

    def __call__(self) -> Mapping[str, str] | None:
        """Return the sources that have finished a run."""
        from contentbot.state import reading_state  # noqa: PLC0415 - costs a second that only this answer needs

        try:
            with reading_state(self._url) as state:
                return state.runs.finished() if state else None
        except ContentBotError as error:
            if str(error) != self._problem:
                self._problem = str(error)
                logger.warning("Readiness goes by documents, not by runs: %s", error)
            return None
