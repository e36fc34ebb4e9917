"""The part of Meilisearch's filter language that the adapter writes, evaluated over one record."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Record = Mapping[str, Any]
Matches = Callable[[Record], bool]

_TOKEN = re.compile(r"\s*(>=|<=|[()\[\],=]|[\w.-]+)")


def matching(text: str) -> Matches:
    """Return what says whether a record matches; raises ValueError for what the adapter does not write."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s+", "", text):
        raise ValueError(text)
    found, rest = _either(tokens)
    if rest:
        raise ValueError(f"{text}: left over: {rest}")
    return found


def _either(tokens: list[str]) -> tuple[Matches, list[str]]:
    first, tokens = _both(tokens)
    parts = [first]
    while tokens[:1] == ["OR"]:
        part, tokens = _both(tokens[1:])
        parts.append(part)
    return lambda record: any(part(record) for part in parts), tokens


def _both(tokens: list[str]) -> tuple[Matches, list[str]]:
    first, tokens = _single(tokens)
    parts = [first]
    while tokens[:1] == ["AND"]:
        part, tokens = _single(tokens[1:])
        parts.append(part)
    return lambda record: all(part(record) for part in parts), tokens


def _single(tokens: list[str]) -> tuple[Matches, list[str]]:
    match tokens:
        case ["NOT", *rest]:
            part, rest = _single(rest)
            return lambda record: not part(record), rest
        case ["(", *rest]:
            part, rest = _either(rest)
            if rest[:1] != [")"]:
                raise ValueError(f"no end: {rest}")
            return part, rest[1:]
        case [field, *rest]:
            return _condition(field, rest)
    raise ValueError("nothing to compare")


def _condition(field: str, tokens: list[str]) -> tuple[Matches, list[str]]:
    match tokens:
        case ["EXISTS", *rest]:
            return lambda record: field in record, rest
        case ["NOT", "EXISTS", *rest]:
            return lambda record: field not in record, rest
        case ["=", value, *rest]:
            return lambda record: value in _values(record, field), rest
        case ["IN", "[", *rest]:
            end = rest.index("]")
            wanted = {one for one in rest[:end] if one != ","}
            return lambda record: not wanted.isdisjoint(_values(record, field)), rest[end + 1 :]
        case [">=", number, *rest]:
            return lambda record: any(one >= int(number) for one in _numbers(record, field)), rest
        case ["<=", number, *rest]:
            return lambda record: any(one <= int(number) for one in _numbers(record, field)), rest
    raise ValueError(f"unknown: {field} {tokens}")


def _values(record: Record, field: str) -> list[str]:
    value = record.get(field, [])
    return [str(one) for one in (value if isinstance(value, list) else [value])]


def _numbers(record: Record, field: str) -> list[int]:
    return [int(one) for one in _values(record, field)]
