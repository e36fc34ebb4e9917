"""Filter trees as expressions of the engine.

The engine compares texts without regard to case and accents, cuts them at 468 bytes, and its quoting does not
undo an escaped backslash. So values are not compared as they are: every record carries `terms`, a hash for each
field and value that a filter may name. An expression then holds names of our own, numbers and hexadecimal digits only,
and no value can change its shape.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from contentbot.index.query import And, AnyOf, Between, Equals, Filter, Not, Or
from contentbot.index.values import stored_form

EVERY = "terms EXISTS"
"""Matches every record of a document or section; what tells which index it is has no terms."""

NONE = "terms NOT EXISTS AND terms EXISTS"

MOMENTS = {"published": "publishedTimestamp", "fetched": "fetchedTimestamp"}

_LARGEST = 1 << 53  # beyond it the engine's numbers are not exact; no date is


def term(field: str, value: str) -> str:
    """Return what stands for one value of a field; the value is in its stored form."""
    return hashlib.sha256(f"{field}\0{value}".encode()).hexdigest()[:32]


def terms(values: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what stands for all values of a document."""
    return [term(field, value) for field, each in values.items() for value in dict.fromkeys(each)]


def expression(tree: Filter) -> str:
    """Compile a filter tree; it matches no record but those of documents and sections."""
    return f"{EVERY} AND {_compiled(tree)}"


def any_key(keys: Iterable[str]) -> str:
    """Match the records of documents by the engine's keys, which hold no character that needs quoting."""
    return f"key IN [{', '.join(keys)}]"


def both(*parts: str) -> str:
    """Match what every part matches."""
    return " AND ".join(f"({part})" for part in parts)


def _compiled(tree: Filter) -> str:
    match tree:
        case Equals(field, value):
            return f"terms = {term(field, stored_form(field, value))}"
        case AnyOf(field, values):
            return f"terms IN [{', '.join(term(field, stored_form(field, value)) for value in values)}]"
        case Between(field, low, high):
            return _between(MOMENTS[field], low, high)
        case And(parts):
            return f"({' AND '.join(map(_compiled, parts)) or EVERY})"
        case Or(parts):
            return f"({' OR '.join(map(_compiled, parts)) or NONE})"
        case Not(part):
            return f"(NOT {_compiled(part)})"


def _between(field: str, low: int | None, high: int | None) -> str:
    least = -_LARGEST if low is None else max(-_LARGEST, min(low, _LARGEST))
    most = _LARGEST if high is None else max(-_LARGEST, min(high, _LARGEST))
    return f"({field} >= {least} AND {field} <= {most})"
