"""The subcommands that read the index: search, export, status."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contentbot.cli import run
from contentbot.cli.search import marked
from contentbot.cli.shared import since_seconds
from contentbot.errors import InvalidQuery
from contentbot.index.query import Snippet

Capture = pytest.CaptureFixture[str]


def test_a_search_shows_title_address_and_the_matching_passage(indexed: Path, capsys: Capture) -> None:
    assert run(["search", "ultrasonic sensor", "--limit", "1"]) == 0
    shown = capsys.readouterr()
    assert "1. Measuring the mill race with a sensor" in shown.out
    assert "https://demo.contentbot.example/news/2025/09/measuring-the-race" in shown.out
    assert "ultrasonic" in shown.out
    assert "documents" in shown.err


def test_a_search_in_json_is_json_alone(indexed: Path, capsys: Capture) -> None:
    assert run(["search", "Mühlentag", "--locale", "de", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["total"] >= 1
    first = answer["hits"][0]
    assert first["url"] == "https://demo.contentbot.example/de/news/2026/03/m%C3%BChlentag"
    assert first["publishedDate"] == "2026-03-29"
    assert first["categories"] == ["Veranstaltungen"]
    text, marks = first["snippet"]["text"], first["snippet"]["marks"]
    assert any(text[start:end].lower().startswith("mühlen") for start, end in marks)


def test_filters_narrow_a_search(indexed: Path, capsys: Capture) -> None:
    assert run(["search", "", "--category", "HISTORY", "--since", "2026", "--source", "demo", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [hit["title"] for hit in answer["hits"]] == ["The archive is open"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--category", "histroy"], "did you mean 'history'"),
        (["--source", "dmeo"], "'demo'"),
        (["--locale", "xx"], "'en'"),
        (["--since", "last summer"], "--since"),
    ],
)
def test_a_filter_that_names_nothing_is_answered_with_what_there_is(
    indexed: Path, capsys: Capture, arguments: list[str], message: str
) -> None:
    assert run(["search", "wheel", *arguments]) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_an_empty_index_says_how_to_fill_it(empty: Path, capsys: Capture) -> None:
    assert run(["search", "wheel"]) == 0
    assert "contentbot crawl" in capsys.readouterr().err


def test_an_export_is_a_document_a_line_under_the_names_of_the_design(indexed: Path, capsys: Capture) -> None:
    assert run(["export", "--source", "demo"]) == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(documents) == 11
    assert len({document["url"] for document in documents}) == 11
    wheel = next(one for one in documents if one["id"] == "demo:news/2025/03/how-the-wheel-was-saved")
    assert wheel["publishedDate"] == "2025-03-09"
    assert wheel["author"] == "Marit Oswald"
    assert wheel["locale"] == "en"
    assert "## Turning it" in wheel["body"]
    assert "Reading a millstone" not in wheel["body"]  # the box of other posts


def test_an_export_of_a_source_without_documents_says_what_to_do(indexed: Path, capsys: Capture) -> None:
    assert run(["export", "--source", "hiero"]) == 0
    assert "contentbot crawl hiero" in capsys.readouterr().err
    assert run(["export", "--source", "heiro"]) == 1


def test_the_status_shows_counts_and_the_last_run(indexed: Path, capsys: Capture) -> None:
    assert run(["status", "--json"]) == 0
    sources = {one["source"]: one for one in json.loads(capsys.readouterr().out)["sources"]}
    assert sources["demo"]["documents"] == 11
    assert sources["demo"]["locales"] == {"en": 7, "de": 4}
    assert sources["demo"]["lastRun"]["finishReason"] == "finished"
    assert sources["hiero"]["lastRun"] is None
    assert run(["status"]) == 0
    assert "finished" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-12", datetime(2026, 3, 12, tzinfo=UTC)),
        ("2026-03-12T08:30:00+02:00", datetime(2026, 3, 12, 6, 30, tzinfo=UTC)),
        ("30d", datetime(2026, 5, 2, tzinfo=UTC)),
        ("2w", datetime(2026, 5, 18, tzinfo=UTC)),
    ],
)
def test_since_is_a_date_or_a_span_back(text: str, moment: datetime) -> None:
    assert since_seconds(text, datetime(2026, 6, 1, tzinfo=UTC)) == moment.timestamp()


@pytest.mark.parametrize("text", ["soon", "2026-13", "99999999y", "-3d", "2026-3", "d"])
def test_since_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidQuery, match="30d"):
        since_seconds(text, datetime(2026, 6, 1, tzinfo=UTC))


def test_a_passage_cannot_speak_to_the_terminal() -> None:
    shown = marked(Snippet("[red]x[/] \x1b[2J wheel", ((15, 20),)))
    assert "\x1b" not in shown
    assert "\\[red]" in shown
