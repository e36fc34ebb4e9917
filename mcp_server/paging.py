"""Where a page of a long Markdown body ends."""

import re
from bisect import bisect_right

from mcp_server.tokens import tokens

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_BREAKS = (re.compile(r"\n[ \t]*\n+"), re.compile(r"\n"))
_SPACE = re.compile(r"\s")


def page_end(body: str, offset: int, max_chars: int, max_tokens: int) -> int:
    """Return where the page that starts at `offset` ends: past at least one character, at most `max_chars` on.

    The last paragraph break in the second half of the page is best, then the last line break, neither inside of a
    fenced code block; then a line break inside of one, then a space. A script that costs more tokens
    gets a shorter page.
    """
    limit = min(len(body), offset + max_chars)
    while (cost := tokens(body[offset:limit])) > max_tokens and limit > offset + 1:
        limit = offset + max(1, (limit - offset) * max_tokens // cost)
    if limit >= len(body):
        return len(body)
    fences = _fences(body)
    low = offset + (limit - offset) // 2
    for breaks in _BREAKS:
        if end := _last(breaks, body, low, limit, outside=fences):
            return end
    for breaks in (_BREAKS[1], _SPACE):
        if end := _last(breaks, body, low, limit, outside=[]):
            return end
    return limit


def _last(breaks: re.Pattern[str], body: str, low: int, high: int, *, outside: list[tuple[int, int]]) -> int:
    """Return the end of the last break in the range that is not inside of a span; 0 where there is none."""
    ends = [match.end() for match in breaks.finditer(body, low, high)]
    return next((end for end in reversed(ends) if end > low and not _inside(end, outside)), 0)


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (position, len(spans) and spans[-1][1])) - 1
    return at >= 0 and spans[at][0] < position < spans[at][1]


def _fences(body: str) -> list[tuple[int, int]]:
    """Return the fenced code blocks (CommonMark 4.5) as half-open spans, in order; one that never closes runs on."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(body):
        marker, info = match[1], match[2].strip()
        if opened is None:
            if marker[0] == "~" or "`" not in info:
                opened = match.start(), marker
        elif marker[0] == opened[1][0] and len(marker) >= len(opened[1]) and not info:
            spans.append((opened[0], match.end()))
            opened = None
    return [*spans, (opened[0], len(body))] if opened else spans
