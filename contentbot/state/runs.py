"""What each run of a source did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, RowMapping, delete, insert, select, update

from contentbot.state.schema import runs
from contentbot.state.transactions import writing

RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `finish_reason` is `running` until it has ended; a run that was killed stays so.

    `counts` are whole numbers by name, `skipped` lists pages with their reasons up to a cap, `suspect` says in
    words what a check found odd.
    """

    id: str
    source: str
    started_at: datetime
    finished_at: datetime | None = None
    finish_reason: str = RUNNING
    discovery_complete: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    skipped: Sequence[Mapping[str, str]] = ()
    suspect: Sequence[str] = ()
    index_identity: str = ""

    @property
    def duration(self) -> float | None:
        """Seconds from start to end."""
        return (self.finished_at - self.started_at).total_seconds() if self.finished_at else None


class RunStore:
    """The `runs` table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def start(self, run: Run) -> None:
        """Write a run that begins."""
        with writing(self._engine) as connection:
            connection.execute(insert(runs).values(_row(run)))

    def finish(self, run: Run) -> None:
        """Write how a run ended."""
        with writing(self._engine) as connection:
            connection.execute(update(runs).where(runs.c.id == run.id).values(_row(run)))

    def latest(self, source: str, limit: int = 10) -> list[Run]:
        """Return the newest runs of a source, newest first."""
        query = select(runs).where(runs.c.source == source).order_by(runs.c.started_at.desc(), runs.c.id).limit(limit)
        with self._engine.connect() as connection:
            return [_run(row) for row in connection.execute(query).mappings()]

    def last_finished(self, source: str) -> Run | None:
        """Return the newest run of a source that came to its end."""
        query = (
            select(runs)
            .where(runs.c.source == source, runs.c.finish_reason == "finished")
            .order_by(runs.c.started_at.desc())
            .limit(1)
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return _run(row) if row else None

    def trim(self, source: str, keep: int) -> int:
        """Remove all but the newest runs of a source; return how many went."""
        newest = select(runs.c.id).where(runs.c.source == source).order_by(runs.c.started_at.desc()).limit(keep)
        with writing(self._engine) as connection:
            kept = connection.execute(newest).scalars().all()
            removed = connection.execute(delete(runs).where(runs.c.source == source, runs.c.id.not_in(kept)))
        return removed.rowcount


def _row(run: Run) -> dict[str, Any]:
    row = {name: getattr(run, name) for name in Run.__slots__} | {"duration": run.duration}
    return row | {"counts": dict(run.counts), "skipped": [*map(dict, run.skipped)], "suspect": [*run.suspect]}


def _run(row: RowMapping) -> Run:
    values = {name: row[name] for name in Run.__slots__}
    for name in ("started_at", "finished_at"):
        if values[name] is not None and values[name].tzinfo is None:
            values[name] = values[name].replace(tzinfo=UTC)
    return Run(**values)
