"""What clients send, brought to what the tools take; and what is wrong with it, in words a model can act on."""

import difflib
from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError
from pydantic.fields import FieldInfo

# What models call a parameter that has another name here.
_SYNONYMS = {
    "q": "query",
    "text": "query",
    "search": "query",
    "keywords": "query",
    "lang": "locale",
    "language": "locale",
    "site": "source",
    "sources": "source",
    "tag": "category",
    "tags": "category",
    "topic": "category",
    "from": "since",
    "date": "since",
    "after": "since",
    "count": "limit",
    "top_k": "limit",
    "max_results": "limit",
    "page_size": "size",
    "per_page": "size",
    "link": "url",
    "uri": "url",
    "post_id": "id",
    "document_id": "id",
    "start": "offset",
    "length": "max_chars",
}
_NOTHING = ("", "null", "none", "undefined")
_EXPECTED = {"int": "a whole number", "string": "text"}


def clean(tool: str, arguments: Mapping[str, Any], fields: Mapping[str, FieldInfo]) -> dict[str, Any]:
    """Return the arguments without what clients send for "not given", lists of one value unpacked.

    Raises:
        ToolError: a parameter the tool does not have; the message names the nearest one.
    """
    given = {name: _unpacked(value) for name, value in arguments.items() if value is not None}
    for name in given:
        if name not in fields:
            raise ToolError(_unknown(tool, name, list(fields)))
    return {name: value for name, value in given.items() if fields[name].is_required() or not _blank(value)}


def explain(tool: str, error: ValidationError) -> str:
    """Say which arguments are wrong and what would be right."""
    return f"{tool}: " + "; ".join(
        f"{'.'.join(str(part) for part in one['loc'])} {_problem(one['type'], one.get('input'))}"
        for one in error.errors(include_url=False, include_context=False)
    )


def _unpacked(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _blank(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold() in _NOTHING


def _unknown(tool: str, name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.5)
    synonym = _SYNONYMS.get(name.casefold(), "")
    best = synonym if synonym in known else (near[0] if near else "")
    hint = f"did you mean {best!r}? " if best else ""
    return f"{tool} has no parameter {name[:60]!r}; {hint}It takes: {', '.join(known)}"


def _problem(kind: str, value: Any) -> str:
    if kind == "missing":
        return "is missing"
    expected = _EXPECTED.get(kind.partition("_")[0], "another value")
    return f"must be {expected}, not {str(value)[:60]!r}"
