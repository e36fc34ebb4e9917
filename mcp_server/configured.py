"""The sources that are set up, whether or not they were crawled."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from contentbot.errors import ContentBotError
from contentbot.sources.loader import load_sources
from contentbot.sources.models import Source

logger = logging.getLogger(__name__)

ListedSources = Callable[[], Mapping[str, str]]
"""The sources that are set up: id to title, read anew at every call."""


class ConfiguredSources:
    """The enabled sources of a folder, read at every call. One that cannot be read lists none and is logged once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._problem = folder, ""

    def __call__(self) -> Mapping[str, str]:
        """Return the title of every enabled source, by id."""
        return {name: source.title for name, source in self.declared().items() if source.enabled}

    def declared(self) -> Mapping[str, Source]:
        """Return every declared source by id, disabled ones too."""
        try:
            return load_sources(self._folder)
        except ContentBotError as error:
            if str(error) != self._problem:
                self._problem = str(error)
                logger.warning("The source files cannot be read; only indexed sources are known. %s", error)
            return {}
