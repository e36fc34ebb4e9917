"""`contentbot search QUERY`."""

from typing import Annotated, Any

import typer
from rich.markup import escape

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, note, out, print_json, say, visible
from contentbot.cli.shared import narrowed, reading
from contentbot.index.query import Hit, SearchRequest, SearchResult, Snippet


def search(
    query: Annotated[str, typer.Argument(help="What to look for; empty for the newest documents.")],
    source: Annotated[str, typer.Option(help="Only this source.")] = "",
    locale: Annotated[str, typer.Option(help="Only this locale, such as en.")] = "",
    category: Annotated[str, typer.Option(help="Only this category.")] = "",
    since: Annotated[str, typer.Option(help="Published since: 2026-03-12, 2026-03, 2026, or 30d, 6w, 1y back.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many hits.")] = 10,
    offset: Annotated[int, typer.Option(min=0, help="How many hits to pass over.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Search the index."""
    with reading() as index:
        where = narrowed(index, source=source, locale=locale, category=category, since=since)
        request = SearchRequest(query=query, filter=where, locale=locale, limit=limit, offset=offset)
        result = index.search(request, principal=PUBLIC)
    if as_json:
        print_json(as_answer(query, result))
        return
    for number, hit in enumerate(result.hits, offset + 1):
        show_hit(number, hit)
    for notice in result.notices:
        note(notice)
    note(f"{'' if result.total_is_exact else 'about '}{result.total} documents")


def as_answer(query: str, result: SearchResult) -> dict[str, Any]:
    """Return the result as JSON data."""
    return {
        "query": query,
        "total": result.total,
        "totalIsExact": result.total_is_exact,
        "notices": list(result.notices),
        "hits": [_as_data(hit) for hit in result.hits],
    }


def _as_data(hit: Hit) -> dict[str, Any]:
    stored = hit.document.model_dump(by_alias=True, mode="json")
    shown = ("id", "title", "url", "source", "locale", "publishedDate", "author", "categories", "excerpt")
    return {name: stored[name] for name in shown} | {
        "heading": list(hit.heading_path),
        "anchor": hit.anchor,
        "snippet": {"text": hit.snippet.text, "marks": [list(mark) for mark in hit.snippet.marks]},
        "score": hit.score,
    }


def show_hit(number: int, hit: Hit) -> None:
    """Print one hit: title, facts, address, and the passage with the matched words marked."""
    document = hit.document
    facts = filter(None, (document.published_date[:10], document.source, document.locale, document.author))
    title, about = escape(visible(document.title)), escape(visible(" · ".join(facts)))
    say(f"[bold]{number}. {title}[/]  [dim]{about}[/]", markup=True)
    say(f"   [cyan]{escape(document.url + (f'#{hit.anchor}' if hit.anchor else ''))}[/]", markup=True)
    if hit.snippet.text:
        out.print(f"   {marked(hit.snippet)}")
    out.print()


def marked(snippet: Snippet) -> str:
    """Return the passage as console markup, its marks in bold yellow."""
    parts, at = [], 0
    for start, end in snippet.marks:
        parts.append(escape(visible(snippet.text[at:start])))
        parts.append(f"[bold yellow]{escape(visible(snippet.text[start:end]))}[/]")
        at = end
    return "".join([*parts, escape(visible(snippet.text[at:]))]).replace("\n", " ")
