"""Where the log of a crawl goes."""

import logging

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler

from contentbot.cli.console import err


def log_to_stderr(*, verbose: bool, debug: bool) -> None:
    """Send log lines to stderr, above the progress display where there is one."""
    handler: logging.Handler
    if err.is_terminal:
        handler = RichHandler(console=err, show_path=False, markup=False, highlighter=NullHighlighter())
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"))
    level = logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING
    handler.setLevel(level)  # also here: Scrapy opens its own loggers for every level
    if not debug:
        # Scrapy's version, told before a spider can quieten it
        handler.addFilter(lambda record: record.name != "scrapy.utils.log" or record.levelno > logging.INFO)
    logging.basicConfig(level=level, handlers=[handler], force=True)
