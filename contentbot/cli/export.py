"""`contentbot export --source ID`."""

import sys
from typing import Annotated

import typer

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, note
from contentbot.cli.shared import declared_sources, reading
from contentbot.errors import NotFound


def export(
    source: Annotated[str, typer.Option(help="Whose documents.")],
    as_json: AsJson = False,  # noqa: ARG001 - every subcommand takes it; here the answer is JSON anyway
) -> None:
    """Write a source's documents as JSON lines."""
    with reading() as index:
        try:
            name = index.require("source", source, principal=PUBLIC)
        except NotFound:
            if source not in declared_sources():
                raise
            note(f"{source} has no documents yet: run `contentbot crawl {source}`")
            return
        for document in index.export(name, principal=PUBLIC):
            sys.stdout.write(document.model_dump_json(by_alias=True) + "\n")
