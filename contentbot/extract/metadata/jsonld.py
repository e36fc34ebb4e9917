"""JSON-LD as it is found on pages: read with the faults that it has there."""

import html
import json
import re
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

_MAX_SCRIPTS = 60
_MAX_BLOCK = 2_000_000
_MAX_VALUES = 50
_MAX_OPEN = 100
_CLOSED_BY = {"[": "]", "{": "}"}

_WRAPPING = re.compile(r"^\s*(?:(?://|/\*)?\s*(?:<!--|<!\[CDATA\[)\s*(?:\*/|//)?|//[^\n]*\n|/\*.*?\*/)\s*", re.DOTALL)
# a string that nothing closes goes to the end: were it tried again from every quotation mark, time would grow squared
_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING_OR_SIGN = re.compile(rf"{_STRING}|[\[\]{{}},]", re.DOTALL)
# a quotation mark that opens or closes a string stands at JSON's punctuation; any other one is part of the text
_INNER_QUOTE = re.compile(r'(?<![\s:,{\[\\])"(?!\s*[,:}\]])|(?<=[^\s:,{\[\\]\s)"(?=[^\s,:}\]])')
_ASSIGNMENT = re.compile(r"^(?:(?:var|let|const)\s+)?[\w.$]{1,60}\s*=\s*(?=[{\[])")
_BETWEEN_VALUES = re.compile(r"[\s;,]*(?=[{\[])")


def read_blocks(tree: HtmlElement) -> list[Any]:
    """Return every JSON value of the page's JSON-LD blocks; a block that can't be read costs itself only.

    Blocks that break off count where there is no whole one: half an article beside one would look like its neighbour.
    """
    whole, broken = list[Any](), list[Any]()
    scripts = (one for one in tree.iter("script") if "ld+json" in (one.get("type") or "").lower())
    for script in islice(scripts, _MAX_SCRIPTS):
        values, complete = _parse(script.text or "")
        (whole if complete else broken).extend(values)
    return whole or broken


def parse_lenient(text: str) -> list[Any]:
    """Read JSON with the faults that pages have.

    Comments in it, CDATA marks and an assignment around it, raw control characters and bare quotation marks in
    strings, trailing commas and semicolons, wrong escapes, escaped quotes, an end that is missing, and several values
    one after the other; also more than one of them at once.
    """
    return _parse(text)[0]


def _parse(text: str) -> tuple[list[Any], bool]:
    """Return the values of a text, and whether they stand there to their end."""
    text = text[:_MAX_BLOCK].lstrip("\ufeff \t\r\n")
    while match := _WRAPPING.match(text):
        text = text[match.end() :]
    text = _ASSIGNMENT.sub("", text)
    for attempt in _REPAIRS:
        if (repaired := attempt(text)) is not None and (values := _values(repaired)):
            return values, True
    return _values(_closed(text) or ""), False


def _as_is(text: str) -> str:
    return text


def _without_trailing_commas(text: str) -> str | None:
    return _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], text) if "," in text else None


def _escapes_mended(text: str) -> str | None:
    if "\\" not in text:
        return None
    mended = _ESCAPE.sub(lambda match: match[0] if len(match[0]) > 1 else r"\\", text)
    return _without_trailing_commas(mended) or mended


def _entities_decoded(text: str) -> str | None:
    return html.unescape(text) if "&quot;" in text or "&#" in text else None


def _without_comments(text: str) -> str | None:
    if "//" not in text and "/*" not in text:
        return None
    bare = _STRING_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else "", text)
    return _without_trailing_commas(bare) or bare


def _quotes_mended(text: str) -> str | None:
    mended = _INNER_QUOTE.sub(r'\\"', text)
    return None if mended == text else _without_trailing_commas(mended) or mended


def _all_mended(text: str) -> str | None:
    mended = text
    for mend in (_without_comments, _escapes_mended, _quotes_mended, _without_trailing_commas):
        mended = mend(mended) or mended
    return None if mended == text else mended


def _closed(text: str) -> str | None:
    """Return a text that breaks off up to its last whole member, with what is open closed."""
    text = _all_mended(text) or text
    still_open, end, closing = list[str](), 0, ""
    for match in _STRING_OR_SIGN.finditer(text):
        if match[0] in _CLOSED_BY:
            still_open.append(_CLOSED_BY[match[0]])
            if len(still_open) > _MAX_OPEN:
                return None
        elif match[0] == ",":
            end, closing = match.start(), "".join(reversed(still_open))
        elif match[0] in _CLOSED_BY.values():
            if not still_open or still_open.pop() != match[0]:
                return None
            end, closing = match.end(), "".join(reversed(still_open))
    return text[:end] + closing if still_open and end else None


# tried one after the other until one of them makes the text readable
_REPAIRS = (
    _as_is,
    _without_trailing_commas,
    _escapes_mended,
    _entities_decoded,
    _without_comments,
    _quotes_mended,
    _all_mended,
)


def _values(text: str) -> list[Any]:
    """Return the values that stand at the start of the text, one after the other; none when the first is broken."""
    decoder, values = json.JSONDecoder(strict=False), list[Any]()
    match = _BETWEEN_VALUES.match(text)
    while match and len(values) < _MAX_VALUES:
        try:
            value, position = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            break
        values.append(value)
        match = _BETWEEN_VALUES.match(text, position)
    return values
