import json
from pathlib import Path

import pytest

from contentbot.cli import run

Capture = pytest.CaptureFixture[str]
DEMO = "https://demo.contentbot.example"


def answer(capsys: Capture, *arguments: str) -> dict[str, object]:
    assert run(["why", *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (one,) = told["explanations"]
    assert told["url"] == one["url"]
    assert None not in one.values()
    return dict(one)


def test_an_indexed_page_is_answered_in_a_sentence_and_its_facts(indexed: Path, capsys: Capture) -> None:
    assert run(["why", f"{DEMO}/news/2025/03/how-the-wheel-was-saved"]) == 0
    first, *facts = capsys.readouterr().out.splitlines()
    assert first.startswith("demo: In the index as demo:news/2025/03/how-the-wheel-was-saved, since 20")
    assert f"  listed as: {DEMO}/news/2025/03/how-the-wheel-was-saved" in facts
    assert "  last run result: finished" in facts


@pytest.mark.parametrize(
    ("path", "verdict", "reason"),
    [
        ("/news/2025/11/the-lost-ledger", "gone", "http_404"),
        ("/news/drafts/winter-plans", "excluded", "excluded"),
        ("/workshop/keys", "robots_disallowed", "robots_disallowed"),
        ("/news/nowhere", "not_listed", ""),
    ],
)
def test_a_page_that_is_not_indexed_has_a_verdict_and_a_reason(
    indexed: Path, capsys: Capture, path: str, verdict: str, reason: str
) -> None:
    told = answer(capsys, DEMO + path)
    assert (told["verdict"], told["reason"], told["inIndex"]) == (verdict, reason, False)
    assert str(told["summary"]).startswith("Not in the index: ")


def test_asking_creates_nothing_and_says_that_nothing_was_crawled(empty: Path, capsys: Capture) -> None:
    assert run(["why", f"{DEMO}/news/a", "--source", "demo"]) == 0
    shown = capsys.readouterr()
    assert "no crawl has been recorded here" in shown.out
    assert "contentbot crawl" in shown.err
    assert list(empty.iterdir()) == []


def test_an_unknown_source_or_address_is_refused(indexed: Path, capsys: Capture) -> None:
    assert run(["why", DEMO, "--source", "dmeo"]) == 2
    assert "did you mean demo?" in capsys.readouterr().err
    assert run(["why", "mailto:ada@mill.example"]) == 1
    assert "not a web address" in capsys.readouterr().err
