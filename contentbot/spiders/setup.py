"""From a source and the arguments of a run to Scrapy's settings."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scrapy.crawler import Crawler

from contentbot.config import state_file
from contentbot.equipment import Equipment
from contentbot.errors import ContentBotError
from contentbot.extract.rules import ExtractRules
from contentbot.frontier import Frontier
from contentbot.logs import enter_run
from contentbot.repetition import Repetition
from contentbot.runs import Tally
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import FeedSource, Source
from contentbot.sources.overrides import overridden
from contentbot.sources.scope import Scope, hosts_spoken_to
from contentbot.state import open_state
from contentbot.state.locks import lock_all
from contentbot.state.memory import Memory
from contentbot.state.runs import run_id

# what Scrapy says about its own start and end, at a level where our lines would drown in it
_CHATTY = ("scrapy.core.engine", "scrapy.crawler", "scrapy.middleware", "scrapy.utils.log", "scrapy.addons")

_COPY_HANDLER = "contentbot.middlewares.copy.CopyDownloadHandler"


def arranged(source: Source, arguments: Mapping[str, Any]) -> tuple[Source, SiteCopy | None]:
    """Return the source as this run has it, and the copy that is crawled in its place.

    `base_url` names the copy's origin; every other argument changes the key of its name. What starts with an
    underscore is the scheduler's (scrapyd passes `_job`).

    Raises:
        ConfigError: names the argument, and the nearest right one.
    """
    changes = {name: str(value) for name, value in arguments.items() if not name.startswith("_")}
    copy = changes.pop("base_url", changes.pop("base-url", ""))
    changed = overridden(source, changes)
    return changed, SiteCopy(changed.base_url, copy) if copy else None


def scrapy_settings(source: Source, copy: SiteCopy | None) -> dict[str, Any]:
    """Return what the source asks of Scrapy. The rate limit is a floor under AutoThrottle; 0 takes both away."""
    delay = 1 / source.rate_limit if source.rate_limit else 0
    settings: dict[str, Any] = {
        "USER_AGENT": source.user_agent,
        "DOWNLOAD_DELAY": delay,
        "AUTOTHROTTLE_ENABLED": delay > 0,
        "AUTOTHROTTLE_START_DELAY": delay,
        "DOWNLOAD_TIMEOUT": source.request_timeout,
        "DOWNLOAD_MAXSIZE": source.max_body_bytes,
        "DOWNLOAD_WARNSIZE": 0,
    }
    if copy:
        settings["DOWNLOAD_HANDLERS"] = {"http": _COPY_HANDLER, "https": _COPY_HANDLER}
    return settings


def equipped(crawler: Crawler, source: Source, copy: SiteCopy | None) -> Equipment:
    """Open what one crawl works with; it is closed with the spider.

    Raises:
        StateUnavailable: the state database gives no answer.
        AlreadyRunning: another process crawls this source or its host.
    """
    settings = crawler.settings
    started = datetime.now(UTC)
    data_dir = Path(settings["CONTENTBOT_DATA_DIR"])
    names = [source.id, *hosts_spoken_to(source, copy.origin if copy else "")]
    resources = lock_all(data_dir / "locks", names)
    try:
        state = open_state(settings["CONTENTBOT_DATABASE_URL"] or state_file(data_dir))
    except ContentBotError:
        resources.close()
        raise
    resources.callback(state.close)
    tally = Tally(lambda name, by: crawler.stats.inc_value(f"contentbot/{name}", by))
    run = run_id(source.id, started)
    enter_run(source.id, run)
    memory = Memory(
        state.pages,
        source.id,
        run,
        extraction=ExtractRules(source).fingerprint,
        now=started,
        unlisted_kept=_unlisted_kept(source),
    )
    scope = Scope(source)
    frontier, repetition = Frontier(scope, tally), Repetition(source, state.surveys)
    return Equipment(source, scope, frontier, tally, state, memory, started, resources, repetition, copy)


def _unlisted_kept(source: Source) -> timedelta | None:
    """Return how long a document stays that nothing lists any more; None for ever."""
    if not isinstance(source, FeedSource):
        return timedelta()
    return None if source.keep is None else timedelta(days=source.keep)


def quieten_scrapy(level: str) -> None:
    """Show Scrapy's own announcements from WARNING on, unless the level is DEBUG; called once logging is set up."""
    if level != "DEBUG":
        for name in _CHATTY:
            logging.getLogger(name).setLevel(logging.WARNING)
        # an extension that nobody has asked for is no warning
        logging.getLogger("scrapy.middleware").setLevel(logging.ERROR)
