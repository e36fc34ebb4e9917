"""The tables of the documentation say what the code says: no name is missing, none is made up, defaults are right."""

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
import yaml
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from contentbot import settings as scrapy_settings
from contentbot.articles import ArticleService
from contentbot.cli.app import app
from contentbot.cli.crawl import BY_RULE
from contentbot.config import Settings
from contentbot.documents import ContentDocument
from contentbot.extract import quality, shells
from contentbot.extract.extractor import EXCERPT_LENGTH
from contentbot.extract.metadata.categories import MAX_CATEGORIES
from contentbot.extract.rules import Limits
from contentbot.index import chunking, open_index, question
from contentbot.index.query import MAX_WINDOW
from contentbot.index.tantivy import vocabulary
from contentbot.rendering import RenderLimits
from contentbot.runs import Tally
from contentbot.sources.filters import RuleSet
from contentbot.sources.globs import AntGlob
from contentbot.sources.models import USER_AGENT, FeedSource, LocaleRules, SourceBase, WebsiteSource
from contentbot.summaries import endpoint, prompt, validator
from contentbot.summaries.findings import Code
from contentbot.summaries.model import SummaryError, SummaryResult
from mcp_server.__main__ import _parser
from mcp_server.settings import ServerSettings
from mcp_server.toolsets.content import ContentTools
from mcp_server.toolsets.extraction import ExtractionTools
from mcp_server.toolsets.summaries import SummaryTools
from tests.contract import server
from tests.docs.pages import ROOT, codes, commands, pages
from tests.docs.reasons import counts, finishes, reasons, sitemap_reasons

README, SOURCES, MCP = (pages()[path] for path in ("README.md", "docs/sources.md", "docs/mcp.md"))
FEEDS = pages()["docs/feeds.md"]
EXTRACTION = pages()["docs/extraction.md"]
SUMMARIES = pages()["docs/summaries.md"]
OPERATIONS, DOCUMENTS = pages()["docs/operations.md"], pages()["docs/documents.md"]
KEYS = ("Key", "Default", "Meaning")


def only(found: list[str]) -> str:
    """Return the one code span of a cell, or nothing."""
    assert len(found) <= 1
    return found[0] if found else ""


def documented_keys() -> tuple[dict[str, str], dict[str, str]]:
    """Return the default by key of a source, and of its locale rules, as the tables have them."""
    rows = {only(codes(key)): default for key, default, _ in SOURCES.table(*KEYS)}
    of_locale = {key: rows.pop(key) for key in ("default", "prefixes")}
    return rows, of_locale


def aliases(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def test_every_key_of_a_source_file_is_documented() -> None:
    keys, of_locale = documented_keys()
    assert set(keys) == aliases(WebsiteSource)
    assert set(of_locale) == aliases(LocaleRules)


def test_every_rule_of_a_source_is_documented_with_its_default() -> None:
    rows = {only(codes(rule)): default for rule, default, _ in SOURCES.table("Rule", "Default", "Meaning")}
    assert set(rows) == aliases(RuleSet)
    assert RuleSet.model_validate({rule: yaml.safe_load(only(codes(cell))) for rule, cell in rows.items()}) == RuleSet()


def test_the_defaults_of_keys_are_those_of_the_code() -> None:
    keys, _ = documented_keys()
    needed = {"id": "one", "type": "website", "base-url": "https://one.example"}
    assert {key for key, default in keys.items() if default == "required"} == set(needed)
    by_itself = WebsiteSource.model_validate(needed)
    told = {key: yaml.safe_load(only(codes(cell))) for key, cell in keys.items() if codes(cell)}
    assert WebsiteSource.model_validate({**needed, **told}) == by_itself
    assert {key for key in keys if key not in told} - set(needed) == {"sitemaps", "markdown"}


def test_every_key_of_a_feed_source_is_documented_with_its_default() -> None:
    keys = {only(codes(key)): default for key, default, _ in FEEDS.table(*KEYS)}
    assert set(keys) == aliases(FeedSource) - aliases(SourceBase)
    (line,) = re.findall(r"The keys that (?:.*?): (.*?)\.\n", FEEDS.prose, re.DOTALL)
    assert set(codes(line)) == aliases(SourceBase) - {"id", "type"}
    needed = {"id": "one", "type": "feed", "feeds": ["https://one.example/feed.xml"]}
    told = {key: yaml.safe_load(only(codes(cell))) for key, cell in keys.items() if codes(cell)}
    assert FeedSource.model_validate({**told, **needed}) == FeedSource.model_validate(needed)


def test_the_examples_of_globs_match_as_they_say() -> None:
    for cell, matching, other in SOURCES.table("Glob", "Matches", "Does not match"):
        glob = AntGlob(only(codes(cell)))
        assert [path for path in codes(matching) if not glob.matches(path)] == []
        assert [path for path in codes(other) if glob.matches(path)] == []


def environment_tables() -> dict[str, str]:
    """Return every documented environment variable with its default."""
    tables = (page.table("Variable", "Default", "Meaning") for page in (README, EXTRACTION))
    rows = {only(codes(name)): only(codes(default)) for table in tables for name, default, _ in table}
    for _, name, default, _ in MCP.table("Option", "Variable", "Default", "Meaning"):
        if codes(name):
            rows[only(codes(name))] = only(codes(default))
    return rows


def variables(settings: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the environment variables of a settings class, with their defaults as one writes them."""
    for name, info in settings.model_fields.items():
        default = ",".join(info.default) if isinstance(info.default, list) else info.default
        yield (
            settings.model_config["env_prefix"] + name.upper(),
            str(getattr(default, "get_secret_value", lambda d=default: d)()),
        )


def test_every_environment_variable_is_documented_with_its_default() -> None:
    expected = dict([*variables(Settings), *variables(ServerSettings)])
    expected["CONTENTBOT_INDEX_URL"] = "tantivy:<data_dir>/index"
    expected["CONTENTBOT_DATABASE_URL"] = "sqlite:///<data_dir>/state.db"
    assert environment_tables() == expected


def test_every_scrapy_setting_of_ours_is_documented_with_its_default() -> None:
    ours = {name: value for name, value in vars(scrapy_settings).items() if name.startswith("CONTENTBOT_")}
    rows = {
        only(codes(name)): only(codes(default))
        for name, default, _ in OPERATIONS.table("Setting", "Default", "Meaning")
    }
    assert set(rows) == set(ours)
    assert {name: default for name, default in rows.items() if default} == {
        name: str(value) for name, value in ours.items() if not isinstance(value, str)
    }


def test_no_setting_is_made_up() -> None:
    known = set(environment_tables()) | {name for name in vars(scrapy_settings) if name.startswith("CONTENTBOT_")}
    known |= {server.URL, server.KEY}
    for page in pages().values():
        assert set(re.findall(r"CONTENTBOT_[A-Z_]*[A-Z](?![A-Z_*])", page.text)) <= known, page.path


def subcommands() -> Iterator[tuple[str, set[str]]]:
    """Yield every command that does something, with its options, the common ones left out."""
    waiting: list[tuple[str, Any]] = [("contentbot", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        below: Mapping[str, Any] = getattr(command, "commands", {})
        waiting += [(f"{name} {word}", one) for word, one in below.items()]
        if not below:
            options = {option for each in command.params for option in each.opts if option.startswith("-")}
            assert "--json" in options, f"{name}: every command takes --json, says the README"
            yield name, options - {"--json"}


def test_every_command_and_option_is_documented() -> None:
    rows = {
        re.sub(r"( [A-Z\[].*)$", "", codes(name)[0]): {code for code in codes(options) if code.startswith("-")}
        for name, _, options in README.table("Command", "What it does", "Options")
    }
    assert rows == dict(subcommands())


def test_every_option_of_the_mcp_server_is_documented() -> None:
    parser: argparse.ArgumentParser = _parser()
    known = {option for action in parser._actions for option in action.option_strings} - {"-h", "--help"}
    rows = MCP.table("Option", "Variable", "Default", "Meaning")
    assert {option for cell, *_ in rows for option in codes(cell)} == known


def test_no_option_is_made_up() -> None:
    known = {"--help", "--version", "--debug", "--json"} | {
        option for _, options in subcommands() for option in options
    }
    known |= {option for action in _parser()._actions for option in action.option_strings}
    for script in [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "training").glob("*.py")]:
        known |= set(re.findall(r'"(--[a-z-]+)"', script.read_text(encoding="utf-8")))
    for page in pages().values():
        # what belongs to the agents' own commands is theirs
        text = re.sub(r"^(?:claude|codex) .*$", "", page.text, flags=re.MULTILINE)
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) <= known, page.path


def test_no_command_is_made_up() -> None:
    known = {name.split()[1] for name, _ in subcommands()}
    for page in pages().values():
        named = [code.split()[1] for code in [*page.codes, *commands()] if re.match(r"contentbot [a-z]", code)]
        assert set(named) <= known, page.path


def test_the_tools_and_their_parameters_are_documented(tmp_path: Path) -> None:
    rows = {
        only(codes(name)): codes(parameters)
        for name, _, parameters in MCP.table("Tool", "What it is for", "Parameters")
    }
    with open_index(f"tantivy:{tmp_path}", read_only=True) as index:
        tools = ContentTools(index).tools()
    summaries = SummaryTools(ArticleService())
    every = [*tools, *ExtractionTools(ArticleService()).tools(), *summaries.tools()]
    assert rows == {tool.name: [*parameters(tool.parameters)] for tool in every}
    assert [only(codes(name)) for name, _ in README.table("Tool", "What it is for")] == [tool.name for tool in tools]
    prompts = {only(codes(name)): codes(given) for name, _, given in MCP.table("Prompt", "What it is for", "Arguments")}
    assert prompts == {one.name: [each.name for each in one.arguments or []] for one in summaries.prompts()}


def parameters(schema: Mapping[str, Any]) -> Iterator[str]:
    for name, about in schema["properties"].items():
        yield f"{name}={about['default']}" if about.get("default", "") != "" else name


def test_the_findings_the_fields_and_the_errors_of_summaries_are_documented() -> None:
    assert [only(codes(code)) for code, _ in SUMMARIES.table("Finding", "What it says")] == [*Code]
    fields = {code for cell, _ in SUMMARIES.table("Field of a summary", "What it holds") for code in codes(cell)}
    assert fields == set(SummaryResult.model_fields)
    said = get_args(SummaryError.model_fields["code"].annotation)
    assert tuple(only(codes(code)) for code, *_ in SUMMARIES.table("Error", "Meaning", "Again?")) == said


def test_the_fields_of_a_document_are_documented() -> None:
    rows = [only(codes(name)) for name, _ in DOCUMENTS.table("Field", "What it holds")]
    assert rows == [to_camel(name) for name in ContentDocument.model_fields]


def test_the_quality_flags_are_documented() -> None:
    listed = re.findall(r"^([a-z_]+) {2,}", quality.__doc__ or "", re.MULTILINE)
    assert listed
    assert [only(codes(name)) for name, _ in DOCUMENTS.table("Flag", "Meaning")] == listed


def words(*columns: str) -> set[str]:
    """Return the words of the first column of a table in the page about operations."""
    return {code for cell, *_ in OPERATIONS.table(*columns) for code in codes(cell)}


def test_every_reason_for_a_skipped_page_is_documented() -> None:
    assert words("Reason", "Meaning") == reasons()


def test_every_reason_for_a_sitemap_that_was_not_read_is_documented() -> None:
    assert words("Sitemap", "Meaning") == sitemap_reasons() - {"http_NNN", "bad_url"}


def test_what_a_run_counts_and_how_it_ends_is_documented() -> None:
    assert words("Count", "What is counted") == counts()
    assert words("Finish", "Meaning") == finishes()


def test_the_readme_names_the_reasons_that_are_no_fault() -> None:
    (line,) = re.findall(r"- Left out by the rules[^:]*: (.*?)\.\n", README.prose, re.DOTALL)
    # one that is a duplicate is counted, not skipped
    assert set(codes(line)) == BY_RULE - {"duplicate"}
    table = OPERATIONS.prose.partition("Left out by a rule:")[2].partition("Not fetched:")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == BY_RULE - {"duplicate"}


@pytest.mark.parametrize("cell", [name for name, _ in README.table("Folder", "What is in it")])
def test_a_folder_of_the_layout_exists(cell: str) -> None:
    for name in codes(cell):
        assert (ROOT / name).is_dir() or (ROOT / "contentbot" / name).is_dir(), name


LIMITS, RENDERED = Limits(), RenderLimits()
SENTENCES = [
    (README, f"over {LIMITS.max_bytes >> 20} MiB of text, {LIMITS.max_nodes:,} elements, {LIMITS.max_depth} levels, "
     f"{LIMITS.max_table_rows:,} rows of one table or {LIMITS.max_seconds:g} seconds"),
    (OPERATIONS, f"Over {LIMITS.max_bytes >> 20} MiB of text"),
    (OPERATIONS, f"Over {LIMITS.max_nodes:,} elements"),
    (OPERATIONS, f"A table of over {LIMITS.max_table_rows:,} rows"),
    (OPERATIONS, f"nested over {LIMITS.max_depth} levels deep"),
    (OPERATIONS, f"took over {LIMITS.max_seconds:g} seconds"),
    (README, f"The user agent is `{USER_AGENT}`"),
    (README, f"`Crawl-delay` up to {scrapy_settings.CONTENTBOT_MAX_CRAWL_DELAY:g} seconds"),
    (README, f"asks for more than {scrapy_settings.CONTENTBOT_MAX_RETRY_AFTER:g} seconds"),
    (README, f"Deeper than hit {MAX_WINDOW:,} nobody can page"),
    (README, f"up to about {chunking.MAX_WORDS} words under one heading"),
    (README, f"over {question.MAX_WORDS} words or {question.MAX_CHARACTERS:,} characters"),
    (README, f"up to {Tally()._pages_per_reason} of each reason"),
    (DOCUMENTS, f"Fewer than {quality.FEW_WORDS} words."),
    (DOCUMENTS, f"up to {EXCERPT_LENGTH} characters"),
    (DOCUMENTS, f"up to {MAX_CATEGORIES}."),
    (SOURCES, f"it shows at most {shells.LONGEST_TEXT} characters"),
    (SOURCES, f"A page may make {RENDERED.requests} requests, get {RENDERED.max_bytes >> 20} MiB and take "
     f"{RENDERED.seconds:g} seconds"),
    (SOURCES, f"or after {RENDERED.settle_seconds:g} seconds"),
    (OPERATIONS, f"did not come to an end within {RENDERED.seconds:g} seconds"),
    (SUMMARIES, f"the first {prompt.MAX_CHARS:,} characters only"),
    (SUMMARIES, f"one of over {validator.SENTENCE_WORDS} words"),
    (SUMMARIES, f"be {endpoint.MAX_ANSWER >> 20} MiB long"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_a_number_in_a_sentence_is_that_of_the_code(page: Any, sentence: str) -> None:
    assert sentence in page.flowing


def test_the_numbers_that_are_written_as_words_are_those_of_the_code() -> None:
    assert (vocabulary.ONE_TYPO, vocabulary.TWO_TYPOS) == (5, 9)
    assert "Words of five letters and more are found with one typo, of nine and more with two" in README.flowing
    assert WebsiteSource.model_fields["rate_limit"].default == 2
    assert "At most two requests a second go to a host" in README.flowing
    assert (scrapy_settings.RETRY_TIMES, scrapy_settings.CONTENTBOT_BACKOFF_SECONDS) == (3, 1)
    assert "is repeated up to three times, after one, two and four seconds" in README.flowing
