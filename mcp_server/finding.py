"""Pages of hits and of posts, with what there is to say about them."""

from collections.abc import Sequence
from math import ceil

from contentbot.index.index import EMPTY
from contentbot.index.query import SearchRequest, SearchResult, Sort
from mcp_server import texts
from mcp_server.answers import PostList, SearchAnswer
from mcp_server.budget import fitting
from mcp_server.narrowing import Narrowing
from mcp_server.shaping import listed_post, search_hit
from mcp_server.view import View

_SNIPPET_WORDS = 28


def search(
    view: View, narrowed: Narrowing, *, query: str, offset: int, limit: int, notices: Sequence[str]
) -> SearchAnswer:
    """Return a page of hits, best first."""
    request = SearchRequest(
        query=query.strip(),
        filter=narrowed.filter,
        locale=narrowed.language,
        offset=offset,
        limit=limit,
        snippet_words=_SNIPPET_WORDS,
    )
    result = view.search(request)
    said = [*notices, *_about(view, narrowed, request, result)]
    if not request.query:
        said.append("The query is empty: these are the newest posts. list_posts pages through them.")
    hits, shortened = fitting(
        len(result.hits),
        limit,
        lambda number, form: search_hit(result.hits[number], form),
        lambda hit: texts.hit_text(hit, offset),
    )
    said += shortened
    if len(hits) < len(result.hits):
        said.append(f"Only {len(hits)} hits fit an answer.")
    reached = offset + len(hits)
    return SearchAnswer(
        hits=hits,
        total=result.total,
        total_is_exact=result.total_is_exact,
        next_offset=reached if hits and reached < result.total else 0,
        notices=said,
    )


def newest(view: View, narrowed: Narrowing, *, page: int, size: int, notices: Sequence[str]) -> PostList:
    """Return a page of posts, newest first."""
    request = SearchRequest(filter=narrowed.filter, sort=Sort.NEWEST, offset=(page - 1) * size, limit=size)
    result = view.search(request)
    said = [*notices, *_about(view, narrowed, request, result)]
    posts, shortened = fitting(
        len(result.hits),
        size,
        lambda number, form: listed_post(result.hits[number].document, form),
        texts.listed_text,
    )
    said += shortened
    if (fit := len(posts)) < len(result.hits):
        # the page of this smaller size that begins with the first post left out, or before it
        following = (request.offset + fit) // fit + 1
        said.append(f"Only {fit} posts fit an answer: go on with size={fit}, page={following}.")
    pages = ceil(result.total / size)
    return PostList(
        posts=posts,
        total=result.total,
        page=page,
        pages=pages,
        next_page=page + 1 if page < pages else 0,
        notices=said,
    )


def _about(view: View, narrowed: Narrowing, request: SearchRequest, result: SearchResult) -> list[str]:
    """Return the notices of the filter and of the index, each once, and why there are no hits."""
    said = list(dict.fromkeys((*narrowed.notices, *result.notices)))
    if not result.hits and not narrowed.unfilled and EMPTY not in said:
        said.append(_why_nothing(view, narrowed, request, result.total))
    return said


def _why_nothing(view: View, narrowed: Narrowing, request: SearchRequest, total: int) -> str:
    if total:
        return f"There are {total} in all; offset {request.offset} is past the last."
    if not narrowed.narrows:
        return "Nothing matches; try fewer or other words, or the language of the content."
    anywhere = view.search(SearchRequest(query=request.query, limit=1)).total
    return f"Nothing matches with these filters; without them {anywhere} documents do."
