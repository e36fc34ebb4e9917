"""`scrapy crawl`, which checks what was asked for before anything starts."""

import argparse
import logging
from collections.abc import Callable
from typing import Any

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader

from contentbot.errors import ConfigError, ContentBotError
from contentbot.logs import JsonFormatter
from contentbot.runs import RunRecord
from contentbot.runs.signals import run_finished
from contentbot.spiders.setup import arranged
from contentbot.spiders.site import SiteSpider, named_source

logger = logging.getLogger(__name__)


class Command(CrawlCommand):
    """Scrapy's command, with errors that say what to do, and an exit status that says how the run ended."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Take Scrapy's options, and set up logging where it is another one than Scrapy's."""
        super().process_options(args, opts)
        settings = self.settings
        if settings and settings["CONTENTBOT_LOG_FORMAT"] == "json" and settings.getbool("LOG_ENABLED"):
            file, mode = settings["LOG_FILE"], "a" if settings.getbool("LOG_FILE_APPEND") else "w"
            handler = logging.FileHandler(file, mode, encoding="utf-8") if file else logging.StreamHandler()
            handler.setFormatter(JsonFormatter())
            handler.setLevel(settings["LOG_LEVEL"])
            logging.basicConfig(level=logging.NOTSET, handlers=[handler], force=True)
            settings.set("LOG_INSTALL_ROOT_HANDLER", False, priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl one source; exits with 1 when the run did not come to its end, with 2 when it could not begin."""
        if len(args) != 1:
            raise UsageError("one source at a time; `contentbot crawl` takes several", print_help=not args)
        self._check(args[0], dict(opts.spargs))
        process: Any = self.crawler_process
        crawler, records = process.create_crawler(args[0]), list[RunRecord]()
        keep = _appending_to(records)
        crawler.signals.connect(keep, signal=run_finished)
        process.crawl(crawler, **opts.spargs).add_done_callback(_report)
        process.start()
        self.exitcode = 0 if records and records[0].succeeded else 1

    def _check(self, name: str, arguments: dict[str, Any]) -> None:
        loader = get_spider_loader(self.settings)  # type: ignore[arg-type]  # Scrapy sets it before it runs a command
        source = named_source(arguments) if name == SiteSpider.name else name
        try:
            arranged(loader.load(source).declared, arguments)  # type: ignore[attr-defined]  # the loader makes no other
        except ConfigError as error:
            raise UsageError(str(error), print_help=False) from error


def _report(task: Any) -> None:
    """Say in a line why a crawl could not begin; any other error keeps its traceback."""
    if not task.cancelled() and isinstance(error := task.exception(), ContentBotError):
        logger.critical("%s", error)
    elif not task.cancelled() and error:
        logger.critical("the crawl could not begin", exc_info=error)


def _appending_to(records: list[RunRecord]) -> Callable[..., None]:
    def append(record: RunRecord) -> None:
        records.append(record)

    return append
