"""Where the log of a crawl goes."""

import logging

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler

from contentbot.cli.console import err
from contentbot.config import log_format
from contentbot.logs import formatter_for


def log_to_stderr(*, verbose: bool, debug: bool) -> None:
    """Send log lines to stderr, above the progress display where there is one."""
    handler: logging.Handler
    kind = log_format()
    if err.is_terminal and kind == "text":
        handler = RichHandler(console=err, show_path=False, markup=False, highlighter=NullHighlighter())
        handler.setFormatter(formatter_for(kind, "%(run)s%(message)s"))
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(formatter_for(kind))
    level = logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING
    handler.setLevel(level)  # also here: Scrapy opens its own loggers for every level
    if not debug:
        # Scrapy's version, told before a spider can quieten it
        handler.addFilter(lambda record: record.name != "scrapy.utils.log" or record.levelno > logging.INFO)
    logging.basicConfig(level=level, handlers=[handler], force=True)
