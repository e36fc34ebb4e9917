"""From a source and the arguments of a run to Scrapy's settings."""

import logging
from collections.abc import Mapping
from typing import Any

from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.sources.overrides import overridden

# what Scrapy says about its own start and end, at a level where our lines would drown in it
_CHATTY = ("scrapy.core.engine", "scrapy.crawler", "scrapy.middleware", "scrapy.utils.log", "scrapy.addons")

_COPY_HANDLER = "contentbot.middlewares.copy.CopyDownloadHandler"


def arranged(source: WebsiteSource, arguments: Mapping[str, Any]) -> tuple[WebsiteSource, SiteCopy | None]:
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


def scrapy_settings(source: WebsiteSource, copy: SiteCopy | None) -> dict[str, Any]:
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


def quieten_scrapy(level: str) -> None:
    """Show Scrapy's own announcements from WARNING on, unless the level is DEBUG; called once logging is set up."""
    if level != "DEBUG":
        for name in _CHATTY:
            logging.getLogger(name).setLevel(logging.WARNING)
