"""What the extraction of one source's pages has to know; plain data that travels to worker processes."""

from dataclasses import dataclass, field

from contentbot.sources.models import WebsiteSource


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a page stops being read. A page over a limit raises `LimitExceeded`."""

    max_bytes: int = 10 << 20
    max_nodes: int = 150_000
    max_depth: int = 400
    max_table_rows: int = 5_000
    max_seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class ExtractRules:
    """A source's wishes, as far as extraction is concerned."""

    source: WebsiteSource
    limits: Limits = field(default_factory=Limits)
