"""Where words go: answers to stdout, everything on the way to stderr."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

# what comes from a file or a page is never read as markup or emoji, and not folded narrowly where nobody looks
_WIDE = 160
out = Console(highlight=False, emoji=False, width=None if sys.stdout.isatty() else _WIDE)
err = Console(stderr=True, highlight=False, emoji=False, width=None if sys.stderr.isatty() else _WIDE)

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON on stdout.")]


def complain(message: str) -> None:
    """Say on stderr what went wrong, a line for each problem."""
    for line in message.splitlines():
        err.print(f"[red]error:[/] {escape(visible(line))}", soft_wrap=True)


def note(message: str) -> None:
    """Say something on stderr."""
    err.print(f"[dim]{escape(visible(message))}[/]", soft_wrap=True)


def say(line: str, *, markup: bool = False) -> None:
    """Print one line to stdout, unfolded."""
    out.print(line, markup=markup, soft_wrap=True)


def print_json(answer: Any) -> None:
    """Write one JSON document to stdout."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


def print_json_line(answer: Any) -> None:
    """Write one line of JSON to stdout, at once."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, right: Mapping[str, bool] | None = None
) -> Table:
    """Return a table of plain texts; the columns named in `right` are aligned for numbers."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        numeric = bool(right and right.get(column))
        made.add_column(column, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
    for row in rows:
        made.add_row(*(escape(visible(str(cell))) for cell in row))
    return made


def visible(text: str) -> str:
    """Return the text without characters that steer a terminal: pages are strangers' words."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)
