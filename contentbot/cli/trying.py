"""`contentbot try URL|FILE`: what one page would become, and why its address is in or out."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.markup import escape

from contentbot.cli.console import AsJson, complain, out, print_json, say, table, visible
from contentbot.cli.fetching import NotFetched, fetch_page
from contentbot.cli.shared import declared_sources, pick_source
from contentbot.documents import ContentDocument, Page
from contentbot.errors import ConfigError, ExtractionError
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.sources.scope import Decision, Scope

_SHOWN_LINES = 25


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one page. `document` is missing where `problem` says why."""

    source: str
    listed: str
    final: str
    decision: Decision
    document: ContentDocument | None = None
    problem: str = ""


def try_page(
    page: Annotated[str, typer.Argument(metavar="URL|FILE", help="An address, or a saved page.")],
    source: Annotated[str, typer.Option(help="By whose rules; by default the source whose site it is.")] = "",
    url: Annotated[str, typer.Option(help="The address of a saved page.")] = "",
    base_url: Annotated[str, typer.Option(help="Fetch from a copy of the site at this origin.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Show the whole body, not its beginning.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what would be extracted from one page, and why its address is in or out; nothing is indexed."""
    file = Path(page)
    is_file = "://" not in page and file.is_file()
    rules = _rules_for(url or ("" if is_file else page), source)
    trial = _try_file(file, url or rules.base_url, rules) if is_file else _try_address(page, rules, base_url)
    if as_json:
        print_json(as_data(trial))
    else:
        show(trial, whole=whole)
    if trial.problem:
        raise typer.Exit(1)


def _rules_for(address: str, name: str) -> WebsiteSource:
    """Return the named source, else the first whose site the address is on, else one that has no rules of its own."""
    if name:
        return pick_source(declared_sources(), name)
    on_site = [one for one in declared_sources().values() if address and Scope(one).on_site(address)]
    included = [one for one in on_site if Scope(one).decide(address).included]
    if found := included or on_site:
        return found[0]
    parts = urlsplit(address)
    base = f"{parts.scheme}://{parts.netloc}" if parts.netloc else "https://page.example"
    return WebsiteSource.model_validate({"id": "no-source", "type": "website", "base-url": base})


def _try_address(address: str, rules: WebsiteSource, base_url: str) -> Trial:
    scope = Scope(rules)
    try:
        fetched = _fetch_copy(address, rules, base_url) if base_url else fetch_page(address, rules).page
    except ValueError as error:
        raise ConfigError(f"{address!r}: {error}", hint="write a web address, or the name of a file") from error
    except NotFetched as error:
        return Trial(rules.id, address, "", scope.decide(address), problem=str(error))
    return _extracted(fetched, rules, scope.decide(fetched.url, fetched.final_url))


def _fetch_copy(address: str, rules: WebsiteSource, base_url: str) -> Page:
    """Fetch from the copy; the page is told in the site's own addresses."""
    copy = SiteCopy(rules.base_url, base_url)
    there = fetch_page(copy.outward(copy.inward_url(address)), rules).page
    return replace(
        there,
        url=copy.inward_url(there.url),
        final_url=copy.inward_url(there.final_url),
        body=copy.inward(there.body),
        headers={name: copy.inward_url(value) for name, value in there.headers.items()},
    )


def _try_file(file: Path, url: str, rules: WebsiteSource) -> Trial:
    page = Page(url=url, final_url=url, body=file.read_bytes())
    return _extracted(page, rules, Scope(rules).decide(url))


def _extracted(page: Page, rules: WebsiteSource, decision: Decision) -> Trial:
    from contentbot.extract import ExtractRules, extract  # noqa: PLC0415 - its libraries cost most of a second to import

    trial = Trial(rules.id, page.url, page.final_url, decision)
    try:
        return replace(trial, document=extract(page, ExtractRules(rules)))
    except ExtractionError as error:
        return replace(trial, problem=str(error))


def as_data(trial: Trial) -> dict[str, Any]:
    """Return the trial as JSON data."""
    return {
        "source": trial.source,
        "url": trial.listed,
        "finalUrl": trial.final,
        "included": trial.decision.included,
        "reason": trial.decision.reason,
        "rule": trial.decision.rule,
        "problem": trial.problem,
        "document": trial.document.model_dump(by_alias=True, mode="json") if trial.document else None,
    }


def show(trial: Trial, *, whole: bool) -> None:
    """Print the trial for a person."""
    verdict = "[green]in[/]" if trial.decision.included else "[red]out[/]"
    rule = f" by {trial.decision.rule}" if trial.decision.rule else ""
    out.print(f"{verdict}: {trial.decision.reason.replace('_', ' ')}{escape(rule)}, source {trial.source}")
    if trial.final and trial.final != trial.listed:
        out.print(f"ends on {escape(trial.final)}")
    if trial.problem:
        complain(trial.problem)
    if trial.document:
        _show_document(trial.document, whole=whole)


def _show_document(document: ContentDocument, *, whole: bool) -> None:
    stored = document.model_dump(by_alias=True, mode="json")
    hidden = {"body", "plainText", "outline", "access", "key", "contentHash", "kind"}
    rows = [(name, value) for name, value in stored.items() if name not in hidden and value not in ("", [])]
    out.print(table(("field", "value"), rows))
    lines = visible(document.body).splitlines()
    shown = lines if whole else lines[:_SHOWN_LINES]
    out.print()
    say("\n".join(shown))
    if len(shown) < len(lines):
        out.print(f"[dim]… {len(lines) - len(shown)} more lines; --whole shows them[/]")
