"""One rebuild of the whole index: fill a staging index source by source, swap it in, tell the state."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

from contentbot.errors import AlreadyRunning, EngineRefused, SearchIndexError
from contentbot.extract.rules import ExtractRules
from contentbot.index import Index
from contentbot.middlewares.stored import StoredPages
from contentbot.reindexing.filling import Filling, Stores
from contentbot.reindexing.making import Maker, Workers
from contentbot.reindexing.report import Rebuilt, Reindexed
from contentbot.repetition import Repetition
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import Source, WebsiteSource
from contentbot.state import State, open_state
from contentbot.state.locks import lock_all
from contentbot.state.outbox import counted

T = TypeVar("T")

FOLDER = "reindex"
"""Below the data folder: what the state is to say once the new index is in place."""

_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the rebuild of a source is, in documents."""

    source: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is rebuilt from what.

    Attributes:
        data_dir: where cache, outbox and locks are.
        sources: the declared sources by id.
        anew: those of which the stored pages are read anew; of all others the index's documents are taken.
        copies: the copy that was crawled in the place of a source, by its id.
        workers: processes for extraction; 0 means one per CPU.
    """

    data_dir: Path
    sources: Mapping[str, Source]
    anew: frozenset[str]
    copies: Mapping[str, SiteCopy] = field(default_factory=dict)
    workers: int = 0


def rebuild(
    plan: Plan, index: Index, state: State, on_progress: Callable[[Progress], None] = lambda _: None
) -> Reindexed:
    """Fill a new index, and put it in the place of this one when every document of it is confirmed.

    Whatever goes wrong before, the index is as it was, and so is the state. No source can be crawled meanwhile.

    Raises:
        AlreadyRunning: a source is being crawled here, or was crawled elsewhere meanwhile.
        SearchIndexError: the engine gave no answer, or refuses what it had.
        StateUnavailable: the state database gives no answer.
    """
    began = datetime.now(UTC)
    with ExitStack() as stack:
        indexed = readable(index)
        names = known_sources(plan, indexed or [], state)
        stack.enter_context(lock_all(plan.data_dir / "locks", [*names, "the index"], work="reindexed"))
        notes = _notes(plan.data_dir, stack)
        before = _identity(index, state)
        staged = stack.enter_context(index.staging())
        stack.callback(_discard, staged)
        workers = stack.enter_context(Workers(plan.workers))
        stores = Stores(index if indexed is not None else None, staged, state.pages, notes.pages, state.surveys)
        results = [_fill(plan, stores, workers, name, on_progress) for name in names]
        _require_quiet(state, began)
        index.swap(staged)
        after = index.settings().identity
        for rebuilt in results:
            _tell(state, notes, rebuilt, before, after)
        return Reindexed(before, after, results)


def _fill(plan: Plan, stores: Stores, workers: Workers, name: str, on_progress: Callable[[Progress], None]) -> Rebuilt:
    source = plan.sources.get(name)
    with ExitStack() as stack:
        maker = None
        # what is stored of a rendered page is the page before its scripts have run
        if name in plan.anew and isinstance(source, WebsiteSource) and source.render != "always":
            stored = StoredPages(plan.data_dir / "cache" / f"{name}.db", source, plan.copies.get(name))
            rules = ExtractRules(source, template=Repetition(source, stores.surveys).template)
            maker = Maker(stack.enter_context(stored), rules, workers, stores.pages)
        filling = Filling(name, stores, maker)
        for _ in filling.run():
            on_progress(Progress(name, filling.rebuilt.documents, filling.total))
        return filling.rebuilt


def known_sources(plan: Plan, indexed: Iterable[str], state: State) -> list[str]:
    """Return every source that may have something in the index, or be about to, sorted."""
    posted = counted(plan.data_dir / "outbox.db")
    return sorted({*plan.sources, *state.pages.sources(), *state.runs.sources(), *posted, *indexed})


def readable(index: Index) -> list[str] | None:
    """Return the sources in the index; None where this version cannot read it, so that nothing can be copied."""
    try:
        index.settings()
        return index.sources()
    except EngineRefused:
        return None


def _identity(index: Index, state: State) -> str:
    with suppress(EngineRefused):
        return index.settings().identity
    known = {run for run in state.runs.finished().values() if run}
    return known.pop() if len(known) == 1 else ""


def _notes(data_dir: Path, stack: ExitStack) -> State:
    """Open a state of its own, for what the state is to say afterwards; what a killed rebuild left is removed."""
    folder = data_dir / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return stack.enter_context(open_state(f"sqlite:///{folder / 'notes.db'}"))


def _discard(staged: Index) -> None:
    """Delete what was filled in vain; where the engine does not answer, a later rebuild does."""
    with suppress(SearchIndexError):
        staged.discard()


def _require_quiet(state: State, began: datetime) -> None:
    """Refuse to swap away what a crawl has written since: one on another machine, or of a source that is new."""
    if runs := state.runs.begun_since(began):
        raise AlreadyRunning(
            f"{', '.join(runs)} was crawled while the index was rebuilt, so nothing was swapped; stop the crawls of "
            "other machines, and run `contentbot reindex` again"
        )


def _tell(state: State, notes: State, rebuilt: Rebuilt, before: str, after: str) -> None:
    """Let the state know that the documents are in another index, so that the next crawl does not send them again."""
    source = rebuilt.source
    for rows in _batches(notes.pages.of_source(source), _ROWS):
        state.pages.put([replace(page, index_identity=after) for page in rows])
    if before:
        state.pages.move(source, before, after)
    last = state.runs.last_finished(source)
    if last and (last.index_identity == before or not rebuilt.missing):
        state.runs.put(last.model_copy(update={"index_identity": after}))


def _batches(items: Iterator[T], size: int) -> Iterator[Sequence[T]]:
    while batch := list(islice(items, size)):
        yield batch
