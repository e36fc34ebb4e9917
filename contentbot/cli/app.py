"""Puts the subcommands together, and turns every error into one line."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from contentbot import __version__
from contentbot.cli import (
    crawl,
    demo,
    export,
    extracting,
    flush,
    init,
    keys,
    prune,
    reindex,
    schedule,
    search,
    sources,
    status,
    summarize,
    trying,
    why,
)
from contentbot.cli.console import complain
from contentbot.errors import ConfigError, ContentBotError

FAILED, MISCONFIGURED, INTERRUPTED = 1, 2, 130


@dataclass
class Options:
    """What holds for every subcommand."""

    debug: bool = False


app = typer.Typer(
    name="contentbot",
    help="Crawl the sources declared in YAML into a search index, and look into it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("crawl")(crawl.crawl)
app.command("search")(search.search)
app.add_typer(sources.app, name="sources")
app.command("try")(trying.try_page)
app.command("extract")(extracting.extract)
app.command("init")(init.init)
app.command("why")(why.why)
app.command("summarize")(summarize.summarize)
app.command("export")(export.export)
app.command("flush")(flush.flush)
app.command("reindex")(reindex.reindex)
app.command("keys")(keys.keys)
app.command("status")(status.status)
app.command("prune")(prune.prune)
app.command("schedule")(schedule.schedule)
app.command("demo")(demo.demo)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"contentbot {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[  # noqa: ARG001 - the callback answers it
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    context.obj.debug = debug


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the program's own; returns the exit code."""
    options = Options()
    try:
        app(arguments, obj=options, prog_name="contentbot")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else FAILED
    except BrokenPipeError:
        # whoever read stdout, such as `head`, has enough; keep the interpreter from flushing into nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except ContentBotError as error:
        if options.debug:
            raise
        complain(str(error))
        return MISCONFIGURED if isinstance(error, ConfigError) else FAILED
    return 0


def main() -> None:
    """Run the command and leave with its exit code."""
    sys.exit(run())
