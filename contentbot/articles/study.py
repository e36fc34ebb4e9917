"""What happens in a worker process: one page is read, and what was found is brought back in one piece."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from contentbot.documents import ContentDocument, Page
from contentbot.extract.extractor import Reading, read
from contentbot.extract.rules import ExtractRules


@dataclass(frozen=True, slots=True)
class Study:
    """A page that was read: its document, and what a document does not say."""

    document: ContentDocument
    page_kind: str = ""
    language: str = ""
    language_from: str = ""
    canonical: str = ""
    media_type: str = ""
    encoding: str = ""
    chosen_by: str = ""
    own_refused: str | None = None
    is_noindex: bool = False
    evidence: Mapping[str, str] = field(default_factory=dict)


def study(page: Page, rules: ExtractRules) -> Study:
    """Read a page; raises what `extract` raises."""
    reading = Reading()
    document = read(page, rules, reading)
    metadata, decoded = reading.metadata, reading.decoded
    evidence = dict(metadata.evidence) if metadata else {}
    return Study(
        document,
        page_kind=reading.page_kind,
        language=metadata.language if metadata else "",
        language_from=evidence.get("language", ""),
        canonical=metadata.canonical if metadata else "",
        media_type=reading.media or "",
        encoding=f"{decoded.encoding} by {decoded.evidence}" if decoded else "",
        chosen_by=reading.region.chosen_by if reading.region else "",
        own_refused=reading.own_refused,
        is_noindex=bool(metadata and not metadata.robots.isdisjoint({"noindex", "none"})),
        evidence=evidence,
    )
