"""What can be asked of an index: a filter tree, a request, and the result that comes back.

Filters are data, never text: no value can change the meaning of the tree it stands in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from contentbot.documents import ContentDocument


@dataclass(frozen=True, slots=True)
class Equals:
    """The field, or any of its values where it is a list, equals the value; case is ignored."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The field equals at least one of the values; no value matches nothing."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """A number is in the range; both ends belong to it and either may be open. A missing number is never inside."""

    field: str
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds; no part matches everything."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds; no part matches nothing."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Filter = Equals | AnyOf | Between | And | Or | Not
EVERYTHING = And(())


class Sort(StrEnum):
    """The order of the hits. Documents without a date come last both ways."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question. An empty query matches every document that the filter lets through, newest first."""

    query: str = ""
    filter: Filter = EVERYTHING
    locale: str = ""
    sort: Sort = Sort.RELEVANCE
    offset: int = 0
    limit: int = 10
    facets: tuple[str, ...] = ()
    snippet_words: int = 30


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of the hit's best section, plain text. `marks` are the half-open character ranges that matched."""

    text: str = ""
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One document with its best section. `score` is comparable within one answer only.

    The document comes without `body` and `plain_text`: a hit is short, `Index.get` brings the whole.
    """

    document: ContentDocument
    score: float
    heading_path: tuple[str, ...] = ()
    anchor: str = ""
    line_start: int = 1
    line_end: int = 1
    snippet: Snippet = Snippet()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The page of hits that was asked for, with how many there are in all and what was cut on the way."""

    hits: Sequence[Hit]
    total: int
    total_is_exact: bool = True
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notices: Sequence[str] = ()
