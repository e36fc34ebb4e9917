"""What a rebuild did."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Rebuilt:
    """What became of one source.

    Attributes:
        made: documents that were extracted anew from a stored response.
        copied: documents that were taken as the index had them.
        missing: documents that are known, but neither stored here nor in the index: the next crawl sends them again.
        failed: pages whose stored response gave no document, by reason; what the index had of them was copied.
        refused: what the engine refused, its reason by address; nothing that was searchable is among it.
    """

    source: str
    made: int = 0
    copied: int = 0
    missing: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> int:
        """How many documents the new index has of the source."""
        return self.made + self.copied


@dataclass(slots=True)
class Reindexed:
    """What a rebuild put in place: the identities of the index before and after, and every source."""

    before: str
    after: str
    sources: list[Rebuilt]
