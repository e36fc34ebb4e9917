"""`contentbot summarize URL|FILE|DOCUMENT-ID|-`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from contentbot.cli.console import AsJson, complain, note, print_json_line, say, visible
from contentbot.cli.readable import NoArticle, articles
from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.sources.tags import normal_locale
from contentbot.summaries import Article, Endpoint, SummaryOutput, Wishes, summarise
from contentbot.summaries.validator import SENTENCES
from contentbot.summaries.writing import TRIES, failed


def summarize(
    article: Annotated[
        str, typer.Argument(metavar="URL|FILE|DOCUMENT-ID|-", help="What to summarise; - reads standard input.")
    ],
    language: Annotated[
        str, typer.Option(help="The language of the summary, such as de; the article's by default.")
    ] = "",
    sentences: Annotated[int, typer.Option(min=1, max=20, help="How many sentences at most.")] = SENTENCES,
    tries: Annotated[int, typer.Option(min=1, max=10, help="How many drafts the model may write.")] = TRIES,
    output: Annotated[str, typer.Option(help="A file that the answers are added to, a line of JSON each.")] = "",
    as_json: AsJson = False,
) -> None:
    """Have a model summarise an article, and check what it says.

    The model is CONTENTBOT_LLM_MODEL at CONTENTBOT_LLM_URL. A draft that says what the article does not goes back with
    the findings. Many articles at once are read as lines of JSON, as `export` writes them.
    """
    endpoint, wishes = _endpoint(), Wishes(_tag(language), sentences)
    good = True
    with ExitStack() as files:
        file = files.enter_context(Path(output).open("a", encoding="utf-8")) if output else None
        for one in articles(article):
            answer = _answer(one, endpoint, wishes, tries)
            good &= answer.success
            if file:
                file.write(answer.model_dump_json(exclude_none=True) + "\n")
                file.flush()
            if as_json:
                print_json_line(answer.as_data())
            else:
                show(answer)
    if not good:
        raise typer.Exit(1)


def _endpoint() -> Endpoint:
    """Return the configured endpoint; raises `ConfigError` that names the missing setting."""
    settings = get_settings()
    if not settings.llm_url:
        raise ConfigError(
            "is empty", key="CONTENTBOT_LLM_URL", hint="an OpenAI-compatible endpoint that writes summaries"
        )
    key = settings.llm_key.get_secret_value()
    return Endpoint(settings.llm_url, settings.llm_model, key, settings.llm_timeout)


def _tag(language: str) -> str:
    tag = normal_locale(language)
    if language and not tag:
        raise ConfigError(f"{language!r} is no language tag", key="--language", hint="such as en, de or pt-BR")
    return tag


def _answer(one: Article | NoArticle, endpoint: Endpoint, wishes: Wishes, tries: int) -> SummaryOutput:
    if isinstance(one, NoArticle):
        return failed(None, "INVALID_INPUT", str(one), stage="input")
    return summarise(one, endpoint, wishes, tries=tries)


def show(answer: SummaryOutput) -> None:
    """Print an answer for a person."""
    summary = answer.summary
    if summary is None:
        complain(visible(answer.error.message if answer.error else "no summary"))
    else:
        say(f"[bold]{escape(visible(summary.title))}[/]", markup=True)
        say(visible(summary.summary))
        for point in summary.key_points:
            say(visible(f"  - {point}"))
        for quote in summary.quotes:
            say(visible(f"  “{quote.text}”{f' ({quote.speaker})' if quote.speaker else ''}"))
        note(f"{summary.model or 'model'}, {summary.language}, drafts: {answer.tries}")
    for finding in answer.findings:
        note(f"{finding.severity}: {finding.place}: {finding.found!r}: {finding.message}")
