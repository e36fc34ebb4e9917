"""Answers that fit: ranges of the size parameters, and the tokens a page may cost in either form."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pydantic import BaseModel

from mcp_server.tokens import tokens

HIT_TOKENS = 195
"""What a hit or listed post is to cost on average, as text and as structured content alike: passages make room."""

MOST_HIT_TOKENS = 208
"""What it may cost at most, where long names and addresses leave no room: ten stay under 2,000, counted generously."""

BODY_TOKENS = 9_000
"""What one page of a body may cost: with its header it stays under the 25,000 tokens of common clients even doubled."""

_LEAST_ITEMS = 10
_MOST_CHARS, _LEAST_CHARS = 240, 60

Item = TypeVar("Item", bound=BaseModel)


def within(name: str, value: int, low: int, high: int | None = None) -> tuple[int, list[str]]:
    """Return the value inside its range, with a notice where it was not."""
    inside = max(value, low) if high is None else min(max(value, low), high)
    goes = f"starts at {low}" if high is None else f"goes from {low} to {high}"
    return inside, [] if inside == value else [f"{name} {goes}: {value} was taken as {inside}."]


def fitting(count: int, size: int, shape: Callable[[int, int], Item], text: Callable[[Item], str]) -> list[Item]:
    """Shape as many of `count` items as the budget of a page of `size` holds, with passages as long as they can be.

    Args:
        shape: number of an item and length of its passage in characters, to the item.
        text: item to its text form.
    """
    page = max(size, _LEAST_ITEMS)
    items = [shape(number, 0) for number in range(count)]
    for chars in _lengths(HIT_TOKENS * page - _cost(items, text), count):
        longer = [shape(number, chars) for number in range(count)]
        if _cost(longer, text) <= HIT_TOKENS * page:
            return longer
    while len(items) > 1 and _cost(items, text) > MOST_HIT_TOKENS * page:
        items.pop()
    return items


def _lengths(spare: int, count: int) -> Iterator[int]:
    """Yield passage lengths to try, longest first, for the tokens that are left to `count` items."""
    chars = min(_MOST_CHARS, 5 * spare // max(count, 1))
    while chars >= _LEAST_CHARS:
        yield chars
        chars = chars * 4 // 5


def _cost(items: Sequence[Item], text: Callable[[Item], str]) -> int:
    structured = sum(tokens(item.model_dump_json()) for item in items)
    return max(structured, sum(tokens(text(item)) for item in items))
