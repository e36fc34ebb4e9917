"""`contentbot init URL`: a source file for a site that nobody has described yet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from contentbot.cli.console import AsJson, err, note, out, print_json, say, visible
from contentbot.cli.fetching import NotFetched
from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.sources.loader import load_source, load_sources

if TYPE_CHECKING:
    from contentbot.proposing.proposal import Proposal

_SHOWN_LINES = 12


def init(
    url: Annotated[str, typer.Argument(help="The address of a site, or of a folder of it.")],
    name: Annotated[str, typer.Option("--id", help="The id of the source; by default made of the host.")] = "",
    output: Annotated[
        Path | None,
        typer.Option(help="The file that is written, or - for stdout; by default one in the source folder."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    pages: Annotated[int, typer.Option(min=3, max=50, help="How many pages are read at most.")] = 16,
    rate_limit: Annotated[str, typer.Option(help="Requests a second, or off.")] = "2",
    base_url: Annotated[str, typer.Option(help="Look at a copy of the site at this origin.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write a source file for a site, after a polite look at a few of its pages.

    Finds sitemaps, feeds and languages, the kind of page that most addresses are of, and where their content is.
    Exit code 1: the site gives no answer, asks to stay out, or has no pages.
    """
    from contentbot.cli.exploring import Explorer, site_of  # noqa: PLC0415 - extraction costs a second to import
    from contentbot.proposing.deciding import propose  # noqa: PLC0415 - as above
    from contentbot.proposing.writing import source_file  # noqa: PLC0415 - as above

    site = site_of(url, rate_limit)
    chosen = name or _id_of(site.base_url)
    file = _file(output, chosen)
    if file and file.exists() and not force:
        raise ConfigError(
            "the file is there already", file=file, hint="--force overwrites it; --id or --output name another"
        )
    with err.status(f"looking at {site.base_url}") as status:
        explorer = Explorer(site, base_url, pages, lambda what: status.update(escape(visible(what))))
        survey = explorer.survey(url if "://" in url else f"https://{url}")
    if not survey.entries:
        raise NotFetched(
            f"{url}: no pages were found, neither by a sitemap nor by links; scripts may be needed to see them"
        )
    proposal = propose(survey, chosen)
    text = source_file(proposal)
    _write(file, text)
    if as_json:
        print_json({"file": str(file or ""), **as_data(proposal), "yaml": text})
    elif file is None:
        say(text.rstrip())
    else:
        show(proposal, file, text)


def _id_of(base_url: str) -> str:
    from contentbot.cli.opml import slug  # noqa: PLC0415 - as above

    host = base_url.partition("://")[2].strip("/").partition(":")[0].removeprefix("www.")
    return slug(host.rpartition(".")[0] or host) or "site-1"


def _file(output: Path | None, name: str) -> Path | None:
    if output is None:
        return get_settings().sources_dir / f"{name}.yaml"
    return None if str(output) == "-" else output


def _write(file: Path | None, text: str) -> None:
    """Write the file, once it is sure that it loads."""
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    trial = file.with_name(f".{file.stem}.new.yaml")
    trial.write_text(text, encoding="utf-8")
    try:
        source = load_source(trial)
        others = (
            [one for one in load_sources(file.parent).values() if one.id == source.id] if file.parent.is_dir() else []
        )
        if others and not file.exists():
            raise ConfigError(f"there is a source {source.id!r}", key="--id", hint="give another id")
        trial.replace(file)
    finally:
        trial.unlink(missing_ok=True)


def as_data(proposal: "Proposal") -> dict[str, Any]:
    """Return the proposal as JSON data."""
    example = proposal.example
    return {
        "source": proposal.keys(),
        "why": proposal.why,
        "leftOut": proposal.left_out,
        "expected": proposal.expected,
        "listed": proposal.listed,
        "lookedAt": proposal.looked_at,
        "feeds": list(proposal.feeds),
        "example": example.model_dump(by_alias=True, mode="json") if example else None,
    }


def show(proposal: "Proposal", file: Path, text: str) -> None:
    """Print what is proposed, and an example of what comes of it."""
    out.print(visible(text), markup=False, soft_wrap=True)
    if example := proposal.example:
        say(f"[bold]{escape(visible(example.title))}[/]", markup=True)
        told = [
            example.published_date,
            ", ".join(example.authors),
            example.locale,
            f"{len(example.plain_text.split())} words",
        ]
        say(visible(f"{example.url}: {', '.join(filter(None, told))}"))
        say("")
        say(visible("\n".join(example.body.splitlines()[:_SHOWN_LINES])))
        say("")
    note(f"written: {file}; about {proposal.expected} documents. Next: contentbot crawl {proposal.id} --limit 20")
