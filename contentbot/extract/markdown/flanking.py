"""Which runs of `*` a CommonMark parser takes for one another's start and end (specification 0.31, "phase 2")."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class Neighbours(Protocol):
    """First and last character of what each token of a paragraph becomes."""

    first: list[str]
    last: list[str]


@dataclass(slots=True)
class _Run:
    """Delimiters in a row; `left` holds those (by token index, with their length) that are not paired yet."""

    left: list[tuple[int, int]]
    opens: bool
    closes: bool
    length: int

    @property
    def remaining(self) -> int:
        return sum(length for _, length in self.left)


def misread(edges: Neighbours, written: Mapping[int, str], ends: Mapping[int, int]) -> int | None:
    """Return the index of a delimiter that would not pair up as meant; None when all of them do.

    Args:
        edges: the characters beside the tokens.
        written: the delimiter of each token that is one.
        ends: the token that ends the mark, for each token that starts one.
    """
    openers: list[_Run] = []
    for run in _runs(edges, written):
        while run.closes and run.left:
            number = _opener_for(run, openers)
            if number is None:
                break
            del openers[number + 1 :]
            if (wrong := _pair(openers[number], run, ends)) is not None:
                return wrong
            if not openers[number].left:
                openers.pop()
        if run.left and run.opens:
            openers.append(run)
        elif run.left:
            return run.left[0][0]
    return openers[0].left[0][0] if openers else None


def _runs(edges: Neighbours, written: Mapping[int, str]) -> Sequence[_Run]:
    groups: list[list[int]] = []
    for index in sorted(index for index, delimiter in written.items() if delimiter[:1] == "*"):
        if groups and groups[-1][-1] == index - 1:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [_run(edges, written, group) for group in groups]


def _run(edges: Neighbours, written: Mapping[int, str], group: Sequence[int]) -> _Run:
    before = edges.last[group[0] - 1] if group[0] else ""
    after = edges.first[group[-1] + 1] if group[-1] + 1 < len(edges.first) else ""
    left = [(index, len(written[index])) for index in group]
    return _Run(left, *flanking(before, after), sum(length for _, length in left))


def flanking(before: str, after: str) -> tuple[bool, bool]:
    """Tell whether a run of delimiters between two characters is left-flanking, and whether it is right-flanking."""
    left = not is_space(after) and (not is_punctuation(after) or is_space(before) or is_punctuation(before))
    right = not is_space(before) and (not is_punctuation(before) or is_space(after) or is_punctuation(after))
    return left, right


def _opener_for(closer: _Run, openers: Sequence[_Run]) -> int | None:
    for number in range(len(openers) - 1, -1, -1):
        opener = openers[number]
        both_ways = opener.closes or closer.opens
        if not (both_ways and (opener.length + closer.length) % 3 == 0 and (opener.length % 3 or closer.length % 3)):
            return number
    return None


def _pair(opener: _Run, closer: _Run, ends: Mapping[int, int]) -> int | None:
    """Pair what stands innermost; return a delimiter that was meant for another one."""
    use = 2 if min(opener.remaining, closer.remaining) >= 2 else 1
    start, end = opener.left[-1], closer.left[0]
    if ends.get(start[0]) != end[0]:
        return end[0]
    if start[1] == use:
        opener.left.pop()
        closer.left.pop(0)
        return None
    # strong around emphasis that starts and ends with it is read the other way round, which looks the same
    outer_start, outer_end = opener.left[-2:-1], closer.left[1:2]
    if use == 2 and outer_start and outer_end and ends.get(outer_start[0][0]) == outer_end[0][0]:
        del opener.left[-2:], closer.left[:2]
        return None
    return end[0]


def is_space(character: str) -> bool:
    """Tell whether a character is whitespace; the edge of a paragraph counts as such."""
    return not character or character.isspace()


def is_punctuation(character: str) -> bool:
    """Tell whether a character is punctuation or a symbol, which newer parsers count as punctuation."""
    return bool(character) and unicodedata.category(character)[0] in "PS"


def is_plain_punctuation(character: str) -> bool:
    """Tell whether every parser, old and new, counts a character as punctuation."""
    if not character:
        return False
    return unicodedata.category(character)[0] == "P" or (character.isascii() and is_punctuation(character))
