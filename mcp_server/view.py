"""The index as one caller sees it: the only way in which this server reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contentbot.access import Principal
from contentbot.documents import ContentDocument
from contentbot.index import Index, SourceOverview
from contentbot.index.query import EVERYTHING, Filter, SearchRequest, SearchResult


@dataclass(frozen=True, slots=True)
class View:
    """An index and who reads it, fixed for one call, so that no read can forget the principal."""

    index: Index
    principal: Principal

    def search(self, request: SearchRequest) -> SearchResult:
        """Search or list."""
        return self.index.search(request, principal=self.principal)

    def get(self, reference: str) -> ContentDocument:
        """Return a whole document by id, key or address; NotFound where there is none to see."""
        return self.index.get(reference, principal=self.principal)

    def facets(self, field: str, within: Filter = EVERYTHING) -> Mapping[str, int]:
        """Count documents per value of a field."""
        return self.index.facets(field, principal=self.principal, filter=within)

    def require(self, field: str, value: str) -> str:
        """Return a value as it is stored; NotFound where no document has it."""
        return self.index.require(field, value, principal=self.principal)

    def overview(self) -> Sequence[SourceOverview]:
        """Say what every source has."""
        return self.index.overview(principal=self.principal)
