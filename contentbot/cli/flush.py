"""`contentbot flush [SOURCE…]`."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from contentbot.cli.console import AsJson, complain, note, out, print_json, table
from contentbot.cli.shared import declared_sources, pick_source
from contentbot.config import Settings, get_settings
from contentbot.delivery import flush as deliver_waiting
from contentbot.errors import AlreadyRunning
from contentbot.index import Index, open_index
from contentbot.state import State, open_state
from contentbot.state.locks import lock_all
from contentbot.state.outbox import Outbox, counted

_COLUMNS = ("source", "delivered", "waiting", "set aside")


@dataclass
class _Result:
    """What became of the letters of one source. `set_aside` names the engine's reason by URL."""

    source: str
    delivered: int = 0
    waiting: int = 0
    set_aside: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def ok(self) -> bool:
        return not (self.waiting or self.set_aside)


def flush(
    sources: Annotated[list[str] | None, typer.Argument(help="Of which sources; by default of all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Deliver the documents that wait because the search index was away.

    Exit code 1: some still wait, or were set aside because the index refuses them.
    """
    settings = get_settings()
    results = _delivered(settings, _chosen(settings, sources or []))
    if as_json:
        print_json({"ok": all(one.ok for one in results), "sources": [_as_data(one) for one in results]})
    else:
        _show(results)
    if not all(one.ok for one in results):
        raise typer.Exit(1)


def _chosen(settings: Settings, names: list[str]) -> list[str]:
    """Return the sources to deliver: a source that is declared no more may still have something waiting."""
    posted = counted(settings.data_dir / "outbox.db")
    if unknown := [name for name in names if name not in posted]:
        declared = declared_sources()
        for name in unknown:
            pick_source(declared, name)
    return list(dict.fromkeys(names)) or list(posted)


def _delivered(settings: Settings, names: list[str]) -> list[_Result]:
    if not names:
        return []
    with ExitStack() as stack:
        outbox = Outbox(settings.data_dir / "outbox.db")
        stack.callback(outbox.close)
        index = stack.enter_context(open_index(settings.index_url))
        state = stack.enter_context(open_state(settings.state_url))
        results = [_flush_one(settings, name, outbox, index, state) for name in names]
        for one in results:
            letters = [letter for letter in outbox.set_aside() if letter.source == one.source]
            one.set_aside = {str((letter.document or {}).get("url", "")): letter.refused for letter in letters}
        posted = counted(settings.data_dir / "outbox.db")
    for one in results:
        one.waiting = posted.get(one.source, (0, 0))[0]
    return results


def _flush_one(settings: Settings, name: str, outbox: Outbox, index: Index, state: State) -> _Result:
    try:
        # a crawl of the source may be delivering something newer
        with lock_all(settings.data_dir / "locks", [name]):
            done = deliver_waiting(outbox, index, state.pages.confirm, source=name)
    except AlreadyRunning as error:
        return _Result(name, problem=str(error))
    return _Result(name, done.documents, problem=done.unavailable)


def _as_data(one: _Result) -> dict[str, Any]:
    return {
        "source": one.source,
        "delivered": one.delivered,
        "waiting": one.waiting,
        "setAside": [{"url": url, "reason": reason} for url, reason in one.set_aside.items()],
        "problem": one.problem,
    }


def _show(results: list[_Result]) -> None:
    if not results:
        note("nothing waits")
        return
    rows = [(one.source, one.delivered, one.waiting, len(one.set_aside)) for one in results]
    out.print(table(_COLUMNS, rows, right=dict.fromkeys(_COLUMNS[1:], True)))
    for one in results:
        if one.problem:
            complain(f"{one.source}: {one.problem}")
        for url, reason in one.set_aside.items():
            complain(f"{one.source}: {url}: refused by the index: {reason}")
