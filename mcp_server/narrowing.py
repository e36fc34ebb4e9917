"""From the parameters that narrow a tool to the index's filter, with errors that name what exists."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from mcp.server.mcpserver.exceptions import ToolError

from contentbot.errors import NotFound
from contentbot.index.index import EMPTY
from contentbot.index.query import EVERYTHING, And, AnyOf, Between, Equals, Filter
from mcp_server.configured import ListedSources
from mcp_server.since import since_seconds
from mcp_server.untrusted import quoted
from mcp_server.view import View

_NAMES = 20


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What is left to look at: the filter, the language of the question, and what is to be said about them."""

    filter: Filter = EVERYTHING
    language: str = ""
    notices: tuple[str, ...] = ()
    unfilled: bool = False
    """The named source, or the whole index, has no documents yet: a notice says so."""

    @property
    def narrows(self) -> bool:
        """Whether anything is left out at all."""
        return self.filter != EVERYTHING


def narrow(
    view: View,
    listed: ListedSources,
    *,
    source: str = "",
    locale: str = "",
    category: str = "",
    since: str = "",
) -> Narrowing:
    """Return the filter of these values; empty ones filter nothing.

    A source that is set up but has no document yet, and an index without any, are no errors: they are notices.

    Args:
        listed: the sources that are set up; read only where one has no documents.

    Raises:
        ToolError: a value that nothing in the index has, or a `since` that is no date.
    """
    seconds = since_seconds(since, datetime.now(UTC)) if since else None
    try:
        parts, notices = _parts(view, source, locale, category)
    except NotFound as error:
        if unfilled := _unfilled(view, listed, source):
            return Narrowing(Equals("source", source), notices=(unfilled,), unfilled=True)
        raise ToolError(_advice(view, error)) from error
    if seconds is not None:
        parts = (*parts, Between("published", low=seconds))
    return Narrowing(And(parts), _language(locale), notices)


def missing(error: NotFound) -> str:
    """Say what was not found and what comes near, names from outside quoted."""
    near = " or ".join(quoted(name) for name in error.near)
    return f"no {error.kind} {quoted(error.name)}" + (f"; did you mean {near}?" if near else ".")


def _parts(view: View, source: str, locale: str, category: str) -> tuple[tuple[Filter, ...], tuple[str, ...]]:
    parts: tuple[Filter, ...] = ()
    notices: tuple[str, ...] = ()
    if source:
        parts = (Equals("source", view.require("source", source.strip())),)
    if locale:
        tags, notices = _tags(view, locale, And(parts))
        parts = (*parts, AnyOf("locale", tags))
    if category:
        parts = (*parts, Equals("category", view.require("category", category.strip())))
    return parts, notices


def _tags(view: View, wanted: str, scope: Filter) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Match a language tag as RFC 4647 has it: `de` finds `de-AT`, and `de-AT` falls back to `de`."""
    stored = view.facets("locale", scope)
    if found := _ranged(_tag(wanted), stored):
        return found, ()
    if found := _ranged(_language(wanted), stored):
        return found, (f"There is no locale {quoted(wanted)} here; {', '.join(found)} answers for it.",)
    raise NotFound("locale", wanted)


def _unfilled(view: View, listed: ListedSources, source: str) -> str:
    """Return the notice for an empty index or a source without documents; empty where there are some."""
    filled = {one.source for one in view.overview()}
    name = source.strip().casefold()
    if not filled:
        return EMPTY
    if name in filled or name not in listed():
        return ""
    return f"source {quoted(name)} is set up but holds no documents yet: run `contentbot crawl {name}`"


def _advice(view: View, error: NotFound) -> str:
    """Say what there is instead."""
    if error.kind == "category":
        return f"{missing(error)} list_categories names them all."
    counts = list(view.facets(error.kind).items())[:_NAMES]
    there_is = ", ".join(f"{name or 'unknown'} ({count})" for name, count in counts)
    return f"{missing(error)} There is: {there_is}."


def _tag(locale: str) -> str:
    return locale.strip().replace("_", "-").casefold()


def _language(locale: str) -> str:
    return _tag(locale).partition("-")[0]


def _ranged(wanted: str, stored: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(tag for tag in stored if tag.casefold() == wanted or tag.casefold().startswith(f"{wanted}-"))
