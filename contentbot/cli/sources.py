"""`contentbot sources list | validate | schema`."""

from pathlib import Path
from typing import Annotated

import typer

from contentbot.cli.console import AsJson, complain, note, out, print_json, say, table
from contentbot.cli.opml import imported_feeds
from contentbot.cli.shared import declared_sources
from contentbot.config import get_settings
from contentbot.errors import ConfigError, ConfigErrors
from contentbot.sources.loader import load_source, load_sources, source_files
from contentbot.sources.schema import source_schema

app = typer.Typer(help="List, check and describe the source files.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_sources(as_json: AsJson = False) -> None:
    """Show every declared source."""
    sources = declared_sources().values()
    if as_json:
        print_json([source.model_dump(by_alias=True, mode="json") for source in sources])
        return
    rows = [(one.id, one.type, "yes" if one.enabled else "no", one.base_url, one.title) for one in sources]
    out.print(table(("id", "type", "enabled", "base-url", "title"), rows))


@app.command()
def validate(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders; by default the configured folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check source files without any request; exit code 2 when one is wrong."""
    checked, problems = 0, list[ConfigError]()
    for path in paths or [get_settings().sources_dir]:
        try:
            checked += len(source_files(path)) if path.is_dir() else 1
            load_sources(path) if path.is_dir() else load_source(path)
        except ConfigErrors as errors:
            problems.extend(errors.problems)
        except ConfigError as error:
            problems.append(error)
    if as_json:
        print_json({"files": checked, "problems": [_as_data(problem) for problem in problems]})
    else:
        for problem in problems:
            complain(str(problem))
        note(f"{checked} files, {len(problems)} problems")
    if problems:
        raise typer.Exit(2)


@app.command("import-opml")
def import_opml(
    file: Annotated[Path, typer.Argument(help="A list of feeds, as feed readers export it.")],
    output: Annotated[
        Path | None, typer.Option(help="The folder that source files go to; by default the configured one.")
    ] = None,
    together: Annotated[str, typer.Option(help="Write one source of this id for all feeds, not one for each.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write source files for the feeds of an OPML list; feeds that a source has already are left out."""
    folder = output or get_settings().sources_dir
    folder.mkdir(parents=True, exist_ok=True)
    imported = imported_feeds(file, load_sources(folder), together)
    for name, text in imported.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        print_json({"written": sorted(imported.files), "known": imported.known, "refused": imported.refused})
        return
    for name in imported.files:
        say(str(folder / name))
    for url in imported.known:
        note(f"left out, a source has it: {url}")
    for url, why in imported.refused.items():
        complain(f"left out: {url}: {why}")
    note(f"{len(imported.files)} files written")


def _as_data(problem: ConfigError) -> dict[str, str]:
    return {"file": problem.file, "key": problem.key, "problem": problem.problem, "hint": problem.hint}


@app.command()
def schema(as_json: AsJson = False) -> None:  # noqa: ARG001 - every subcommand takes it; a schema is JSON anyway
    """Print the JSON schema of a source file, for editors."""
    print_json(source_schema())
