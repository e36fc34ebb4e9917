"""Where the log of a crawl goes; in a module of its own, for Scrapy costs a second to import."""

import logging

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler

from contentbot.cli.console import err
from contentbot.spiders.setup import quieten_scrapy


def log_to_stderr(*, verbose: bool, debug: bool) -> None:
    """Send log lines to stderr, above the progress display where there is one."""
    handler: logging.Handler
    if err.is_terminal:
        handler = RichHandler(console=err, show_path=False, markup=False, highlighter=NullHighlighter())
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"))
    # on the handler: Scrapy opens the root logger for every level
    handler.setLevel(logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING)
    logging.basicConfig(handlers=[handler], force=True)
    quieten_scrapy("DEBUG" if debug else "INFO")
