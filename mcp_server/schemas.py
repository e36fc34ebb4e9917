"""JSON schemas as every client can read them: inline, without unions, without words that say nothing."""

from collections.abc import Mapping
from typing import Any, cast

Schema = dict[str, Any]


def portable(schema: Mapping[str, Any]) -> Schema:
    """Return the schema with its definitions inlined and generated titles removed.

    Clients exist that know no `$ref`; a title that repeats the key costs tokens in every session.
    """
    definitions = cast("Mapping[str, Schema]", schema.get("$defs", {}))
    return cast("Schema", _tidy({key: value for key, value in schema.items() if key != "$defs"}, definitions))


def _tidy(node: Any, definitions: Mapping[str, Schema], *, names: bool = False) -> Any:
    """Walk a schema; `names` says that the keys of this node are names of properties, not words of the language."""
    if isinstance(node, list):
        return [_tidy(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if not names and "$ref" in node:
        target = definitions[node["$ref"].removeprefix("#/$defs/")]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return {
        key: _tidy(value, definitions, names=not names and key == "properties")
        for key, value in node.items()
        if names or key != "title" or not isinstance(value, str)
    }
