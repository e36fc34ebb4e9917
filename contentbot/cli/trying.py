"""`contentbot try URL|FILE`: what one page would become, and why its address is in or out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer
from pydantic.alias_generators import to_camel
from rich.markup import escape

from contentbot.cli.console import AsJson, complain, note, out, print_json, say, table, visible
from contentbot.cli.fetching import NotFetched, fetch_page
from contentbot.cli.shared import declared_sources, pick_source
from contentbot.discovery.own_markdown import is_markdown, linked_markdown
from contentbot.documents import ContentDocument, MarkdownFile, Page
from contentbot.errors import ConfigError, NotAFeed
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import FeedSource, Source, WebsiteSource
from contentbot.sources.scope import Decision, Scope
from contentbot.sources.urls import clean_url

if TYPE_CHECKING:
    from contentbot.extract.explain import Trace
    from contentbot.feeds import Feed

_SHOWN_LINES = 25
_NOT_SHOWN = frozenset({"body", "plainText", "outline", "access", "key", "contentHash", "kind", "qualityFlags"})


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one page. `trace` is missing where it was not fetched; `problem` says why there is no document."""

    source: str
    listed: str
    final: str
    decision: Decision
    trace: "Trace | None" = None
    problem: str = ""


def try_page(
    page: Annotated[str, typer.Argument(metavar="URL|FILE", help="An address, or a saved page.")],
    source: Annotated[str, typer.Option(help="By whose rules; by default the source whose site it is.")] = "",
    url: Annotated[str, typer.Option(help="The address of a saved page.")] = "",
    base_url: Annotated[str, typer.Option(help="Fetch from a copy of the site at this origin.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Show the whole body, not its beginning.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what one page would become.

    Also why its address is in or out. Nothing is indexed; robots.txt is obeyed.
    """
    file = Path(page)
    is_file = "://" not in page and file.is_file()
    address = url or ("" if is_file else page)
    if address or not is_file:
        require_address(address)
    rules = rules_for(address, source)
    if isinstance(rules, FeedSource) and (listed := _listed(file, is_file, address, rules, base_url)):
        from contentbot.cli import feeds_shown  # noqa: PLC0415 - reading feeds costs most of a second to import

        feeds_shown.show(listed, rules, as_json=as_json)
        return
    trial = _try_file(file, url or rules.base_url, rules) if is_file else _try_address(page, rules, base_url)
    if as_json:
        print_json(as_data(trial))
    else:
        show(trial, whole=whole)
    if trial.problem:
        raise typer.Exit(1)


def require_address(address: str) -> None:
    """Raise `ConfigError` for what is no web address."""
    try:
        clean_url(address)
    except ValueError as error:
        raise ConfigError(f"{address!r}: {error}", hint="write a web address, or the name of a file") from error


def rules_for(address: str, name: str) -> Source:
    """Return the named source, else the first whose site the address is on, else one that has no rules of its own."""
    if name:
        return pick_source(declared_sources(), name)
    on_site = [one for one in declared_sources().values() if address and Scope(one).owns(address)]
    included = [one for one in on_site if Scope(one).decide(address).included]
    if found := included or on_site:
        return found[0]
    parts = urlsplit(address)
    base = f"{parts.scheme}://{parts.netloc}" if parts.netloc else "https://page.example"
    return WebsiteSource.model_validate({"id": "no-source", "type": "website", "base-url": base})


def _listed(file: Path, is_file: bool, address: str, rules: FeedSource, base_url: str) -> "Feed | None":
    """Return the feed that a file or an address of the source is; None where a single item is asked about."""
    from contentbot.cli import feeds_shown  # noqa: PLC0415 - reading feeds costs most of a second to import

    try:
        if is_file:
            return feeds_shown.feed_of(
                Page(address or rules.base_url, address or rules.base_url, file.read_bytes()), rules
            )
        if clean_url(address) not in map(clean_url, rules.feeds):
            return None
        return feeds_shown.feed_of(_fetch(address, rules, base_url), rules)
    except NotAFeed as error:
        if is_file:
            return None
        raise NotFetched(f"{address}: {error}") from error


def _fetch(address: str, rules: Source, base_url: str) -> Page:
    return _fetch_copy(address, rules, base_url) if base_url else fetch_page(address, rules).page


def _item_page(address: str, rules: FeedSource, base_url: str) -> Page:
    """Return the page of an item that the source's feeds have now: its own text, or the page that it links to."""
    from contentbot.cli import feeds_shown  # noqa: PLC0415 - as above
    from contentbot.feeds import is_read_inline  # noqa: PLC0415 - as above

    item = feeds_shown.find_item(address, (_fetch(feed, rules, base_url) for feed in rules.feeds), rules)
    if item is None:
        note(f"no feed of {rules.id} has an item of this address now; the page is read as it is")
        return _fetch(address, rules, base_url)
    if is_read_inline(item, rules.content):
        url = clean_url(address)
        return Page(url, url, b"", lastmod=item.updated, published=item.published, item=item, inline=True)
    return replace(_fetch(address, rules, base_url), item=item, published=item.published, lastmod=item.updated)


def _try_address(address: str, rules: Source, base_url: str) -> Trial:
    scope = Scope(rules)
    try:
        fetched = (
            _item_page(address, rules, base_url) if isinstance(rules, FeedSource) else _fetch(address, rules, base_url)
        )
    except ValueError as error:
        # the address itself is one: a redirect of the page is not
        return Trial(rules.id, address, "", scope.decide(address), problem=f"redirected: {error}")
    except NotFetched as error:
        return Trial(rules.id, address, "", scope.decide(address), problem=str(error))
    fetched = _with_own_markdown(fetched, rules, base_url)
    return _extracted(fetched, rules, scope.decide(fetched.url, fetched.final_url))


def _with_own_markdown(page: Page, rules: Source, base_url: str) -> Page:
    """Return the page with its own Markdown, where the page links to it; the lists of sites are left to crawls."""
    if not isinstance(rules, WebsiteSource) or rules.markdown == "ignore" or is_markdown(page.content_type):
        return page
    target = linked_markdown(page.body, page.final_url, page.headers.get("link", ""))
    try:
        own = _fetch(target, rules, base_url) if target else None
    except (NotFetched, ValueError):
        return page
    usable = own is not None and is_markdown(own.content_type)
    return replace(page, own=MarkdownFile(own.final_url, own.body)) if own and usable else page


def _fetch_copy(address: str, rules: Source, base_url: str) -> Page:
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


def _try_file(file: Path, url: str, rules: Source) -> Trial:
    page = Page(url=url, final_url=url, body=file.read_bytes())
    return _extracted(page, rules, Scope(rules).decide(url))


def _extracted(page: Page, rules: Source, decision: Decision) -> Trial:
    from contentbot.extract import ExtractRules  # noqa: PLC0415 - its libraries cost most of a second to import
    from contentbot.extract.explain import explain  # noqa: PLC0415 - as above
    from contentbot.filtering import refusal  # noqa: PLC0415 - as above

    trace = explain(page, ExtractRules(rules))
    problem = f"{trace.reason}: {trace.detail}".rstrip(": ")
    if trace.reason == "empty_text" and rules.render != "never":
        problem += f"; a crawl runs its scripts (render: {rules.render}), this command does not"
    if trace.document and (refused := refusal(trace.document, rules.rules, datetime.now(UTC))):
        problem = f"{refused.reason}: {refused}"
    return Trial(rules.id, page.url, page.final_url, decision, trace, problem)


def as_data(trial: Trial) -> dict[str, Any]:
    """Return the trial as JSON data."""
    document = trial.trace.document if trial.trace else None
    return {
        "source": trial.source,
        "url": trial.listed,
        "finalUrl": trial.final,
        "included": trial.decision.included,
        "reason": trial.decision.reason,
        "rule": trial.decision.rule,
        "problem": trial.problem,
        "extraction": _steps(trial.trace) if trial.trace else None,
        "document": document.model_dump(by_alias=True, mode="json") if document else None,
    }


def _steps(trace: "Trace") -> dict[str, Any]:
    steps = asdict(replace(trace, document=None))
    told_elsewhere = {"listed", "final", "decision", "document", "reason", "detail"}
    return {to_camel(name): value for name, value in steps.items() if name not in told_elsewhere}


def show(trial: Trial, *, whole: bool) -> None:
    """Print the trial for a person."""
    verdict = "[green]in[/]" if trial.decision.included else "[red]out[/]"
    rule = f" by {trial.decision.rule}" if trial.decision.rule else ""
    say(f"{verdict}: {trial.decision.reason.replace('_', ' ')}{escape(rule)}, source {trial.source}", markup=True)
    if trial.final and trial.final != trial.listed:
        say(f"ends on {trial.final}")
    if trial.trace:
        _show_steps(trial.trace)
    if trial.problem:
        complain(trial.problem)
    if trial.trace and trial.trace.document:
        _show_document(trial.trace.document, trial.trace.evidence, whole=whole)


def _show_steps(trace: "Trace") -> None:
    if trace.encoding:
        say(f"read as {trace.media}, {trace.encoding} by {trace.encoding_from}, in {trace.seconds * 1000:.0f} ms")
    tried = ", ".join(f"{selector!r} {count}" for selector, count in trace.tried.items())
    if trace.chosen_by:
        say(visible(f"content by {trace.chosen_by}" + (f"; elements matched: {tried}" if tried else "")))
    if trace.own_markdown:
        say(visible(f"the page's own Markdown: {trace.own_markdown}"))
    cut = ", ".join(f"{selector!r} {count}" for selector, count in trace.excluded.items())
    dropped = ", ".join(f"{count} {reason}" for reason, count in trace.removed.items() if count)
    for name, what in (("cut by content-exclude", cut), ("dropped", dropped), ("flags", ", ".join(trace.flags))):
        if what:
            say(visible(f"{name}: {what}"))


def _show_document(document: ContentDocument, evidence: Mapping[str, str], *, whole: bool) -> None:
    stored = document.model_dump(by_alias=True, mode="json")
    found_in = {to_camel(name): where for name, where in evidence.items()}
    rows = [
        (name, ", ".join(value) if isinstance(value, list) else value, found_in.get(name, ""))
        for name, value in stored.items()
        if name not in _NOT_SHOWN and value not in ("", [])
    ]
    out.print()
    out.print(table(("field", "value", "from"), rows))
    lines = visible(document.body).splitlines()
    shown = lines if whole else lines[:_SHOWN_LINES]
    out.print()
    say("\n".join(shown))
    if len(shown) < len(lines):
        say(f"[dim]… {len(lines) - len(shown)} more lines; --whole shows them[/]", markup=True)
