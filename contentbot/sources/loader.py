"""Source files, read and checked: every problem of every file is reported at once, before any request."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import process

from contentbot.errors import ConfigError, ConfigErrors
from contentbot.sources.filters import RuleSet
from contentbot.sources.models import SOURCE_TYPES, LocaleRules, Source
from contentbot.sources.yamltree import Key, YamlTree, key_path, read_yaml

M = TypeVar("M", bound=BaseModel)

# the models of keys below a key
_BELOW: Mapping[Key, type[BaseModel]] = {("locale",): LocaleRules, ("rules",): RuleSet}
_SUFFIXES = frozenset({".yaml", ".yml"})
# where pydantic's own words speak of Python
_PROBLEMS = {
    "missing": "is missing",
    "string_type": "{given} is not a text",
    "string_pattern_mismatch": "{given} does not fit {pattern}",
    "list_type": "{given} is not a list",
    "bool_parsing": "{given} is neither true nor false",
    "bool_type": "{given} is neither true nor false",
}


def load_sources(folder: Path) -> dict[str, Source]:
    """Read every `*.yaml` and `*.yml` of a folder; return the sources by id, sorted.

    Raises:
        ConfigError: the folder is missing, a file is wrong, or two files hold one id; several problems come as
            `ConfigErrors`.
    """
    if not folder.is_dir():
        raise ConfigError("no such folder", file=folder, hint="CONTENTBOT_SOURCES_DIR names it")
    problems: list[ConfigError] = []
    found: dict[str, tuple[Path, Source]] = {}
    for file in source_files(folder):
        try:
            source = load_source(file)
        except ConfigErrors as errors:
            problems.extend(errors.problems)
            continue
        except ConfigError as error:
            problems.append(error)
            continue
        first, _ = found.setdefault(source.id, (file, source))
        if first != file:
            problems.append(
                ConfigError(f"{source.id!r} is the id of {first} too", file=file, key="id", hint="rename one")
            )
    _raise_all(problems)
    return {name: found[name][1] for name in sorted(found)}


def source_files(folder: Path) -> list[Path]:
    """Return the source files of a folder, sorted by name; hidden files are none."""
    files = (file for file in folder.iterdir() if file.suffix in _SUFFIXES and not file.name.startswith("."))
    return sorted(file for file in files if file.is_file())


def load_source(file: Path) -> Source:
    """Read one source file.

    Raises:
        ConfigError: names file, key path, line, and the nearest right key; several problems come as `ConfigErrors`.
    """
    tree = read_yaml(file)
    model = SOURCE_TYPES.get(str(tree.data.get("type")))
    if model is None:
        raise _unknown_type(file, tree)
    return checked(model, file, tree)


def checked(model: type[M], file: Path, tree: YamlTree) -> M:
    """Return what a file says as a model.

    Raises:
        ConfigError: as `load_source`.
    """
    # the aliases only: a key has one spelling
    try:
        return model.model_validate(tree.data, by_alias=True, by_name=False, context={"folder": file.parent})
    except ValidationError as error:
        _raise_all(list(_translated(error, model, file, tree)))
        raise  # a validation error holds at least one problem


def _unknown_type(file: Path, tree: YamlTree) -> ConfigError:
    known = ", ".join(SOURCE_TYPES)
    if "type" not in tree.data:
        near = _near("type", tree.data)
        hint = f"{near!r} on line {tree.lines[(near,)]} looks like it; " if near else ""
        return ConfigError(
            "is missing", file=file, key="type", hint=f"{hint}write 'type: website'; known types: {known}"
        )
    line = tree.lines[("type",)]
    return ConfigError(
        f"line {line}: no type {tree.data['type']!r}", file=file, key="type", hint=f"known types: {known}"
    )


def _translated(error: ValidationError, model: type[BaseModel], file: Path, tree: YamlTree) -> Iterator[ConfigError]:
    """Yield the problems in the order of the file's lines."""
    found = [(tuple(part for part in each["loc"] if part != "[key]"), each) for each in error.errors(include_url=False)]
    for key, details in sorted(found, key=lambda one: _line(tree.lines, one[0])):
        problem, hint = _explained(details, key, model)
        line = _line(tree.lines, key)
        # a missing key has no line of its own
        place = "" if details["type"] == "missing" else f"line {line}: "
        yield ConfigError(place + problem, file=file, key=key_path(key), hint=hint)


def _explained(details: ErrorDetails, key: Key, model: type[BaseModel]) -> tuple[str, str]:
    """Return what is wrong, and what to do."""
    kind, given = details["type"], details["input"]
    context: Mapping[str, Any] = details.get("ctx") or {}
    if kind == "refused":
        return context["problem"], context["hint"]
    if kind == "extra_forbidden":
        known = _keys_beside(key, model)
        near = _near(str(key[-1]), known)
        return "unknown key", f"did you mean {near}?" if near else f"known keys: {', '.join(known)}"
    if kind == "string_type" and isinstance(given, bool | int | float):
        return f"{given!r} is not a text", "put it into quotes"
    if problem := _PROBLEMS.get(kind):
        return problem.format(given=_shortened(given), **context), ""
    return f"{details['msg'][0].lower()}{details['msg'][1:]}, got {_shortened(given)}", ""


def _keys_beside(key: Key, model: type[BaseModel]) -> list[str]:
    fields = _BELOW.get(key[:-1], model).model_fields
    return [info.alias or name for name, info in fields.items()]


def _near(key: str, known: Iterable[str]) -> str:
    """Return the known key that is most like this one, `""` when none is."""
    best = process.extractOne(key.lower().replace("_", "-"), list(known), score_cutoff=72)
    return best[0] if best else ""


def _line(lines: Mapping[Key, int], key: Key) -> int:
    """Return the line of the key, or of the nearest one around it that the file holds."""
    return next(lines[key[:end]] for end in range(len(key), -1, -1) if key[:end] in lines)


def _shortened(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _raise_all(problems: list[ConfigError]) -> None:
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise ConfigErrors(problems)
