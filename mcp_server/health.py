"""Whether the process lives, and whether it can answer: two questions, two addresses."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from contentbot import __version__
from contentbot.access import PUBLIC
from contentbot.errors import ContentBotError
from contentbot.index import Index
from contentbot.index.index import EMPTY
from mcp_server.answers import SourceState
from mcp_server.configured import ListedSources
from mcp_server.history import FinishedRuns, no_history
from mcp_server.survey import source_states
from mcp_server.view import View


def health_routes(index: Index, listed: ListedSources, finished: FinishedRuns = no_history) -> list[Route]:
    """Return `/health/live` (200 while the process runs), `/health/ready` (503 until it can answer) and `/health`."""

    async def live(_: Request) -> JSONResponse:
        return JSONResponse({"live": True, "version": __version__})

    async def ready(_: Request) -> JSONResponse:
        state = await run_in_threadpool(readiness, index, listed, finished)
        return JSONResponse(state, status_code=200 if state["ready"] else 503)

    async def both(_: Request) -> JSONResponse:
        state = await run_in_threadpool(readiness, index, listed, finished)
        return JSONResponse({"live": True, "version": __version__, **state})

    answers: dict[str, Callable[[Request], Awaitable[JSONResponse]]] = {
        "/health": both,
        "/health/live": live,
        "/health/ready": ready,
    }
    return [Route(path, answer, methods=["GET"]) for path, answer in answers.items()]


def readiness(index: Index, listed: ListedSources, finished: FinishedRuns = no_history) -> dict[str, Any]:
    """Return `ready`, the `reasons` against it, and every source with its state.

    A source that is set up and was never crawled to the end is a reason, also when it has documents already: whoever
    searches would not find all that there is. Where no history of runs is kept here, a source without documents is one.
    """
    try:
        configured = listed()
        sources = source_states(View(index, PUBLIC), configured)
        runs = finished()
        identity = index.settings().identity if runs is not None else ""
    except ContentBotError as error:
        return {"ready": False, "reasons": [str(error)], "sources": []}
    reasons = list(_empty(sources) if runs is None else _unfinished(configured, runs, identity))
    if not any(one.documents for one in sources):
        reasons.insert(0, EMPTY)
    return {
        "ready": not reasons,
        "reasons": reasons,
        "sources": [{"id": one.id, "state": one.state, "documents": one.documents} for one in sources],
    }


def _empty(sources: Iterable[SourceState]) -> Iterator[str]:
    for one in sources:
        if one.state == "empty":
            yield f"source {one.id} is empty: run `contentbot crawl {one.id}`"


def _unfinished(configured: Iterable[str], runs: Mapping[str, str], identity: str) -> Iterator[str]:
    for name in sorted(configured):
        if name not in runs:
            yield f"source {name} was never crawled to the end: run `contentbot crawl {name}`"
        elif runs[name] not in ("", identity):
            # the index was lost or made anew since
            yield f"source {name} was not crawled into this index: run `contentbot crawl {name}`"
