"""What is deployed, as its files say it: services, variables, the steps of the image."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import typer
import yaml

from contentbot.cli.app import app

ROOT = Path(__file__).parents[2]
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def compose() -> dict[str, Any]:
    """Return compose.yaml, merged as YAML merges."""
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def services() -> dict[str, dict[str, Any]]:
    """Return the services by name."""
    return compose()["services"]


def variables(value: object) -> dict[str, str | None]:
    """Return the variables that a part of compose.yaml reads, with their defaults; None where one has to be set."""
    return {name: None if kind != "-" else default for name, kind, default in _VARIABLE.findall(str(value))}


def examples() -> dict[str, str]:
    """Return the variables of .env.example."""
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with what follows them, on one line each."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def check_contentbot(words: Sequence[str]) -> None:
    """Raise what the command line says against these words of `contentbot`, without doing what they ask."""
    command: Any = typer.main.get_command(app)
    context = click.Context(command, info_name="contentbot")
    rest = list(words)
    while hasattr(command, "commands"):
        name, command, rest = command.resolve_command(context, rest)
        context = click.Context(command, info_name=name, parent=context)
    command.parse_args(context, rest)


def check_docker(words: Sequence[str]) -> None:
    """Check a line of `docker compose` against the files: what it names is there, what it runs is a command of ours."""
    compose_word, action, *rest = words
    assert compose_word == "compose"
    options = [word for word in rest if word.startswith("-")]
    named = [word for word in rest if not word.startswith("-")]
    known: Mapping[str, set[str]] = {
        "up": {"-d"}, "ps": set(), "exec": set(), "logs": {"-f"}, "pull": set(), "build": set(), "stop": set(),
    }  # fmt: skip
    assert set(options[: 1 if action == "exec" else None]) <= known[action] or action == "exec"
    if action == "exec":
        service, program, *arguments = rest
        assert service in services()
        assert program == "contentbot"
        check_contentbot(arguments)
    else:
        assert set(named) <= set(services())


def shell(line: str) -> list[str]:
    """Return the words of a command line."""
    return shlex.split(line)
