"""`contentbot crawl [SOURCE…]`."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from contentbot.cli.console import AsJson, complain, err, note, out, print_json, say, table, visible
from contentbot.cli.logs import log_to_stderr
from contentbot.cli.shared import declared_sources, pick_source
from contentbot.config import get_settings, log_format
from contentbot.errors import ConfigError
from contentbot.index import open_index
from contentbot.runs import BY_RULE, RunRecord

if TYPE_CHECKING:
    from contentbot.extensions.progress import Progress

_COLUMNS = ("source", "found", "indexed", "unchanged", "skipped", "seconds", "result")
_NAMED = 20


def crawl(  # noqa: PLR0913, PLR0917 - Typer reads the options from the parameters
    context: typer.Context,
    sources: Annotated[list[str] | None, typer.Argument(help="Which sources; all enabled ones by default.")] = None,
    base_url: Annotated[str, typer.Option(help="Crawl a copy of the one source at this origin.")] = "",
    rate_limit: Annotated[str, typer.Option(help="Requests a second and host, or off; instead of the source's.")] = "",
    limit: Annotated[int, typer.Option(min=0, help="Stop each source after about this many pages; 0 for all.")] = 0,
    prune_share: Annotated[
        str, typer.Option(help="The largest part of a source's documents, 0 to 1, that may be deleted; 1 allows all.")
    ] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 also when single pages failed.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, instead of a progress bar.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Crawl sources into the index.

    Exit code 0: every source was read to its end; pages that failed on the way are named. 1: a source could not be
    read, or a sitemap of it. 2: the configuration is wrong, nothing was requested.
    """
    from contentbot.crawling import run_jobs  # noqa: PLC0415 - Scrapy costs a second to import

    bars = err.is_terminal and not verbose and log_format() == "text"
    log_to_stderr(verbose=not bars, debug=context.obj.debug)
    jobs = _jobs(sources or [], {"base_url": base_url, "rate_limit": rate_limit, "prune_share": prune_share})
    _require_writable(get_settings().data_dir)
    open_index(get_settings().index_url).close()  # a URL that names no index is refused before any request
    with progress_bars(visible=bars) as show:
        records = run_jobs(jobs, {"CLOSESPIDER_ITEMCOUNT": limit}, on_progress=show)
    ordered = [records[job.source.id] for job in jobs]
    if as_json:
        print_json({"ok": all(map(succeeded, ordered)), "sources": [as_data(record) for record in ordered]})
    else:
        show_summary(ordered)
    if not all(map(succeeded, ordered)) or (strict and any(map(failed_pages, ordered))):
        raise typer.Exit(1)


def _require_writable(folder: Path) -> None:
    """Refuse a data folder that nothing can be written to, before a site is asked for anything."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        hint = "set CONTENTBOT_DATA_DIR to a folder that can be written"
        raise ConfigError(f"{folder} cannot be written: {error.strerror}", hint=hint) from error


def _jobs(names: Sequence[str], given: Mapping[str, str]) -> "list[Any]":
    from contentbot.crawling import Job  # noqa: PLC0415 - Scrapy costs a second to import
    from contentbot.spiders.setup import arranged  # noqa: PLC0415 - as above

    declared = declared_sources()
    chosen = [pick_source(declared, name) for name in dict.fromkeys(names)]
    chosen = chosen or [source for source in declared.values() if source.enabled]
    if not chosen:
        raise ConfigError("no source is enabled", hint="name one, or set enabled: true")
    arguments = {name: value for name, value in given.items() if value}
    if "base_url" in arguments and len(chosen) != 1:
        raise ConfigError("--base-url goes with one source", hint="name the source whose copy it is")
    try:  # what is wrong with them is said before anything starts
        for source in chosen:
            arranged(source, arguments)
    except ConfigError as error:
        option = (error.file or f"-a {error.key}").replace("-a ", "--").replace("_", "-")
        raise ConfigError(error.problem, key=option, hint=error.hint) from error
    return [Job(source, arguments) for source in chosen]


@contextmanager
def progress_bars(*, visible: bool) -> "Iterator[_Bars]":
    """Show a bar for each source on stderr while the block runs; gives what wants to be told of progress."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:.1f}/s"),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[extra]}"),
    )
    with Bars(*columns, console=err, disable=not visible, transient=False) as bars:
        yield _Bars(bars)


class _Bars:
    """Draws the progress of sources."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, progress: "Progress") -> None:
        if progress.source not in self._tasks:
            self._tasks[progress.source] = self._bars.add_task(progress.source, total=None, rate=0.0, extra="")
        skipped = f"{progress.skipped} skipped" if progress.skipped else ""
        more = "" if progress.listing_done or progress.finished else "still listing"
        self._bars.update(
            self._tasks[progress.source],
            completed=progress.done,
            # without an end in sight the bar pulses
            total=progress.done if progress.finished else progress.known or None,
            rate=progress.rate,
            extra=", ".join(filter(None, (skipped, more))),
        )


def succeeded(record: RunRecord) -> bool:
    """Say whether the source was read to its end, or to the limit that was asked for."""
    ended = record.succeeded or (record.finish_reason == "closespider_itemcount" and not record.error)
    return ended and not record.failed_sitemaps


def failed_pages(record: RunRecord) -> list[Any]:
    """Return the pages that gave no document for another reason than a rule."""
    return [page for page in record.skipped_pages if page.reason not in BY_RULE]


def as_data(record: RunRecord) -> dict[str, Any]:
    """Return the record as JSON data."""
    return {
        "source": record.source,
        "ok": succeeded(record),
        "finishReason": record.finish_reason,
        "error": record.error,
        "suspect": list(record.suspect),
        "seconds": round(record.seconds, 1),
        "discoveryComplete": record.discovery_complete,
        "counts": dict(record.counts),
        "skipped": dict(record.skipped),
        "failedPages": [page.model_dump() for page in failed_pages(record)],
        "failedSitemaps": [one.model_dump() for one in record.failed_sitemaps],
    }


def show_summary(records: Iterable[RunRecord]) -> None:
    """Print a row for each source, then every page, sitemap and source that failed, with its reason."""
    records = list(records)
    numeric = dict.fromkeys(("found", "indexed", "unchanged", "seconds"), True)
    out.print(table(_COLUMNS, [_row(record) for record in records], right=numeric))
    for record in records:
        if record.error or not (record.succeeded or succeeded(record)):
            complain(f"{record.source}: {record.finish_reason} {record.error}".rstrip())
        for sentence in record.suspect:
            say(f"{record.source}: suspect: {sentence}")
        for one in record.failed_sitemaps:
            complain(f"{record.source}: not read: {one.url}: {one.reason} {one.detail}".rstrip())
        pages = failed_pages(record)
        for page in pages[:_NAMED]:
            say(visible(f"{record.source}: {page.url}: {page.reason} {page.detail}".rstrip()))
        if len(pages) > _NAMED:
            note(f"{record.source}: {len(pages) - _NAMED} more failed pages; --json names them")


def _row(record: RunRecord) -> tuple[object, ...]:
    counts = record.counts
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(record.skipped.items()))
    return (
        record.source,
        counts.get("listed", 0),
        counts.get("indexed", 0),
        counts.get("unchanged", 0),
        reasons or "none",
        f"{record.seconds:.1f}",
        ("ok" if succeeded(record) else "failed") + (", suspect" if record.suspect else ""),
    )
