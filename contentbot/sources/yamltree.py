"""A YAML file as plain data and the line of every key, read without the surprises of YAML 1.1.

Scalars follow the core schema of YAML 1.2: `no`, `on`, `off`, `1:30` and `2026-03-12` are texts, only `true` and
`false` are truth values. Refused: duplicate keys, anchors and aliases (a few bytes of them can unfold into gigabytes),
numbers with a leading zero (8 to one version of YAML, 10 to the other), and more than one document.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from contentbot.errors import ConfigError

MAX_BYTES = 1 << 20
Key = tuple[str | int, ...]


class _Core(yaml.SafeLoader):
    """The safe loader with the scalars of YAML 1.2's core schema."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own form


_NUMBERS = list("-+0123456789.")
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), _NUMBERS)
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?$"), _NUMBERS
)
_Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])


@dataclass(frozen=True, slots=True)
class YamlTree:
    """The data of one file, and where each key of it stands.

    `lines` maps the path of a key, such as `("url-include", 1)`, to its line, counted from 1.
    """

    data: dict[str, Any]
    lines: dict[Key, int] = field(default_factory=dict)


def read_yaml(file: Path) -> YamlTree:
    """Read one YAML file whose top is a mapping.

    Raises:
        ConfigError: the file cannot be read or is none such; names the line.
    """
    try:
        node = _Composer(_text(file)).get_single_node()
    except RecursionError as error:
        raise ConfigError("nested too deeply", file=file) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise ConfigError(f"line {line}: {error.problem}", file=file, hint=_hint(error)) from error
    except yaml.YAMLError as error:
        raise ConfigError(f"no YAML: {error}", file=file) from error
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError("the file has to hold keys and values", file=file, hint="start with 'id: my-source'")
    builder = _Builder(file)
    data = builder.build(node, ())
    return YamlTree(data, builder.lines)


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ConfigError(f"larger than {MAX_BYTES} bytes", file=file)
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 at byte {error.start}", file=file, hint="save the file as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file) from error


def _hint(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or ""
    if "cannot start any token" in problem:
        return "put a value that starts with such a character, or holds it, into quotes"
    if "mapping values are not allowed" in problem:
        return "put a value that holds ': ' into quotes"
    if "alias" in problem:
        return "put a value that starts with '*' into quotes"
    return ""


class _Composer(_Core):
    """Builds the tree of nodes; an alias is an error here."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="an alias is not understood", problem_mark=mark)
        return super().compose_node(parent, index)


class _Builder:
    """Turns nodes into data, noting lines."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._constructor = _Core("")
        self.lines: dict[Key, int] = {}

    def build(self, node: yaml.Node, key: Key) -> Any:
        self.lines.setdefault(key, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*key, number)) for number, item in enumerate(node.value)]
        return self._scalar(node, key)

    def _mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for name_node, value_node in node.value:
            line = name_node.start_mark.line + 1
            if not isinstance(name_node, yaml.ScalarNode):
                raise self._error("a key has to be a word", key, line)
            name = name_node.value
            if name in built:
                raise self._error(f"the key stands twice, first on line {self.lines[*key, name]}", (*key, name), line)
            self.lines[*key, name] = line
            built[name] = self.build(value_node, (*key, name))
        return built

    def _scalar(self, node: yaml.Node, key: Key) -> Any:
        line = node.start_mark.line + 1
        plain = isinstance(node, yaml.ScalarNode) and node.style is None
        if plain and re.fullmatch(r"[-+]?0[0-9_]+", node.value):
            without = node.value.lstrip("+-0") or "0"
            hint = f"write {without}, or {node.value!r} in quotes for a text"
            raise self._error(f"{node.value} starts with a zero", key, line, hint)
        try:
            return self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise self._error(f"{node.tag} is not understood here", key, line) from error

    def _error(self, problem: str, key: Key, line: int, hint: str = "") -> ConfigError:
        return ConfigError(f"line {line}: {problem}", file=self._file, key=key_path(key), hint=hint)


def key_path(key: Key) -> str:
    """Return a key's path as people write it: `locale.prefixes`, `url-include[1]`."""
    path = ""
    for part in key:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path
