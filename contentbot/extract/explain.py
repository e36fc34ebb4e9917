"""What extraction did to one page, step by step: for `contentbot try`, and for whoever writes a source file."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from contentbot.documents import ContentDocument, Page
from contentbot.errors import ExtractionError
from contentbot.extract.extractor import Reading, read
from contentbot.extract.rules import ExtractRules
from contentbot.sources.scope import Decision, Scope


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of a page. What an extraction did not come to is empty.

    Attributes:
        decision: whether the page's address is in the source, and by which rule.
        media: what the page was read as, such as `text/html`.
        encoding: Python's name of the codec, and `encoding_from` what decided it.
        undecodable: how many U+FFFD are in the text.
        canonical: what the page calls its address; `url` is the one it is stored under.
        page_kind: what the classifier takes the page for, or what it calls itself, such as `article` or `forum`.
        removed: how many elements were dropped as invisible, by reason.
        tried: how many elements each content selector matched, in the order tried; `chosen_by` is what won, a
            selector, `classifier` or `boilerplate removal`.
        excluded: how many elements each `content-exclude` removed.
        own_markdown: `used`, or why the Markdown that the site offers is not; empty where there is none.
        evidence: where each metadata field was read.
        flags: quality flags, see `contentbot.extract.quality`.
        seconds: of wall-clock time, for the whole.
        document: what came of it; None when `reason` and `detail` say why there is none.
    """

    listed: str
    final: str
    decision: Decision
    media: str = ""
    encoding: str = ""
    encoding_from: str = ""
    undecodable: int = 0
    bytes_read: int = 0
    canonical: str = ""
    url: str = ""
    page_kind: str = ""
    removed: Mapping[str, int] = field(default_factory=dict)
    tried: Mapping[str, int] = field(default_factory=dict)
    chosen_by: str = ""
    excluded: Mapping[str, int] = field(default_factory=dict)
    own_markdown: str = ""
    evidence: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    seconds: float = 0.0
    document: ContentDocument | None = None
    reason: str = ""
    detail: str = ""


def explain(page: Page, rules: ExtractRules) -> Trace:
    """Extract a page and tell how; a page that gives no document is told about as well."""
    reading, error, start = Reading(), None, time.perf_counter()
    try:
        read(page, rules, reading)
    except ExtractionError as caught:
        error = caught
    return _trace(page, rules, reading, error, time.perf_counter() - start)


def _trace(page: Page, rules: ExtractRules, reading: Reading, error: ExtractionError | None, seconds: float) -> Trace:
    decoded, metadata, region = reading.decoded, reading.metadata, reading.region
    return Trace(
        listed=page.url,
        final=page.final_url,
        decision=Scope(rules.source).decide(page.url, page.final_url),
        media=reading.media or "",
        encoding=decoded.encoding if decoded else "",
        encoding_from=decoded.evidence if decoded else "",
        undecodable=decoded.replaced if decoded else 0,
        bytes_read=len(page.body),
        canonical=metadata.canonical if metadata else "",
        url=reading.url,
        page_kind=reading.page_kind,
        removed=dict(reading.removed),
        tried=region.tried if region else {},
        chosen_by=region.chosen_by if region else "",
        excluded=region.excluded if region else {},
        own_markdown="" if reading.own_refused is None else reading.own_refused or "used",
        evidence=metadata.evidence if metadata else {},
        flags=tuple(reading.flags),
        seconds=seconds,
        document=reading.document,
        reason=error.reason if error else "",
        detail=error.detail if error else "",
    )
