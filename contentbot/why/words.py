"""What a run met, in sentences."""

from contentbot.state import PageState, PageStatus
from contentbot.state.memory import NOT_LISTED
from contentbot.why.explanation import Verdict, at

VERDICTS = {
    PageStatus.INDEXED: Verdict.MISSING,
    PageStatus.EMPTY: Verdict.EMPTY,
    PageStatus.NOINDEX: Verdict.NOINDEX,
    PageStatus.EXCLUDED: Verdict.EXCLUDED,
    PageStatus.REDIRECTED: Verdict.REDIRECTED,
    PageStatus.GONE: Verdict.GONE,
    PageStatus.FILTERED: Verdict.FILTERED,
    PageStatus.DISALLOWED: Verdict.DISALLOWED,
    PageStatus.FAILED: Verdict.FAILED,
}

_MET = {
    "robots_disallowed": "robots.txt of the site asks not to fetch it",
    "robots_unreachable": "robots.txt of the site gives no usable answer, so nothing there may be fetched",
    "noindex": "the page, or its headers, ask not to be indexed",
    "canonical_offsite": "its canonical link names a foreign host",
    "http_404": "it answers 404, not found",
    "http_410": "it answers 410, gone for good",
    "empty_page": "it has no content at all",
    "empty_text": "no text is left of it once boilerplate and hidden text are gone",
    "too_short": "it has too few words",
    "unsupported_media": "it is neither HTML nor text",
    "off_site": "its redirect leads off the site",
    "excluded": "its redirect leads to an address that url-exclude leaves out",
    "not_included": "neither it nor what it redirects to matches url-include",
    "loop": "its redirect leads to a path that repeats itself",
    "duplicate": "it redirects to a page that has its own document",
    "redirect_loop": "its redirects go round in a circle",
    "too_many_redirects": "it has too many redirects",
    "bad_redirect": "its redirect leads to no web address",
    "timeout": "it gave no answer in time",
    "render_unavailable": "it needs its scripts, and package or browser to run them are missing",
    "render_timeout": "its scripts came to no end in time",
    "render_crashed": "the browser that ran its scripts crashed",
    "too_few_words": "rules.min-words of the source refuses it, for it is too short",
    "other_language": "rules.languages of the source refuses it, for it is in another language",
    "category_missing": "rules.categories-require of the source refuses it, for it has no such category",
    "category_excluded": "rules.categories-exclude of the source refuses it, for it has such a category",
    "words_missing": "rules.words-require of the source refuses it, for it has no such word",
    "words_excluded": "rules.words-exclude of the source refuses it, for it has such a word",
    "too_old": "rules.max-age or rules.since of the source refuses it, for it is too old",
    "undated": "rules.undated of the source refuses it, for it has no date",
    "refused_by_index": "the index refused its document",
}


def met(page: PageState) -> str:
    """Say in a sentence what the last run met, since when, and how often."""
    what = described(page.reason)
    if page.misses > 1:
        return f"{what} (since {at(page.since)}, {page.misses} runs in a row)"
    return f"{what} (since {at(page.since)})"


def described(reason: str) -> str:
    """Say what a countable reason means."""
    if reason in _MET:
        return _MET[reason]
    if reason.startswith("http_"):
        return f"it answers {reason.removeprefix('http_')}"
    return f"it could not be read: {reason or 'unknown'}"


def about(page: PageState, url: str) -> str:
    """Return the summary for a page that has no document in the index."""
    listed = "" if page.url == url else f"It is listed as {page.url}, which leads here. "
    moved = f" It redirects to {page.final_url}." if page.url == url and page.final_url not in ("", url) else ""
    if page.reason == NOT_LISTED:
        return f"{listed}Not listed any more: a run last met it on {at(page.last_seen)}, and its document was deleted \
on {at(page.since)}."
    if page.status is PageStatus.INDEXED:
        return f"{listed}The crawler delivered it, last on {at(page.last_indexed)}, but this index does not have it; \
the next run sends it again."
    return f"{listed}Not in the index: {met(page)}.{moved}"


def still_there(page: PageState) -> str:
    """Return what to add for a page whose document is in the index although the last look at it gave none."""
    if page.status is PageStatus.INDEXED:
        return ""
    if page.status in {PageStatus.GONE, PageStatus.EMPTY}:
        return f" But {met(page)}: unless that changes, the next complete run deletes it."
    kept = f"the text is that of {at(page.last_indexed)}"
    return f" But {met(page)}: {kept}."
