"""Spider classes made from source files, so that everything that runs Scrapy spiders runs ours by the source's id."""

import builtins
from collections.abc import Mapping
from pathlib import Path

from rapidfuzz import process
from scrapy import Request, Spider
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from contentbot.errors import ConfigError
from contentbot.sources.loader import load_sources
from contentbot.sources.models import Source
from contentbot.sources.scope import Scope
from contentbot.spiders.feed import FeedSpider
from contentbot.spiders.site import SiteSpider
from contentbot.spiders.source import SourceSpider
from contentbot.spiders.website import WebsiteSpider

# which spider crawls a source of which type
SPIDERS: dict[str, type[SourceSpider]] = {"website": WebsiteSpider, "feed": FeedSpider}


class UnknownSource(UsageError, KeyError):
    """No source file has this id. A KeyError too, as Scrapy's loaders promise."""

    def __str__(self) -> str:
        return str(self.args[0])


class SourceSpiderLoader:
    """Makes one spider class per source file.

    `list` names the enabled sources, so that a loop over `scrapy list` crawls what is meant to be crawled; `load` takes
    a disabled one too, and `site`. A broken folder is reported when a spider is asked for, before any request.

    Args:
        folder: where the source files are.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: Mapping[str, Source] | None = None

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> "SourceSpiderLoader":
        """Take CONTENTBOT_SOURCES_DIR."""
        return cls(Path(settings["CONTENTBOT_SOURCES_DIR"]))

    def load(self, spider_name: str) -> type[Spider]:
        """Return the spider class of a source; raises `UnknownSource`, or `UsageError` for a broken folder."""
        if spider_name == SiteSpider.name:
            return SiteSpider
        sources = self._read()
        if spider_name not in sources:
            raise UnknownSource(_unknown(spider_name, sources, self._folder))
        return spider_for(sources[spider_name])

    def list(self) -> builtins.list[str]:
        """Return the ids of the enabled sources."""
        return [name for name, source in self._read().items() if source.enabled]

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Return the sources whose site the request's address is on."""
        return [name for name, source in self._read().items() if Scope(source).owns(request.url)]

    def _read(self) -> Mapping[str, Source]:
        if self._sources is None:
            try:
                sources = load_sources(self._folder)
            except ConfigError as error:
                raise UsageError(str(error), print_help=False) from error
            if SiteSpider.name in sources:
                raise UsageError(f"a source cannot be called {SiteSpider.name!r}: that spider takes any source")
            self._sources = sources
        return self._sources


def spider_for(source: Source) -> type[SourceSpider]:
    """Return a spider class of the source's own."""
    parent = SPIDERS[source.type]
    name = "".join(part.title() for part in source.id.split("-")) + parent.__name__
    return type(name, (parent,), {"name": source.id, "declared": source, "__module__": __name__})


def _unknown(name: str, sources: Mapping[str, Source], folder: Path) -> str:
    near = process.extractOne(name, list(sources), score_cutoff=60)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sources) or 'none'}"
    return f"no source {name!r} in {folder}; {hint}"
