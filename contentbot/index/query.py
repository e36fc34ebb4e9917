"""What can be asked of an index: a filter tree, a request, and the result that comes back.

Filters are data, never text: no value can change the meaning of the tree it stands in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from contentbot.documents import ContentDocument
from contentbot.errors import InvalidQuery

TEXT_FIELDS = ("source", "locale", "author", "category", "kind", "key", "id", "url")
"""Fields that `Equals` and `AnyOf` take. `locale` `en` also matches `en-US`; `author`, `category` and `url` (additional
addresses included) match any of a document's values."""

NUMBER_FIELDS = ("published", "fetched")
"""Fields that `Between` takes, in Unix seconds."""

FACET_FIELDS = ("source", "locale", "author", "category", "kind")
"""Fields whose values can be counted."""

MAX_WINDOW = 10_000
"""`offset + limit` may not pass this: deeper paging is a job for `Index.export`."""


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
    """One question. An empty query matches every document that the filter lets through, newest first.

    `query` takes words, `"quoted phrases"` that must be there and `-words` that must not. The last word also matches
    as the beginning of a word unless a space follows it. `locale` is the language that the words are in, a hint for
    their analysis (empty: any); it filters nothing, `filter` does.
    """

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


def leaves(tree: Filter) -> Iterator[Equals | AnyOf | Between]:
    """Yield the comparisons of a filter tree."""
    match tree:
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part)
        case Not(part):
            yield from leaves(part)
        case _:
            yield tree


def check_filter(tree: Filter) -> None:
    """Raise InvalidQuery for a field that is unknown or compared in a way it cannot be."""
    for leaf in leaves(tree):
        known = NUMBER_FIELDS if isinstance(leaf, Between) else TEXT_FIELDS
        if leaf.field not in known:
            kind = "ranges" if isinstance(leaf, Between) else "values"
            raise InvalidQuery(f"no field {leaf.field!r} to filter by; {kind} can be asked of: {', '.join(known)}")


def check_facets(fields: Sequence[str]) -> None:
    """Raise InvalidQuery for a field whose values cannot be counted."""
    for name in fields:
        if name not in FACET_FIELDS:
            raise InvalidQuery(f"no field {name!r} to count values of; there are: {', '.join(FACET_FIELDS)}")


def check_page(offset: int, limit: int) -> None:
    """Raise InvalidQuery for a page outside of the window that can be asked for."""
    if offset < 0 or limit < 0:
        raise InvalidQuery(f"offset {offset} and limit {limit} must not be negative")
    if offset + limit > MAX_WINDOW:
        raise InvalidQuery(
            f"offset {offset} + limit {limit} is over {MAX_WINDOW}: narrow the filter, or export the source"
        )
