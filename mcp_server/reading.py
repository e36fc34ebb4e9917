"""One document by its id or address, and one page of it."""

from collections.abc import Sequence
from itertools import accumulate

from mcp.server.mcpserver.exceptions import ToolError

from contentbot.documents import ContentDocument, Heading
from contentbot.errors import NotFound
from contentbot.index.index import EMPTY
from contentbot.sources.urls import clean_url
from mcp_server.answers import PostBody, Section
from mcp_server.budget import BODY_TOKENS
from mcp_server.paging import page_end
from mcp_server.shaping import post_fields
from mcp_server.untrusted import one_line
from mcp_server.view import View

_MAX_SECTIONS, _FEW_SECTIONS = 80, 12


def find(view: View, *, url: str, id: str) -> ContentDocument:  # noqa: A002 - as the parameter
    """Return the document of an id or an address; of both, when they name the same one.

    Raises:
        ToolError: neither is given, or they name different documents.
        NotFound: there is no such document, or the caller may not read it.
    """
    found = [_get(view, reference.strip()) for reference in (id, url) if reference.strip()]
    if not found:
        raise ToolError("get_post needs the id or the url of a post; search_content and list_posts give both")
    if found[0].key != found[-1].key:
        raise ToolError(f"id and url name different posts: {found[0].url} and {found[1].url}; give one of them")
    return found[0]


def page_of(document: ContentDocument, *, offset: int, max_chars: int, notices: Sequence[str] = ()) -> PostBody:
    """Return the page of a document's body that starts at a character."""
    body = document.body
    start = min(offset, len(body))
    end = page_end(body, start, max_chars, BODY_TOKENS)
    more = end < len(body)
    said = [*notices]
    if offset > len(body):
        said.append(f"offset {offset} is past the end: the body has {len(body)} characters.")
    outline, dropped = _outline(document) if more and not start else ([], 0)
    if dropped:
        said.append(f"The outline leaves out {dropped} of the deeper or later headings.")
    return PostBody(
        **{**post_fields(document), "date": document.published_date, "revision": one_line(document.revision, 200)},
        modified=document.modified_date,
        site_name=one_line(document.site_name, 80),
        preview_image=one_line(document.preview_image),
        body=body[start:end],
        offset=start,
        total_chars=len(body),
        next_offset=end if more else 0,
        truncated=more,
        outline=outline,
        notices=said,
    )


def _get(view: View, reference: str) -> ContentDocument:
    try:
        return view.get(reference)
    except NotFound as error:
        if (cleaned := _cleaned(reference)) != reference:
            return _get(view, cleaned)
        if not view.overview():
            raise ToolError(f"no document {reference[:200]!r}: {EMPTY}") from error
        raise


def _cleaned(reference: str) -> str:
    """Return an address as the index knows it; what is no address stays as it is."""
    try:
        return clean_url(reference)
    except ValueError:
        return reference


def _outline(document: ContentDocument) -> tuple[list[Section], int]:
    """Return the headings with the characters they start at, and how many are left out."""
    starts = [0, *accumulate(len(line) for line in document.body.split("\n"))]
    kept = _important(document.outline)
    sections = [
        # every line before this one has its line feed too
        Section(
            level=one.level,
            title=one_line(one.title, 120),
            anchor=one_line(one.anchor, 120),
            offset=min(starts[min(one.line_start, len(starts)) - 1] + one.line_start - 1, len(document.body)),
        )
        for one in kept
    ]
    return sections, len(document.outline) - len(kept)


def _important(headings: Sequence[Heading]) -> Sequence[Heading]:
    """Return as many headings as an answer holds: those of the upper levels, and of the last of these the first."""
    if len(headings) <= _MAX_SECTIONS:
        return headings
    upper: Sequence[Heading] = []
    for level in range(1, 7):
        wider = [one for one in headings if one.level <= level]
        if len(wider) > _MAX_SECTIONS:
            return upper if len(upper) >= _FEW_SECTIONS else wider[:_MAX_SECTIONS]
        upper = wider
    return upper
