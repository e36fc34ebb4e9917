"""`contentbot reindex [SOURCE…]`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from contentbot.cli.console import AsJson, complain, err, note, out, print_json, table
from contentbot.cli.shared import declared_sources, pick_source
from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index import open_index
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import Source
from contentbot.state import open_state

if TYPE_CHECKING:
    from contentbot.reindexing import Progress, Rebuilt, Reindexed

_COLUMNS = ("source", "read anew", "copied", "missing", "failed", "refused")
_NUMBERS = dict.fromkeys(_COLUMNS[1:], True)


def reindex(
    sources: Annotated[
        list[str] | None, typer.Argument(help="Of which sources the stored pages are read anew; by default of all.")
    ] = None,
    copy: Annotated[
        bool, typer.Option("--copy", help="Read no page anew: take every document as the index has it.")
    ] = False,
    base_url: Annotated[str, typer.Option(help="The origin of the copy that was crawled of the one source.")] = "",
    workers: Annotated[int, typer.Option(min=0, help="Worker processes for extraction; 0 for one per CPU.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Build the index anew beside the one that is searched, from what is stored here, and put it in its place.

    No site is asked for anything. Exit code 1: something went wrong, and the index is as it was.
    """
    from contentbot.reindexing import Plan, rebuild  # noqa: PLC0415 - Scrapy costs a second to import

    settings, declared = get_settings(), declared_sources()
    anew = _chosen(declared, sources or [], copy=copy)
    copies = _copies(declared, anew, base_url)
    plan = Plan(settings.data_dir, declared, frozenset(anew), copies, workers)
    with (
        open_state(settings.state_url) as state,
        open_index(settings.index_url) as index,
        _bars(visible=err.is_terminal) as show,
    ):
        done = rebuild(plan, index, state, show)
    if as_json:
        print_json(_as_data(done))
    else:
        _show(done)


def _chosen(declared: Mapping[str, Source], names: Sequence[str], *, copy: bool) -> list[str]:
    if copy and names:
        raise ConfigError("--copy reads no page anew", hint="leave the sources out")
    return [] if copy else [pick_source(declared, name).id for name in names] or list(declared)


def _copies(declared: Mapping[str, Source], anew: Sequence[str], base_url: str) -> dict[str, SiteCopy]:
    if not base_url:
        return {}
    if len(anew) != 1:
        raise ConfigError("--base-url goes with one source", hint="name the source whose copy it is")
    return {anew[0]: SiteCopy(declared[anew[0]].base_url, base_url)}


@contextmanager
def _bars(*, visible: bool) -> "Iterator[_Show]":
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=err, disable=not visible) as bars:
        yield _Show(bars)


class _Show:
    """Draws a bar for each source."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, progress: "Progress") -> None:
        if progress.source not in self._tasks:
            self._tasks[progress.source] = self._bars.add_task(progress.source)
        self._bars.update(self._tasks[progress.source], completed=progress.done, total=progress.total)


def _as_data(done: "Reindexed") -> dict[str, Any]:
    return {
        "ok": True,
        "before": done.before,
        "after": done.after,
        "sources": [
            {
                "source": one.source,
                "documents": one.documents,
                "readAnew": one.made,
                "copied": one.copied,
                "missing": one.missing,
                "failed": dict(one.failed),
                "refused": [{"url": url, "reason": reason} for url, reason in one.refused.items()],
            }
            for one in done.sources
        ],
    }


def _show(done: "Reindexed") -> None:
    out.print(table(_COLUMNS, [_row(one) for one in done.sources], right=_NUMBERS))
    for one in done.sources:
        if one.failed:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(one.failed.items()))
            note(f"{one.source}: stored pages that gave no document, of which the old one stays: {reasons}")
        if one.missing:
            note(f"{one.source}: {one.missing} documents are not stored here: the next crawl brings them")
        for url, reason in one.refused.items():
            complain(f"{one.source}: {url}: refused by the index: {reason}")


def _row(one: "Rebuilt") -> tuple[object, ...]:
    return (one.source, one.made, one.copied, one.missing, one.failed.total(), len(one.refused))
