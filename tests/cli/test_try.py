import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentbot.cli import run
from contentbot.demo.server import demo_site, serve

Capture = pytest.CaptureFixture[str]
SITE = "https://demo.contentbot.example"


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with demo_site() as at:
        yield at


def trial(capsys: Capture, *arguments: str) -> tuple[int, dict[str, object]]:
    code = run(["try", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_page_of_a_copy_is_told_in_the_sites_own_addresses(empty: Path, origin: str, capsys: Capture) -> None:
    code, told = trial(capsys, f"{SITE}/en/guide/visiting", "--base-url", origin)
    assert code == 0
    assert (told["source"], told["reason"], told["rule"]) == ("demo", "included", "/guide/**")
    assert told["finalUrl"] == f"{SITE}/guide/visiting"
    assert told["document"]["title"] == "Visiting the mill"  # type: ignore[index]


def test_an_excluded_page_names_the_rule_and_is_shown_all_the_same(empty: Path, origin: str, capsys: Capture) -> None:
    code, told = trial(capsys, f"{SITE}/news/drafts/winter-plans", "--base-url", origin)
    assert code == 0
    assert (told["included"], told["reason"], told["rule"]) == (False, "excluded", "/news/drafts/**")
    assert told["document"]


def test_robots_txt_is_obeyed(empty: Path, origin: str, capsys: Capture) -> None:
    code, told = trial(capsys, f"{SITE}/workshop/keys", "--base-url", origin)
    assert code == 1
    assert "robots.txt" in str(told["problem"])
    assert told["document"] is None


@pytest.mark.parametrize(
    ("path", "problem"), [("/news/2025/11/the-lost-ledger", "answers 404"), ("/guide/volunteers", "noindex")]
)
def test_a_page_that_gives_no_document_says_why(
    empty: Path, origin: str, capsys: Capture, path: str, problem: str
) -> None:
    code, told = trial(capsys, SITE + path, "--base-url", origin)
    assert code == 1
    assert problem in str(told["problem"])


def test_a_page_of_no_source_is_read_without_rules(empty: Path, origin: str, capsys: Capture) -> None:
    code, told = trial(capsys, f"{origin}/guide/how-a-mill-works")
    assert code == 1  # its canonical says that it belongs to the demo's own address
    assert "canonical_offsite" in str(told["problem"])
    assert told["source"] == "no-source"


def test_a_saved_page_is_read_by_the_rules_of_the_address_that_is_given(
    empty: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        "<html lang=en><title>T</title><article><h1>Oak</h1><p class=text>A shaft of oak.</p></article></html>"
    )
    code, told = trial(capsys, str(file), "--url", f"{SITE}/news/oak")
    assert code == 0
    assert (told["source"], told["url"], told["included"]) == ("demo", f"{SITE}/news/oak", True)
    assert "A shaft of oak." in told["document"]["body"]  # type: ignore[index]


def test_a_person_sees_the_verdict_the_fields_and_the_body(empty: Path, origin: str, capsys: Capture) -> None:
    assert run(["try", f"{SITE}/news/2025/09/measuring-the-race", "--base-url", origin, "--whole"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("in: included by /news/**, source demo")
    assert "Ada Lindqvist" in shown
    assert "```python" in shown
    assert "content by article .text" in shown


def test_what_is_no_address_and_no_file_is_refused(empty: Path, capsys: Capture) -> None:
    assert run(["try", "no-such-file.html"]) == 2
    assert "name of a file" in capsys.readouterr().err
    assert run(["try", f"{SITE}/", "--source", "dmeo"]) == 2
    assert "did you mean demo?" in capsys.readouterr().err


def test_a_server_that_does_not_answer_and_an_endless_redirect_are_told(
    empty: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "routes.json").write_text('{"/a": {"redirect": "/b"}, "/b": {"redirect": "/a"}}')
    with serve(tmp_path) as origin:
        code, told = trial(capsys, f"{origin}/a")
    assert (code, "without end" in str(told["problem"])) == (1, True)
    code, told = trial(capsys, f"{origin}/a")
    assert (code, "robots.txt" in str(told["problem"]) or "does not answer" in str(told["problem"])) == (1, True)


@pytest.mark.parametrize("address", ["ftp://mill.example/a", "http://[::1", "http://127.0.0.1:99999/", "https://", ""])
def test_an_address_that_is_none_is_refused_in_one_line(empty: Path, capsys: Capture, address: str) -> None:
    assert run(["try", address]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {address!r}: ")
    assert told.count("\n") == 1


def test_a_page_that_the_rules_of_its_source_refuse_names_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str, capsys: Capture
) -> None:
    (tmp_path / "mill.yaml").write_text(
        f"id: mill\ntype: website\nbase-url: {SITE}\nrules:\n  languages: [fr]\n", encoding="utf-8"
    )
    monkeypatch.setenv("CONTENTBOT_SOURCES_DIR", str(tmp_path))
    code, told = trial(capsys, f"{SITE}/guide/visiting", "--base-url", origin)
    assert code == 1
    assert str(told["problem"]).startswith("other_language: rules.languages: it is in en")
    assert told["document"]


def test_a_page_that_a_crawl_would_render_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    shell = tmp_path / "shell.html"
    shell.write_text("<html><body><div id=root></div><script src=/main.js></script></body></html>", encoding="utf-8")
    (tmp_path / "mill.yaml").write_text(
        "id: mill\ntype: website\nbase-url: https://mill.example\nrender: auto\n", encoding="utf-8"
    )
    monkeypatch.setenv("CONTENTBOT_SOURCES_DIR", str(tmp_path))
    code, told = trial(capsys, str(shell), "--source", "mill")
    assert code == 1
    assert "a crawl runs its scripts (render: auto)" in str(told["problem"])
