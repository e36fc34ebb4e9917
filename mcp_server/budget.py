"""Answers that fit: ranges of the size parameters, and the tokens a page may cost in either form."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from mcp_server.tokens import tokens

HIT_TOKENS = 182
"""What a hit or listed post is to cost on average, as text and as structured content alike: passages make room."""

MOST_HIT_TOKENS = 194
"""What it may cost at most, where long names and addresses leave no room: ten stay under 2,000."""

BODY_TOKENS = 9_000
"""What one page of a body may cost: with its header it stays under the 25,000 tokens of common clients even doubled."""

_SHORTENED = "Long titles, headings and lists of categories are shortened to fit; get_post has them in full."
_LEAST_ITEMS = 10
_MOST_CHARS, _LEAST_CHARS = 240, 60


@dataclass(frozen=True, slots=True)
class Form:
    """How long the parts of an item may be, in characters; of its categories, how many."""

    passage: int = _MOST_CHARS
    title: int = 160
    section: int = 120
    name: int = 80
    categories: int = 8


_ROOMY, _TIGHT = Form(passage=0), Form(passage=0, title=72, section=48, name=40, categories=3)

Item = TypeVar("Item", bound=BaseModel)


def within(name: str, value: int, low: int, high: int | None = None) -> tuple[int, list[str]]:
    """Return the value inside its range, with a notice where it was not."""
    inside = max(value, low) if high is None else min(max(value, low), high)
    goes = f"starts at {low}" if high is None else f"goes from {low} to {high}"
    return inside, [] if inside == value else [f"{name} {goes}: {value} was taken as {inside}."]


def fitting(
    count: int, size: int, shape: Callable[[int, Form], Item], text: Callable[[Item], str]
) -> tuple[list[Item], list[str]]:
    """Shape as many of `count` items as the budget of a page of `size` holds, with passages as long as they can be.

    Where long names leave the passages no room, the names are shortened; only then are items left out.

    Args:
        shape: number of an item and its form, to the item.
        text: item to its text form.

    Returns:
        The items, and a notice where more than passages was shortened.
    """
    page = max(size, _LEAST_ITEMS)
    for form in (_ROOMY, _TIGHT):
        bare = [shape(number, form) for number in range(count)]
        for chars in _lengths(HIT_TOKENS * page - _cost(bare, text), count):
            items = [shape(number, replace(form, passage=chars)) for number in range(count)]
            if _cost(items, text) <= HIT_TOKENS * page:
                return items, [_SHORTENED] if form is _TIGHT else []
    items = [shape(number, replace(_TIGHT, passage=_LEAST_CHARS)) for number in range(count)]
    while len(items) > 1 and _cost(items, text) > MOST_HIT_TOKENS * page:
        items.pop()
    return items, [_SHORTENED]


def _lengths(spare: int, count: int) -> Iterator[int]:
    """Yield passage lengths to try, longest first, for the tokens that are left to `count` items."""
    chars = min(_MOST_CHARS, int(3.5 * spare) // max(count, 1))
    while chars >= _LEAST_CHARS:
        yield chars
        chars = chars * 4 // 5


def _cost(items: Sequence[Item], text: Callable[[Item], str]) -> int:
    structured = sum(tokens(item.model_dump_json()) for item in items)
    return max(structured, sum(tokens(text(item)) for item in items))
