"""The outline: every heading with the anchor that leads to it and the lines of its section."""

import re
from collections.abc import Sequence

from contentbot.documents import Heading
from contentbot.extract.markdown.writer import PlacedTitle

_NOT_IN_SLUG = re.compile(r"[^\w\- ]+")


def outline(titles: Sequence[PlacedTitle], last_line: int) -> tuple[Heading, ...]:
    """Return the headings; a section ends before the next heading of its own or a higher level.

    Args:
        titles: in the order they stand.
        last_line: the last line of the document.
    """
    ends = _section_ends(titles, last_line)
    taken = {placed.title.anchor for placed in titles}
    headings = []
    for placed, end in zip(titles, ends, strict=True):
        anchor = placed.title.anchor or _slug(placed.text, taken)
        headings.append(
            Heading(level=placed.title.level, title=placed.text, anchor=anchor, line_start=placed.line, line_end=end)
        )
    return tuple(headings)


def _section_ends(titles: Sequence[PlacedTitle], last_line: int) -> list[int]:
    ends = [last_line] * len(titles)
    open_sections: list[int] = []
    for number, placed in enumerate(titles):
        while open_sections and titles[open_sections[-1]].title.level >= placed.title.level:
            ends[open_sections.pop()] = placed.line - 1
        open_sections.append(number)
    return ends


def _slug(text: str, taken: set[str]) -> str:
    """Return the anchor that GitHub gives a heading; a second one of the same words gets a number."""
    base = _NOT_IN_SLUG.sub("", text.lower()).replace(" ", "-")
    slug, number = base, 0
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    taken.add(slug)
    return slug
