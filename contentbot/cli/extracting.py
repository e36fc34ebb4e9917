"""`contentbot extract URL…|FILE…|-`: articles out of pages, whether or not any source declares them."""

import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contentbot.cli.console import AsJson, complain, note, out, print_json, say, table, visible
from contentbot.documents import Page
from contentbot.errors import ConfigError

if TYPE_CHECKING:
    from contentbot.articles import Article, ArticleService, ExtractionOutput

EXIT_CODES = {
    "UNKNOWN_ERROR": 1,
    "INVALID_INPUT": 2,
    "CONTENT_FETCH_FAILED": 3,
    "CONTENT_EXTRACTION_FAILED": 4,
    "CONTENT_TOO_SHORT": 5,
}
"""What the command exits with, by the code of the failure; 1 too where several failed for different reasons."""

_STDIN, _AT_ONCE = "-", 8
_MOST_READ = 64 << 20
_TYPES = {".md": "text/markdown", ".markdown": "text/markdown", ".txt": "text/plain"}

Work = Callable[["ArticleService"], Awaitable["ExtractionOutput"]]


def extract(
    inputs: Annotated[
        list[str] | None, typer.Argument(metavar="URL|FILE|-", help="Addresses, saved pages, or - for stdin.")
    ] = None,
    language: Annotated[str, typer.Option(help="The language that is asked for, such as de.")] = "",
    url: Annotated[str, typer.Option(help="The address of a saved page.")] = "",
    item: Annotated[bool, typer.Option("--item", help="The files hold feed items in JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write only the Markdown.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Write only the plain text.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Write the JSON schema of an answer.")] = False,
    as_json: AsJson = False,
) -> None:
    """Extract the article of a page or a feed item.

    Nothing is indexed. Pages are loaded from the public internet only; robots.txt is obeyed.
    """
    if schema:
        from contentbot.articles import output_schema  # noqa: PLC0415 - only who asks for it needs it

        print_json(output_schema())
        return
    if markdown and text:
        raise ConfigError("--markdown and --text exclude each other", hint="give one of them")
    if not inputs:
        raise ConfigError("nothing to extract", hint="give an address, a file, or - for stdin")
    outputs = _run(inputs, [_work(one, language=language, url=url, item=item) for one in inputs])
    if as_json:
        print_json(outputs[0].as_data() if len(outputs) == 1 else [output.as_data() for output in outputs])
    else:
        _show(inputs, outputs, "markdown" if markdown else "plain_text" if text else "")
    if code := exit_code([str(output.error.code) for output in outputs if output.error]):
        raise typer.Exit(code)


def exit_code(failures: Sequence[str]) -> int:
    """Return what to exit with: 0 without failures, their own code where all have the same, else 1."""
    return 0 if not failures else EXIT_CODES[failures[0]] if len(set(failures)) == 1 else 1


def _work(given: str, *, language: str, url: str, item: bool) -> Work:
    """Return what is to be done for one input."""
    file = Path(given)
    at_hand = given == _STDIN or ("://" not in given and file.is_file())
    if not at_hand:
        return lambda service: service.extract_url(given, language)
    body = sys.stdin.buffer.read(_MOST_READ) if given == _STDIN else file.read_bytes()
    if item:
        told = _item(body, given)
        return lambda service: service.extract_item(told, language)
    headers = {"content-type": kind} if (kind := _TYPES.get(file.suffix.lower())) else {}
    page = Page(url, url, body, headers)
    return lambda service: service.extract_page(page, language)


def _item(body: bytes, name: str) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except ValueError as error:
        raise ConfigError(f"{name} is no JSON: {error}", hint="leave out --item for a page") from error
    return found if isinstance(found, dict) else {}


def _run(inputs: Sequence[str], works: Sequence[Work]) -> "list[ExtractionOutput]":
    import anyio  # noqa: PLC0415 - it and what follows take a while to import

    from contentbot.articles.configured import configured_service  # noqa: PLC0415 - as above

    outputs: dict[int, ExtractionOutput] = {}

    async def one(number: int, work: Work, service: "ArticleService", turns: anyio.CapacityLimiter) -> None:
        async with turns:
            outputs[number] = await work(service)
        if len(works) > 1:
            note(f"{len(outputs)} of {len(works)}: {inputs[number]}{_failed(outputs[number])}")

    async def all_of_them(service: "ArticleService") -> None:
        turns = anyio.CapacityLimiter(_AT_ONCE)
        async with anyio.create_task_group() as tasks:
            for number, work in enumerate(works):
                tasks.start_soon(one, number, work, service, turns)

    with configured_service() as service:
        anyio.run(partial(all_of_them, service))
    return [outputs[number] for number in range(len(works))]


def _failed(output: "ExtractionOutput") -> str:
    return f" ({output.error.code})" if output.error else ""


def _show(inputs: Sequence[str], outputs: "Sequence[ExtractionOutput]", only: str) -> None:
    for number, (name, output) in enumerate(zip(inputs, outputs, strict=True)):
        if output.error:
            complain(f"{name}: {output.error.code}: {output.error.message}")
            continue
        if output.article is None:
            continue
        if number and any(earlier.success for earlier in outputs[:number]):
            say("")
        for warning in output.warnings:
            note(f"{name}: {warning}")
        if not only:
            _show_facts(output.article)
        say(visible(getattr(output.article, only or "markdown")))


def _show_facts(article: "Article") -> None:
    metadata = article.metadata
    flags = ", ".join(name for name, holds in article.quality_flags.model_dump().items() if holds)
    facts = {
        "title": article.title,
        "url": article.url,
        "published": article.published_at,
        "modified": metadata.modified_at,
        "authors": ", ".join(metadata.authors),
        "language": article.language,
        "kind": article.content_kind,
        "site": metadata.site_name,
        "categories": ", ".join(metadata.categories),
        "from": metadata.content_source.replace("_", " "),
        "length": f"{metadata.word_count} words",
        "flags": flags,
    }
    out.print(table(("field", "value"), [(name, value) for name, value in facts.items() if value]))
    out.print()
