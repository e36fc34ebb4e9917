"""`contentbot prune SOURCE`: everything of a source that is no longer crawled is deleted."""

import sys
from typing import Annotated

import typer

from contentbot.cli.console import AsJson, note, print_json, say
from contentbot.cli.shared import declared_sources
from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index import open_index
from contentbot.index.index import nearest
from contentbot.leftovers import Leftovers, Store
from contentbot.state import open_state


def prune(
    source: Annotated[str, typer.Argument(help="A source that is disabled, or has no file any more.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete everything of a source that is removed or disabled.

    Its documents, page state, runs, stored responses, and what of it waits in the outbox.
    """
    settings = get_settings()
    _refuse_enabled(source)
    with open_state(settings.state_url) as state:
        with open_index(settings.index_url, read_only=True) as index:
            found = _found(Store(index, state, settings.data_dir), source)
        deleted = bool(found) and _agreed(found, yes=yes)
        if deleted:
            with open_index(settings.index_url) as index:
                found = Store(index, state, settings.data_dir).remove(source)
    if as_json:
        print_json({**_as_data(found), "deleted": deleted})
    elif deleted:
        say(f"deleted: {_in_words(found)}")
    else:
        note(f"nothing is kept of {source}" if not found else "nothing was deleted")
    if found and not deleted:
        raise typer.Exit(1)


def _refuse_enabled(source: str) -> None:
    declared = declared_sources().get(source)
    if declared and declared.enabled:
        hint = "set enabled: false in its file, or remove the file"
        raise ConfigError(f"the source {source!r} is enabled: the next crawl would bring it back", hint=hint)


def _found(store: Store, source: str) -> Leftovers:
    kept, declared = store.sources(), declared_sources()
    if source not in kept and source not in declared:
        prunable = [name for name in kept if name not in declared or not declared[name].enabled]
        near = nearest(source, prunable)
        there_is = f"there are: {', '.join(prunable)}" if prunable else "nothing is left of any source"
        raise ConfigError(
            f"nothing is kept of a source {source!r}",
            hint=f"did you mean {' or '.join(near)}?" if near else there_is,
        )
    return store.of(source)


def _agreed(found: Leftovers, *, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError(f"this deletes {_in_words(found)}", hint="--yes goes ahead without asking")
    return typer.confirm(f"Delete {_in_words(found)} of {found.source}?", err=True)


def _in_words(found: Leftovers) -> str:
    return (
        f"{found.documents} documents, the state of {found.pages} pages, {found.runs} runs, "
        f"{found.letters} undelivered documents and {found.cache_bytes / 1e6:.1f} MB of stored responses"
    )


def _as_data(found: Leftovers) -> dict[str, object]:
    return {
        "source": found.source,
        "documents": found.documents,
        "pages": found.pages,
        "runs": found.runs,
        "undelivered": found.letters,
        "cacheBytes": found.cache_bytes,
    }
