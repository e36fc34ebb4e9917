"""The record of a run."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

RUNNING = "running"
"""The finish reason of a run that has not ended, or that was killed."""


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
    says in words what a check found odd; `fields` counts the `documents` that were read, and those of them with a
    `title` of their own, a `date`, an `author`; `documents` is how many the index has of the source now, None where the
    run did not ask. `index_identity` names the index that was written to.
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
    fields: dict[str, int] = Field(default_factory=dict)
    documents: int | None = None
    index_identity: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether the run came to its end; single pages may have been skipped."""
        return self.finish_reason == "finished" and not self.error

    @property
    def seconds(self) -> float:
        """How long the run took; 0 while it is running."""
        return (self.finished - self.started).total_seconds() if self.finished else 0.0
