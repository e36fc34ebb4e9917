"""A source with some keys changed for one run, checked as its file was."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError
from rapidfuzz import process

from contentbot.errors import ConfigError
from contentbot.sources.models import SourceBase

SomeSource = TypeVar("SomeSource", bound=SourceBase)

# its documents would belong to another source, or to none
_FIXED = frozenset({"id", "type"})


def overridden(source: SomeSource, changes: Mapping[str, str]) -> SomeSource:
    """Return the source with these keys replaced; `rate_limit` and `rate-limit` are one key.

    Raises:
        ConfigError: an unknown key, with the nearest right one, or a value that the file could not hold either.
    """
    named = {name.replace("_", "-"): value for name, value in changes.items()}
    known = [info.alias or name for name, info in type(source).model_fields.items()]
    for name in named:
        if name not in known or name in _FIXED:
            raise _unknown(name, sorted(set(known) - _FIXED))
    try:
        return type(source).model_validate({**source.model_dump(by_alias=True), **named}, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        given = "" if first["type"] == "refused" else f", got {first['input']!r}"
        raise ConfigError(f"{first['msg']}{given}", file=f"-a {key}", hint=_hint(first)) from error


def _unknown(name: str, known: list[str]) -> ConfigError:
    near = process.extractOne(name, known, score_cutoff=72)
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
    return ConfigError("cannot be changed" if name in _FIXED else "unknown key", file=f"-a {name}", hint=hint)


def _hint(details: Mapping[str, object]) -> str:
    context = details.get("ctx")
    return str(context.get("hint", "")) if isinstance(context, Mapping) else ""
