"""What there is: the categories and the sources, with their sizes and how fresh they are."""

from collections.abc import Mapping

from contentbot.index.index import EMPTY
from mcp_server.answers import Category, CategoryList, SourceState
from mcp_server.narrowing import Narrowing
from mcp_server.shaping import to_the_minute
from mcp_server.untrusted import one_line
from mcp_server.view import View

_MAX_CATEGORIES, _MAX_SOURCES = 250, 100


def survey(view: View, narrowed: Narrowing, listed: Mapping[str, str], *, source: str = "") -> CategoryList:
    """Return the categories inside a narrowing, largest first, and the state of its sources."""
    counts = view.facets("category", narrowed.filter)
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0].casefold()))
    notices = [*narrowed.notices]
    if not view.overview() and EMPTY not in notices:
        notices.append(EMPTY)
    if len(largest) > _MAX_CATEGORIES:
        notices.append(f"Only the largest {_MAX_CATEGORIES} of {len(largest)} categories; narrow by source or locale.")
    within = view.facets("source", narrowed.filter)
    states = source_states(view, listed)
    sources = [one for one in states if not source or one.id == source.strip().casefold()]
    if len(sources) > _MAX_SOURCES:
        notices.append(f"Only the first {_MAX_SOURCES} of {len(sources)} sources; name one to see it.")
    return CategoryList(
        categories=[Category(name=one_line(name, 80), documents=count) for name, count in largest[:_MAX_CATEGORIES]],
        sources=sources[:_MAX_SOURCES],
        total=sum(within.values()),
        notices=notices,
    )


def source_states(view: View, listed: Mapping[str, str]) -> list[SourceState]:
    """Return every source that is set up or has documents, sorted by id."""
    held = {one.source: one for one in view.overview()}
    states = []
    for name in sorted({*held, *listed}):
        one = held.get(name)
        states.append(
            SourceState(
                id=name,
                title=one_line(listed.get(name, ""), 80),
                documents=one.documents if one else 0,
                state="ready" if one and one.documents else "empty",
                locales=sorted(one.locales) if one else [],
                newest=one.newest_published if one else "",
                fetched_at=to_the_minute(one.last_fetched) if one else "",
            )
        )
    return states
