"""The history of runs."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, RowMapping, delete, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from contentbot.runs import RunRecord
from contentbot.state.schema import runs
from contentbot.state.transactions import reading, writing


class RunStore:
    """The `runs` table. A run is written when it begins and again when it ends; one that was killed stays `running`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(runs)
        changed = {column.name: insert.excluded[column.name] for column in runs.c if not column.primary_key}
        self._upsert = insert.on_conflict_do_update(index_elements=[runs.c.id], set_=changed)

    def put(self, record: RunRecord) -> None:
        """Write a run as it stands."""
        row = {
            "id": record.id,
            "source": record.source,
            "started_at": record.started,
            "finished_at": record.finished,
            "finish_reason": record.finish_reason,
            "record": record.model_dump(mode="json"),
        }
        with writing(self._engine) as connection:
            connection.execute(self._upsert, row)

    def latest(self, source: str, limit: int = 10) -> list[RunRecord]:
        """Return the newest runs of a source, newest first."""
        return self._read(select(runs).where(runs.c.source == source), limit)

    def last_finished(self, source: str) -> RunRecord | None:
        """Return the newest run of a source that came to its end."""
        found = self._read(select(runs).where(runs.c.source == source, runs.c.finish_reason == "finished"), 1)
        return found[0] if found else None

    def count(self, source: str) -> int:
        """Count the runs of a source that are kept."""
        with reading(self._engine) as connection:
            return connection.execute(
                select(func.count()).select_from(runs).where(runs.c.source == source)
            ).scalar_one()

    def finished(self) -> dict[str, str]:
        """Return the sources with a run that came to its end, each with the index that the newest such run wrote to."""
        found = {source: self.last_finished(source) for source in self.sources()}
        return {source: run.index_identity for source, run in found.items() if run}

    def begun_since(self, moment: datetime) -> list[str]:
        """Return the sources of which a run began, or ended, at or after a moment, sorted."""
        recent = or_(runs.c.started_at >= moment, runs.c.finished_at >= moment)
        with reading(self._engine) as connection:
            return sorted(connection.execute(select(runs.c.source).distinct().where(recent)).scalars())

    def sources(self) -> list[str]:
        """Return every source that has a run, sorted."""
        with reading(self._engine) as connection:
            return sorted(connection.execute(select(runs.c.source).distinct()).scalars())

    def trim(self, source: str, keep: int) -> int:
        """Remove all but the newest runs of a source, and the newest that came to its end; return how many went."""
        newest = select(runs.c.id).where(runs.c.source == source).order_by(runs.c.started_at.desc())
        # without it, a long row of failures would make a filled source count as never filled
        finished = newest.where(runs.c.finish_reason == "finished").limit(1)
        with writing(self._engine) as connection:
            kept = {*connection.execute(newest.limit(keep)).scalars(), *connection.execute(finished).scalars()}
            removed = connection.execute(delete(runs).where(runs.c.source == source, runs.c.id.not_in(kept)))
        return removed.rowcount

    def forget(self, source: str) -> int:
        """Remove all runs of a source; return how many there were."""
        with writing(self._engine) as connection:
            return connection.execute(delete(runs).where(runs.c.source == source)).rowcount

    def _read(self, query: Any, limit: int) -> list[RunRecord]:
        ordered = query.order_by(runs.c.started_at.desc(), runs.c.id.desc()).limit(limit)
        with reading(self._engine) as connection:
            return [_record(row) for row in connection.execute(ordered).mappings()]


def _record(row: RowMapping) -> RunRecord:
    return RunRecord.model_validate(row["record"])


def run_id(source: str, started: datetime) -> str:
    """Return the name of a run: readable, sortable and, for one source, unique to the microsecond."""
    return f"{source}-{started.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}"
