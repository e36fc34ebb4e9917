"""A run that comes to its end and yet finds a broken site says so, in its record and to people."""

import logging
from pathlib import Path

import pytest

from contentbot import cli
from contentbot.cli.crawl import show_summary
from tests.conftest import Crawl
from tests.site.server import Answer, Website, article

PATHS = [f"/{number}" for number in range(12)]


def _serve(website: Website, head: str) -> None:
    website.sitemap("/sitemap.xml", *PATHS)
    for path in PATHS:
        website.page(path, article(f"Wheel {path}", f"Words of the page {path} about mills. " * 5, head=head))


def test_a_template_that_lost_its_dates_is_suspect_and_not_failed(
    website: Website,
    crawl: Crawl,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    _serve(
        website, '<meta property="article:published_time" content="2026-02-03"><meta name="author" content="Ada Wolf">'
    )
    first = crawl(sitemaps="/sitemap.xml").record
    assert first.fields == {"documents": 12, "title": 12, "date": 12, "author": 12}
    assert (first.suspect, first.documents) == ([], 12)
    _serve(website, '<meta name="author" content="Ada Wolf">')
    with caplog.at_level(logging.INFO):
        second = crawl(sitemaps="/sitemap.xml").record
    assert second.succeeded
    (told,) = second.suspect
    assert told.startswith("0 of 12 documents that were read have a date, 100% had in the run of ")
    (logged,) = [one for one in caplog.records if "suspect: 0 of 12" in one.getMessage()]
    assert logged.levelno == logging.WARNING
    show_summary([second])
    assert f"mill: suspect: {told}" in capsys.readouterr().out
    monkeypatch.setenv("CONTENTBOT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CONTENTBOT_INDEX_URL", f"tantivy:{tmp_path / 'index'}")
    assert cli.run(["status"]) == 0
    shown = capsys.readouterr().out
    assert f"mill: suspect: {told}" in shown


def test_a_source_can_have_thresholds_of_its_own(website: Website, crawl: Crawl) -> None:
    _serve(website, "")
    crawl(sitemaps="/sitemap.xml")
    for path in PATHS[:6]:
        website.answer(path, Answer(b"later", 500))
    strict = crawl(sitemaps="/sitemap.xml", suspect_loss=1).record
    assert [line.partition(",")[0] for line in strict.suspect] == ["6 of 12 pages failed"]
    assert crawl(sitemaps="/sitemap.xml", suspect_loss=0.6, suspect_errors=0.6).record.suspect == []
