"""`contentbot status`."""

from collections.abc import Mapping
from typing import Any

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, note, out, print_json, table
from contentbot.cli.shared import declared_sources, reading
from contentbot.config import get_settings
from contentbot.index import SourceOverview
from contentbot.runs import RunRecord
from contentbot.state import open_state

_COLUMNS = ("source", "enabled", "documents", "locales", "newest", "last run", "result", "skipped")


def status(as_json: AsJson = False) -> None:
    """Show each source's documents and its last run."""
    settings = get_settings()
    declared = declared_sources()
    with reading() as index:
        indexed = {one.source: one for one in index.overview(principal=PUBLIC)}
    runs = _last_runs(settings.state_url)
    names = sorted({*declared, *indexed})
    enabled = {name: name in declared and declared[name].enabled for name in names}
    rows = [_as_data(name, enabled[name], indexed.get(name), runs.get(name)) for name in names]
    if as_json:
        print_json({"index": settings.index_url, "sources": rows})
        return
    out.print(table(_COLUMNS, [_row(row) for row in rows], right={"documents": True}))
    if not indexed:
        note("the index is empty: run `contentbot crawl`")


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
        "counts": run.counts,
        "skipped": run.skipped,
    }


def _row(row: Mapping[str, Any]) -> tuple[object, ...]:
    run = row["lastRun"] or {}
    locales = ", ".join(f"{locale or '?'} {count}" for locale, count in row["locales"].items())
    skipped = ", ".join(f"{count} {reason}" for reason, count in run.get("skipped", {}).items())
    return (
        row["source"],
        "yes" if row["enabled"] else "no",
        row["documents"],
        locales,
        row["newestPublished"][:10],
        run.get("finished", "never")[:16].replace("T", " "),
        run.get("finishReason", ""),
        skipped,
    )
