"""The record of a run, as `<data_dir>/runs/<source>.json` keeps it."""

import os
import tempfile
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class SkippedPage(BaseModel):
    """One address that gave no document, and the countable word for why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    reason: str
    detail: str = ""


class RunRecord(BaseModel):
    """What the last run of a source did.

    `finish_reason` is `running` until the run ends, and `finished` for one that came to its end; `error` then is
    empty. `discovery_complete` says that every sitemap, or every page whose links are followed, was read: only such a
    run knows what has vanished. `counts` has `listed`, `included`, `fetched`, `extracted`, `indexed`, `duplicate` and
    `rejected`; `skipped` counts by reason. `skipped_pages` names them, at most a fixed number of each reason. `suspect`
    says in words what a check found odd; `index_identity` names the index that was written to.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    source: str
    started: datetime
    finished: datetime | None = None
    finish_reason: str
    error: str = ""
    discovery_complete: bool
    counts: dict[str, int] = Field(default_factory=dict)
    skipped: dict[str, int] = Field(default_factory=dict)
    skipped_pages: list[SkippedPage] = Field(default_factory=list)
    failed_sitemaps: list[SkippedPage] = Field(default_factory=list)
    suspect: list[str] = Field(default_factory=list)
    index_identity: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether the run came to its end; single pages may have been skipped."""
        return self.finish_reason == "finished" and not self.error

    @property
    def seconds(self) -> float:
        """How long the run took; 0 while it is running."""
        return (self.finished - self.started).total_seconds() if self.finished else 0.0


def write_run(record: RunRecord, data_dir: Path) -> Path:
    """Replace the record of the source in one step, so that a reader sees the old one or the new one."""
    target = _place(data_dir, record.source)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{record.source}-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(record.model_dump_json(indent=1))
    Path(name).replace(target)
    return target


def read_run(data_dir: Path, source: str) -> RunRecord | None:
    """Return the last run of the source; None when there is none, or none that this version can read."""
    try:
        return RunRecord.model_validate_json(_place(data_dir, source).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def read_runs(data_dir: Path) -> dict[str, RunRecord]:
    """Return the last run of every source that has one, by source id."""
    names = sorted(file.stem for file in (data_dir / "runs").glob("[!.]*.json"))
    found = ((name, read_run(data_dir, name)) for name in names)
    return {name: record for name, record in found if record}


def _place(data_dir: Path, source: str) -> Path:
    return data_dir / "runs" / f"{source}.json"
