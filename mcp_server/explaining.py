"""Why a page is or is not in the index, from what the crawler has recorded, shaped for a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from contentbot.sources.models import Source
from contentbot.state import reading_state
from contentbot.why import Explanation, Records, explain
from mcp_server.answers import PageExplanation, UrlExplanation
from mcp_server.untrusted import one_line
from mcp_server.view import View

_MOST_SOURCES, _MOST_ADDRESSES = 20, 10
_ADDRESS, _DETAIL = 500, 300


@dataclass(frozen=True, slots=True)
class CrawlRecords:
    """Where the crawler keeps its records; read anew at every call, and never written.

    Attributes:
        sources: the declared sources by id, disabled ones too.
        state_url: the database of pages and runs; empty where there is none.
        outbox: the file of undelivered documents.
    """

    sources: Callable[[], Mapping[str, Source]] = dict
    state_url: str = ""
    outbox: Path | None = None

    @contextmanager
    def opened(self, view: View) -> Iterator[Records]:
        """Open everything for reading while the block runs."""
        if not self.state_url:
            yield Records(self.sources(), view.index, None, self.outbox)
            return
        with reading_state(self.state_url) as state:
            yield Records(self.sources(), view.index, state, self.outbox)


def explanation_of(view: View, kept: CrawlRecords, *, url: str, source: str) -> UrlExplanation:
    """Return why an address is or is not in the index.

    Raises:
        InvalidQuery, NotFound: the address or the source is none.
        StateUnavailable: the records cannot be read now.
    """
    notices = []
    with kept.opened(view) as records:
        found = explain(url, records, principal=view.principal, source=source)
        if records.state is None:
            notices.append("No crawl has been recorded here: only the source files and the index are known.")
    if len(found) > _MOST_SOURCES:
        notices.append(f"Only the first {_MOST_SOURCES} of {len(found)} sources; name one to see it.")
    return UrlExplanation(
        url=one_line(found[0].url, _ADDRESS),
        explanations=[_shaped(one) for one in found[:_MOST_SOURCES]],
        notices=notices,
    )


def _shaped(one: Explanation) -> PageExplanation:
    return PageExplanation(
        source=one.source,
        in_index=one.in_index,
        verdict=one.verdict.value,
        summary=one_line(one.summary, 2 * _ADDRESS),
        document_id=one_line(one.document_id, _ADDRESS),
        document_url=one_line(one.document_url, _ADDRESS),
        revision=one_line(one.revision, 80),
        listed_as=_addresses(one.listed_as),
        final_url=one_line(one.final_url, _ADDRESS),
        rule=one_line(one.rule, _DETAIL),
        reason=one.reason,
        detail=one_line(one.detail, _DETAIL),
        http_status=one.http_status,
        since=one.since,
        times=one.times,
        last_seen=one.last_seen,
        last_indexed=one.last_indexed,
        last_run=one.last_run,
        last_run_result=one.last_run_result,
        last_run_error=one_line(one.last_run_error, _DETAIL),
        last_complete_run=one.last_complete_run,
        notes=[one_line(note, _DETAIL) for note in one.notes],
        near=_addresses(one.near),
    )


def _addresses(urls: Sequence[str]) -> list[str]:
    shown = [one_line(url, _ADDRESS) for url in urls[:_MOST_ADDRESSES]]
    return shown if len(urls) <= _MOST_ADDRESSES else [*shown, f"and {len(urls) - _MOST_ADDRESSES} more"]
