"""What is asked, and what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from contentbot.index import Index
from contentbot.sources.models import Source
from contentbot.state import State


class Verdict(StrEnum):
    """What is true of a page in one source, in a word."""

    INDEXED = "indexed"
    WAITING = "waiting"
    REFUSED = "refused_by_index"
    MISSING = "missing"
    OFF_SITE = "off_site"
    EXCLUDED = "excluded"
    DISALLOWED = "robots_disallowed"
    NOINDEX = "noindex"
    GONE = "gone"
    EMPTY = "empty"
    REDIRECTED = "redirected"
    FILTERED = "filtered"
    FAILED = "failed"
    NOT_LISTED = "not_listed"
    NEVER_CRAWLED = "never_crawled"


@dataclass(frozen=True, slots=True)
class Records:
    """Everything that is known.

    Attributes:
        sources: the declared ones by id, disabled ones too.
        index: what is searched.
        state: pages and runs; None where no run has been recorded.
        outbox: the file of what could not be delivered; it may be missing.
    """

    sources: Mapping[str, Source]
    index: Index
    state: State | None = None
    outbox: Path | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a page is, or is not, in the index, as far as one source goes. What is unknown is empty, or 0.

    Attributes:
        source: the source's id; empty when no source has the address's host.
        summary: one or two plain sentences, in our own words and with addresses; no text of pages.
        document_id, document_url, revision: the document that stands for the page.
        listed_as: the listed addresses that lead to it.
        final_url: where its redirects ended.
        rule: the pattern or host that decided.
        reason: the countable word of the last run that met the page.
        detail: what that run noted beside it; may be the words of the site.
        http_status: the status of its last answer.
        since: when the page first was as it is, ISO 8601.
        times: how many runs in a row have met the reason.
        last_seen: when a run last met the page.
        last_indexed: when the index last confirmed its document.
        last_run, last_run_result, last_run_error: when the newest run of the source began, and how it ended.
        last_complete_run: when the newest run began that read everything that lists pages.
        notes: what else matters: the source is disabled, its rules have changed …
        near: addresses that were perhaps meant.
    """

    url: str
    source: str
    verdict: Verdict
    summary: str
    document_id: str = ""
    document_url: str = ""
    revision: str = ""
    listed_as: tuple[str, ...] = ()
    final_url: str = ""
    rule: str = ""
    reason: str = ""
    detail: str = ""
    http_status: int = 0
    since: str = ""
    times: int = 0
    last_seen: str = ""
    last_indexed: str = ""
    last_run: str = ""
    last_run_result: str = ""
    last_run_error: str = ""
    last_complete_run: str = ""
    notes: tuple[str, ...] = field(default=())
    near: tuple[str, ...] = field(default=())

    @property
    def in_index(self) -> bool:
        """Whether a search can find the page."""
        return self.verdict is Verdict.INDEXED


def iso(moment: datetime | None) -> str:
    """Return a time as ISO 8601 in UTC, to the second; empty for none."""
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else ""


def at(moment: datetime | None) -> str:
    """Return a time as a sentence has it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if moment else "an unknown time"
