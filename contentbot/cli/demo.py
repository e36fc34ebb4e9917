"""`contentbot demo`: the whole way from a served site to an answer over MCP, on this machine alone."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.panel import Panel

from contentbot.access import PUBLIC
from contentbot.cli.console import AsJson, err, note, out, print_json, say, table, visible
from contentbot.cli.crawl import as_data, progress_bars, show_summary, succeeded
from contentbot.cli.logs import log_to_stderr
from contentbot.config import get_settings
from contentbot.demo.server import demo_site, demo_source
from contentbot.documents import ContentDocument
from contentbot.errors import ContentBotError
from contentbot.index import open_index
from contentbot.index.query import SearchRequest, Sort
from contentbot.runs import RunRecord

QUERY = "how much water reaches the wheel"


def demo(
    context: typer.Context,
    query: Annotated[str, typer.Option(help="What to ask over MCP.")] = QUERY,
    as_json: AsJson = False,
) -> None:
    """Go the whole way on a small site that ships.

    Serves it, crawls it, asks an MCP server about it, and says how to connect an agent. Everything stays on this
    machine, in a folder of its own below the data folder.
    """
    from contentbot.cli.mcp_session import ask_over_mcp  # noqa: PLC0415 - the MCP library costs a second to import

    folder = get_settings().data_dir / "demo"
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    environment = _environment(folder)
    record = _crawl(folder, debug=context.obj.debug)
    if not succeeded(record):
        show_summary([record])
        raise ContentBotError("the demo site could not be crawled; `contentbot --debug demo` says more")
    documents = _documents(environment["CONTENTBOT_INDEX_URL"])
    session = ask_over_mcp([sys.executable, "-m", "mcp_server"], environment, query)
    if as_json:
        answer = {"run": as_data(record), "documents": [_brief(one) for one in documents]}
        print_json(answer | {"tools": session.tools, "query": query, "answer": session.answer})
        return
    _show_documents(documents)
    show_summary([record])
    note("The page that failed is missing on purpose: what fails costs itself only, and is named.")
    _show_answer(query, session.tools, session.text)
    _show_connections(environment)


def _environment(folder: Path) -> dict[str, str]:
    # an empty folder of sources: whatever state the user's own files are in, the demo works
    return {
        "CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}",
        "CONTENTBOT_DATA_DIR": str(folder),
        "CONTENTBOT_SOURCES_DIR": str(folder / "sources"),
    }


def _crawl(folder: Path, *, debug: bool) -> RunRecord:
    from contentbot.crawling import Job, run_jobs  # noqa: PLC0415 - Scrapy costs a second to import

    source = demo_source()
    log_to_stderr(verbose=False, debug=debug)
    changes = {"CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}", "CONTENTBOT_DATA_DIR": str(folder)}
    with demo_site() as origin, progress_bars(visible=err.is_terminal) as show:
        note(f"serving the demo site at {origin}, crawling it as {source.base_url}")
        return run_jobs([Job(source, {"base_url": origin})], changes, on_progress=show)[source.id]


def _documents(index_url: str) -> list[ContentDocument]:
    with open_index(index_url, read_only=True) as index:
        result = index.search(SearchRequest(sort=Sort.NEWEST, limit=50), principal=PUBLIC)
    return [hit.document for hit in result.hits]


def _brief(document: ContentDocument) -> dict[str, Any]:
    stored = document.model_dump(by_alias=True, mode="json")
    return {name: stored[name] for name in ("id", "title", "url", "locale", "publishedDate", "author", "categories")}


def _show_documents(documents: list[ContentDocument]) -> None:
    rows = [
        (one.published_date[:10], one.locale, one.title, one.author, ", ".join(one.categories)) for one in documents
    ]
    out.print()
    out.print(table(("published", "locale", "title", "author", "categories"), rows))
    out.print()


def _show_answer(query: str, tools: list[str], text: str) -> None:
    out.print()
    out.print(f"An MCP client started [bold]python -m mcp_server[/], found the tools {', '.join(tools)}")
    out.print(f"and called [bold]search_content[/] with “{escape(query)}”:")
    out.print(Panel(escape(visible(text)), expand=False))


def _show_connections(environment: dict[str, str]) -> None:
    from contentbot.cli.connecting import claude_command, client_config  # noqa: PLC0415 - beside its only user

    out.print("[bold]Connect an agent[/]")
    out.print("Claude Desktop, Cursor, Windsurf and others: add this to their MCP configuration.")
    say(client_config(environment))
    out.print("\nClaude Code:")
    say(claude_command(environment))
    out.print("\nOver HTTP: python -m mcp_server --http --port 8000, then connect to http://127.0.0.1:8000/mcp")
    out.print("The same with your own sources: edit sources/, run `contentbot crawl`, and leave the variables out.")
