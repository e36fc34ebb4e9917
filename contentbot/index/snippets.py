"""A short passage of a section around the words that matched."""

import bisect
import re
import sys
from collections.abc import Sequence

from contentbot.index.query import Snippet

_WORD = re.compile(r"\S+")
_BLANKS = re.compile(r"\s{2,}")
# scripts that write without spaces: so many characters stand for one word
_CHARACTERS_PER_WORD = 12


def snippet(text: str, marks: Sequence[tuple[int, int]], words: int) -> Snippet:
    """Return the window of about `words` words that holds the most different matches, first of equals.

    Line breaks become spaces; `marks` are sorted character ranges of `text`, the result's are ranges of its own text.
    """
    if words <= 0 or not text.strip():
        return Snippet()
    start, end = _window(text, marks, words)
    lead, trail = "… " if text[:start].strip() else "", " …" if text[end:].strip() else ""
    inside = [(max(low, start) - start, min(high, end) - start) for low, high in marks if low < end and high > start]
    passage, moved = _flattened(text[start:end], inside)
    return Snippet(
        text=f"{lead}{passage}{trail}",
        marks=tuple((low + len(lead), high + len(lead)) for low, high in moved),
    )


def _window(text: str, marks: Sequence[tuple[int, int]], words: int) -> tuple[int, int]:
    spans = _spans(text, words)
    first = _densest(text, spans, marks, words) if marks else 0
    chosen = spans[first : first + words]
    start, end = chosen[0][0], chosen[-1][1]
    longest = words * _CHARACTERS_PER_WORD
    if end - start > longest:
        matched = next((low for low, _ in marks if start <= low < end), start)
        start = max(start, matched - longest // 4)
        end = min(end, start + longest)
    return start, max([end, *(high for low, high in marks if start <= low < end)])


def _spans(text: str, words: int) -> list[tuple[int, int]]:
    """Split into words; what is longer than a whole snippet (no spaces, or a data blob) in pieces."""
    spans = list(map(re.Match.span, _WORD.finditer(text)))
    longest = max(words * _CHARACTERS_PER_WORD // 2, 40)
    if max(map(len, text.split())) < longest:
        return spans
    return [(at, min(at + longest, high)) for low, high in spans for at in range(low, high, longest)]


def _densest(text: str, spans: list[tuple[int, int]], marks: Sequence[tuple[int, int]], words: int) -> int:
    """Return the number of the word that the best window starts with: a few words before its first match."""
    numbered = _numbered(spans, marks)
    best, best_value = 0, (-1, -1)
    for position, (first, _) in enumerate(numbered):
        inside = [mark for number, mark in numbered[position : position + words] if number < first + words]
        distinct = len({text[low:high].casefold() for low, high in inside})
        if (distinct, len(inside)) > best_value:
            best_value, best = (distinct, len(inside)), position
    first = numbered[best][0]
    last = max(number for number, _ in numbered[best:] if number < first + words)
    margin = (words - (last - first + 1)) // 2
    return max(0, min(first - margin, len(spans) - words))


def _numbered(spans: list[tuple[int, int]], marks: Sequence[tuple[int, int]]) -> list[tuple[int, tuple[int, int]]]:
    """Pair each mark with the number of the word it starts in."""
    return [(max(0, bisect.bisect_right(spans, (mark[0], sys.maxsize)) - 1), mark) for mark in marks]


def _flattened(passage: str, marks: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Turn every run of white space into one space, and move the marks along."""
    ends, removed = [0], [0]
    for run in _BLANKS.finditer(passage):
        ends.append(run.end())
        removed.append(removed[-1] + len(run[0]) - 1)

    def moved(position: int) -> int:
        return position - removed[bisect.bisect_right(ends, position) - 1]

    return " ".join(passage.split()), [(moved(low), moved(high - 1) + 1) for low, high in marks]
