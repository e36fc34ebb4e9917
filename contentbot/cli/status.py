"""`contentbot status`."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, complain, note, out, print_json, say, table
from contentbot.cli.shared import declared_sources, pick_source, reading
from contentbot.config import get_settings
from contentbot.index import SourceOverview
from contentbot.runs import RunRecord
from contentbot.state import open_state
from contentbot.state.outbox import counted as letters

_COLUMNS = ("source", "enabled", "documents", "locales", "newest", "last run", "result", "skipped")
_RUN_COLUMNS = ("started", "seconds", "result", "listed", "indexed", "unchanged", "deleted", "skipped")
_NUMBERS = dict.fromkeys(("documents", "seconds", "listed", "indexed", "unchanged", "deleted"), True)
_RUNS = 10


def status(
    source: Annotated[str, typer.Argument(help="Show the newest runs of this source.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show each source's documents and its last run, or the newest runs of one source."""
    if source:
        _show_runs(source, as_json=as_json)
    else:
        _show_sources(as_json=as_json)


def _show_sources(*, as_json: bool) -> None:
    settings = get_settings()
    declared = declared_sources()
    with reading() as index:
        indexed = {one.source: one for one in index.overview(principal=PUBLIC)}
    posted = letters(settings.data_dir / "outbox.db")
    runs = _last_runs(settings.state_url)
    names = sorted({*declared, *indexed})
    enabled = {name: name in declared and declared[name].enabled for name in names}
    rows = [
        {
            **_as_data(name, enabled[name], indexed.get(name), runs.get(name)),
            **_outbox(posted.get(name)),
            "declared": name in declared,
        }
        for name in names
    ]
    if as_json:
        print_json({"index": settings.index_url, "sources": rows})
        return
    out.print(table(_COLUMNS, [_row(row) for row in rows], right=_NUMBERS))
    for row in rows:
        for sentence in (row["lastRun"] or {}).get("suspect", []):
            say(f"{row['source']}: suspect: {sentence}")
        if not row["declared"]:
            name = row["source"]
            note(f"{name} has documents but no source file: `contentbot prune {name}` deletes what is left of it")
    for name, (waiting, aside) in posted.items():
        note(f"{name}: {waiting} documents wait for the index, {aside} are set aside: `contentbot flush`")
    if not indexed:
        note("the index is empty: run `contentbot crawl`")


def _show_runs(name: str, *, as_json: bool) -> None:
    declared = declared_sources()
    with open_state(get_settings().state_url) as state:
        runs = state.runs.latest(name, _RUNS)
        if not runs:
            # what is neither declared nor known is a slip
            pick_source({**declared, **dict.fromkeys(state.runs.sources())}, name)
    if as_json:
        print_json({"source": name, "runs": [_history_as_data(run) for run in runs]})
        return
    out.print(table(_RUN_COLUMNS, [_run_row(run) for run in runs], right=_NUMBERS))
    for run in runs:
        if run.error:
            complain(f"{run.started:%Y-%m-%d %H:%M}: {run.error}")
    if not runs:
        note(f"{name} was never crawled: run `contentbot crawl {name}`")


def _history_as_data(run: RunRecord) -> dict[str, Any]:
    return {
        "id": run.id,
        "started": run.started.isoformat(),
        "discoveryComplete": run.discovery_complete,
        "suspect": list(run.suspect),
        **_run_as_data(run),
    }


def _run_row(run: RunRecord) -> tuple[object, ...]:
    counted = [run.counts.get(name, 0) for name in ("listed", "indexed", "unchanged", "deleted")]
    started, seconds = f"{run.started:%Y-%m-%d %H:%M:%S}", f"{run.seconds:.1f}"
    return (started, seconds, run.finish_reason, *counted, _reasons(run.skipped))


def _reasons(skipped: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in skipped.items())


def _outbox(counts: tuple[int, int] | None) -> dict[str, int]:
    waiting, aside = counts or (0, 0)
    return {"waiting": waiting, "setAside": aside}


def _last_runs(database_url: str) -> dict[str, RunRecord]:
    with open_state(database_url) as state:
        return {source: state.runs.latest(source, 1)[0] for source in state.runs.sources()}


def _as_data(name: str, enabled: bool, indexed: SourceOverview | None, run: RunRecord | None) -> dict[str, Any]:
    return {
        "source": name,
        "enabled": enabled,
        "documents": indexed.documents if indexed else 0,
        "locales": dict(indexed.locales) if indexed else {},
        "newestPublished": indexed.newest_published if indexed else "",
        "lastFetched": indexed.last_fetched if indexed else "",
        "lastRun": _run_as_data(run) if run else None,
    }


def _run_as_data(run: RunRecord) -> dict[str, Any]:
    return {
        "finished": run.finished.isoformat() if run.finished else "",
        "seconds": round(run.seconds, 1),
        "finishReason": run.finish_reason,
        "error": run.error,
        "suspect": run.suspect,
        "counts": run.counts,
        "skipped": run.skipped,
    }


def _row(row: Mapping[str, Any]) -> tuple[object, ...]:
    run = row["lastRun"] or {}
    locales = ", ".join(f"{locale or '?'} {count}" for locale, count in row["locales"].items())
    return (
        row["source"],
        "yes" if row["enabled"] else "no",
        row["documents"],
        locales,
        row["newestPublished"][:10],
        run.get("finished", "never")[:16].replace("T", " "),
        run.get("finishReason", "") + (", suspect" if run.get("suspect") else ""),
        _reasons(run.get("skipped", {})),
    )
