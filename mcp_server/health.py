"""Whether the process lives, and whether it can answer: two questions, two addresses."""

from collections.abc import Awaitable, Callable
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
from mcp_server.configured import ListedSources
from mcp_server.survey import source_states
from mcp_server.view import View


def health_routes(index: Index, listed: ListedSources) -> list[Route]:
    """Return `/health/live` (200 while the process runs), `/health/ready` (503 until it can answer) and `/health`."""

    async def live(_: Request) -> JSONResponse:
        return JSONResponse({"live": True, "version": __version__})

    async def ready(_: Request) -> JSONResponse:
        state = await run_in_threadpool(readiness, index, listed)
        return JSONResponse(state, status_code=200 if state["ready"] else 503)

    async def both(_: Request) -> JSONResponse:
        state = await run_in_threadpool(readiness, index, listed)
        return JSONResponse({"live": True, "version": __version__, **state})

    answers: dict[str, Callable[[Request], Awaitable[JSONResponse]]] = {
        "/health": both,
        "/health/live": live,
        "/health/ready": ready,
    }
    return [Route(path, answer, methods=["GET"]) for path, answer in answers.items()]


def readiness(index: Index, listed: ListedSources) -> dict[str, Any]:
    """Return `ready`, the `reasons` against it, and every source with its state.

    A source that is set up and holds nothing is a reason: whoever lists it would find nothing in it.
    """
    try:
        sources = source_states(View(index, PUBLIC), listed())
    except ContentBotError as error:
        return {"ready": False, "reasons": [str(error)], "sources": []}
    reasons = [f"source {one.id} is empty: run `contentbot crawl {one.id}`" for one in sources if one.state == "empty"]
    if not any(one.documents for one in sources):
        reasons.insert(0, EMPTY)
    return {
        "ready": not reasons,
        "reasons": reasons,
        "sources": [{"id": one.id, "state": one.state, "documents": one.documents} for one in sources],
    }
