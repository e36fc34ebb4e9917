"""The outline: every heading with the anchor that leads to it and the lines of its section."""

import re
from collections.abc import Iterable, Sequence

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
    slugs = _Slugs(placed.title.anchor for placed in titles)
    return tuple(
        Heading(
            level=placed.title.level,
            title=placed.text,
            anchor=placed.title.anchor or slugs.new(placed.text),
            line_start=placed.line,
            line_end=end,
        )
        for placed, end in zip(titles, ends, strict=True)
    )


def _section_ends(titles: Sequence[PlacedTitle], last_line: int) -> list[int]:
    ends = [last_line] * len(titles)
    open_sections: list[int] = []
    for number, placed in enumerate(titles):
        while open_sections and titles[open_sections[-1]].title.level >= placed.title.level:
            ends[open_sections.pop()] = placed.line - 1
        open_sections.append(number)
    return ends


class _Slugs:
    """Gives out the anchors that GitHub gives to headings; a second one of the same words gets a number.

    Args:
        taken: the anchors that the page itself has.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def new(self, text: str) -> str:
        base = slug = _NOT_IN_SLUG.sub("", text.lower()).replace(" ", "-")
        number = self._last.get(base, 0)
        while slug in self._taken:
            number += 1
            slug = f"{base}-{number}"
        self._taken.add(slug)
        self._last[base] = number
        return slug
