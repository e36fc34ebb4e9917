"""Documents and hits of the index, brought to the size and shape of an answer.

Short fields from outside are put on one line, defanged and capped here, so that neither form of an answer can carry
them raw. Only the body of `get_post` stays as it is in the structured form: its pages are the document, exactly.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from contentbot.documents import ContentDocument
from contentbot.index.query import Hit as IndexHit
from contentbot.index.query import Snippet
from mcp_server.answers import Hit, ListedPost
from mcp_server.budget import Form
from mcp_server.untrusted import defang, one_line

_REVISION, _DAY = 24, len("2026-03-12")
_WHOLE = Form(title=500, name=200, categories=50)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ON_ONE_LINE = str.maketrans("\n\t", "  ")


def post_fields(document: ContentDocument, form: Form = _WHOLE) -> dict[str, Any]:
    """Return the fields of `Post` for a document, in a form."""
    return {
        "id": document.id,
        "title": one_line(document.title, form.title),
        "url": document.url,
        "date": document.published_date[:_DAY],
        "source": document.source,
        "locale": one_line(document.locale, 40),
        "author": one_line(document.author or ", ".join(document.authors), form.name),
        "categories": [one_line(name, form.name) for name in document.categories[: form.categories]],
        "fetched_at": to_the_minute(document.fetched_at),
        "revision": short_revision(document.revision),
    }


def search_hit(hit: IndexHit, form: Form) -> Hit:
    """Return a hit of the index as one of an answer."""
    return Hit(
        **post_fields(hit.document, form),
        section=one_line(" > ".join(_below_title(hit)), form.section),
        anchor=one_line(hit.anchor, form.name),
        snippet=marked(hit.snippet, form.passage),
        score=float(f"{hit.score:.4g}"),
    )


def _below_title(hit: IndexHit) -> Sequence[str]:
    """Return the headings of a hit's section without the page's title, which stands beside them already."""
    path = hit.heading_path
    return path[1:] if path and path[0].casefold() == hit.document.title.casefold() else path


def listed_post(document: ContentDocument, form: Form) -> ListedPost:
    """Return a document as an item of a list."""
    excerpt = one_line(document.excerpt, form.passage) if form.passage else ""
    return ListedPost(**post_fields(document, form), excerpt=excerpt)


def marked(snippet: Snippet, limit: int) -> str:
    """Return the snippet with its matched words between `**` and `**`, cut around the first of them."""
    if not limit:
        return ""
    # both keep every character in its place, so the marks stay true
    text = defang(snippet.text).translate(_ON_ONE_LINE)
    start, end = _window(text, snippet.marks, limit)
    pieces: list[str] = ["…"] if start else []
    at = start
    for low, high in snippet.marks:
        if at <= low < high <= end:
            pieces += [text[at:low], "**", text[low:high], "**"]
            at = high
    return "".join([*pieces, text[at:end], "…" if end < len(text) else ""])


def _window(text: str, marks: Sequence[tuple[int, int]], limit: int) -> tuple[int, int]:
    """Return the part of the text to show: all, or `limit` characters with the first mark in their first third."""
    if len(text) <= limit:
        return 0, len(text)
    first = marks[0][0] if marks else 0
    start = max(0, min(first - limit // 3, len(text) - limit))
    if start and 0 <= (space := text.find(" ", start, first)) - start < 20:
        start = space + 1
    end = min(start + limit, len(text))
    if end < len(text) and (space := text.rfind(" ", start, end)) > max(start, end - 20):
        end = space
    return start, end


def to_the_minute(moment: str) -> str:
    """Return an ISO 8601 time in UTC to the minute; what is none stays as it is."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return parsed.replace(tzinfo=parsed.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")


def short_revision(revision: str) -> str:
    """Return a commit as git abbreviates it and an entity tag without its quotes."""
    if _COMMIT.fullmatch(revision):
        return revision[:12]
    return one_line(revision.removeprefix("W/").strip('"'), _REVISION)
