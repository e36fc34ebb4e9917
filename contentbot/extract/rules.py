"""What the extraction of one source's pages has to know; plain data that travels to worker processes."""

import hashlib
import json
from dataclasses import asdict, dataclass, field

from contentbot import __version__
from contentbot.extract.repeated import Template
from contentbot.sources.models import Source

# keys that say how pages are found, when and how they are fetched, and what is thought of a run
_NOT_OF_THE_TEXT = {
    "title", "enabled", "sitemaps", "match_redirects", "user_agent", "rate_limit", "request_timeout", "max_depth",
    "max_body_bytes", "lastmod", "prune_share", "refresh_cron", "feeds", "opml", "max_items", "keep",
    "suspect_errors", "suspect_loss", "suspect_fields",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a page stops being read. A page over a limit raises `LimitExceeded`.

    Attributes:
        max_bytes: of the text that is left when scripts, styles and comments are dropped.
        max_nodes: elements.
        max_depth: elements inside of one another.
        max_table_rows: rows of one table.
        max_seconds: in a worker process, which is ended then.
    """

    max_bytes: int = 10 << 20
    max_nodes: int = 150_000
    max_depth: int = 400
    max_table_rows: int = 5_000
    max_seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class ExtractRules:
    """A source's wishes, as far as extraction is concerned.

    `min_words` is off by default: a page with fewer words of text raises `NoContent("too_short")`. `obey_noindex` is
    for what is indexed; whoever only reads a page that somebody has named reads it anyway. `template` is what was
    learned of the source's repeated text, None where a page is extracted by itself; it is left out of the fingerprint,
    because what it does to a page is known page by page.
    """

    source: Source
    limits: Limits = field(default_factory=Limits)
    min_words: int = 0
    obey_noindex: bool = True
    template: Template | None = None

    @property
    def fingerprint(self) -> str:
        """What a document depends on beside its page, in 32 characters: a page is extracted anew when it changes."""
        wishes = self.source.model_dump(mode="json", exclude=_NOT_OF_THE_TEXT)
        told = {"extractor": __version__, "source": wishes, "limits": asdict(self.limits), "min_words": self.min_words}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]
