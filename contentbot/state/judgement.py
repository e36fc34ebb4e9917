"""What an answer means for a page's document: stays, goes, or goes if it is confirmed.

Nothing is deleted on doubt. An error says that a page could not be had, not that it is gone; a 404 counts when the next
run meets it again; what a page or its robots.txt says outright counts at once.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from contentbot.runs import FILTERED
from contentbot.state.pages import PageState, PageStatus

CONFIRMED = 2
"""Runs in a row that have to meet a 404, or a page without text, before its document goes."""

_STATUS = {
    "http_410": PageStatus.GONE,
    "http_404": PageStatus.GONE,
    "noindex": PageStatus.NOINDEX,
    "robots_disallowed": PageStatus.DISALLOWED,
    "excluded": PageStatus.EXCLUDED,
    "not_included": PageStatus.EXCLUDED,
    "off_site": PageStatus.EXCLUDED,
    "loop": PageStatus.EXCLUDED,
    "duplicate": PageStatus.REDIRECTED,
    "empty_text": PageStatus.EMPTY,
    "too_short": PageStatus.EMPTY,
    "unsupported_media": PageStatus.EMPTY,
    "canonical_offsite": PageStatus.EMPTY,
    **dict.fromkeys(FILTERED, PageStatus.FILTERED),
}
_NO_TIME = timedelta()
_AT_ONCE = frozenset({"http_410", "noindex", "robots_disallowed"})


def status_of(reason: str) -> PageStatus:
    """Return what a countable reason makes of a page; every reason that is not known better is a failure."""
    return _STATUS.get(reason, PageStatus.FAILED)


def judged(page: PageState, known: PageState | None) -> PageState:
    """Return the state to write for a page that gave no document, with what is kept of the state before.

    Args:
        page: what this run met: source, URL, reason, detail, HTTP status and run.
        known: what the run before left, None for a page that is new.
    """
    status = status_of(page.reason)
    before = known or page
    return replace(
        before,
        status=status,
        reason=page.reason,
        detail=page.detail,
        http_status=page.http_status,
        final_url=page.final_url or before.final_url,
        lastmod=page.lastmod or before.lastmod,
        last_run=page.last_run,
        last_seen=None,
        misses=_misses(page, known),
        # a page that is answered anew is read anew: what validated the old text says nothing about the new one
        etag="",
        last_modified="",
    )


def _misses(page: PageState, known: PageState | None) -> int:
    if known is None or known.reason != page.reason:
        return 1
    return known.misses if known.last_run == page.last_run else known.misses + 1


def has_lost_its_document(
    page: PageState, run: str, *, complete: bool, unlisted_kept: timedelta | None = _NO_TIME
) -> bool:
    """Say whether the document of a page may be deleted after a run.

    Args:
        run: the run that has just ended; a page that it did not meet was not listed any more.
        complete: the run read everything that lists pages, to its end, and found some.
        unlisted_kept: how long a page that is not listed any more keeps its document; None for ever.
    """
    if page.last_run != run:
        return complete and unlisted_kept is not None and _has_been_away(page, unlisted_kept)
    if page.reason in _AT_ONCE:
        return True
    match page.status:
        case PageStatus.GONE | PageStatus.EMPTY:
            return complete and page.misses >= CONFIRMED
        case PageStatus.EXCLUDED | PageStatus.REDIRECTED | PageStatus.FILTERED:
            return complete
        case _:
            return False


def _has_been_away(page: PageState, time: timedelta) -> bool:
    return not time or page.last_seen is None or datetime.now(UTC) - page.last_seen >= time
