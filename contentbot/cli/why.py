"""`contentbot why URL`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Annotated, Any

import typer
from pydantic.alias_generators import to_camel
from rich.markup import escape

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, note, print_json, say, visible
from contentbot.cli.shared import declared_sources, pick_source, reading
from contentbot.config import get_settings
from contentbot.state import reading_state
from contentbot.why import Explanation, Records, explain

_SAID = frozenset({"url", "source", "summary", "notes", "near"})


def why(
    url: Annotated[str, typer.Argument(help="The address of a page.")],
    source: Annotated[str, typer.Option(help="Only as far as this source goes.")] = "",
    as_json: AsJson = False,
) -> None:
    """Say why a page is or is not in the index.

    From the source files, the index and what the runs have recorded; the site is not asked.
    """
    with _records() as records:
        if source and source not in records.sources:
            _require_kept(records, source)
        found = explain(url, records, principal=PUBLIC, source=source)
        recorded = records.state is not None
    if as_json:
        print_json({"url": found[0].url, "explanations": [as_data(one) for one in found]})
        return
    for one in found:
        show(one)
    if not recorded:
        note("no crawl has been recorded here: run `contentbot crawl`")


@contextmanager
def _records() -> Iterator[Records]:
    settings = get_settings()
    with reading() as index, reading_state(settings.state_url) as state:
        yield Records(declared_sources(), index, state, settings.data_dir / "outbox.db")


def _require_kept(records: Records, source: str) -> None:
    """Refuse a source that has neither a file nor a document, with the nearest id."""
    if source not in {one.source for one in records.index.overview(principal=PUBLIC)}:
        pick_source(dict(records.sources), source)


def as_data(one: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON data."""
    values = {to_camel(each.name): getattr(one, each.name) for each in fields(one)}
    return {"inIndex": one.in_index, **{n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}}


def show(one: Explanation) -> None:
    """Print one explanation: the sentence, then what is known."""
    colour = "green" if one.in_index else "red"
    name = f"[bold {colour}]{one.source}[/]: " if one.source else ""
    say(f"{name}{escape(visible(one.summary))}", markup=True)
    for each in fields(one):
        value = getattr(one, each.name)
        if each.name not in _SAID and value:
            shown = ", ".join(value) if isinstance(value, tuple) else value
            say(visible(f"  {each.name.replace('_', ' ')}: {shown}"))
    for text in one.notes:
        say(visible(f"  note: {text}"))
    if one.near:
        say(visible(f"  did you mean: {' or '.join(one.near)}"))
