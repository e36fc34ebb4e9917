"""What a run says about itself while it goes on, and at its end."""

import logging
from pathlib import Path

import pytest

from contentbot.config import state_file
from contentbot.extensions.headers import may_be_text
from contentbot.extensions.progress import ProgressReporter, describe
from contentbot.extensions.runrecord import summary
from contentbot.pipelines import validate
from contentbot.runs import Tally
from contentbot.state import open_state
from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website


def test_the_record_on_disk_names_every_page_that_was_skipped(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/gone", "/picture")
    website.page("/a")
    website.answer("/picture", Answer(b"\x89PNG", content_type="image/png"))
    crawled = crawl(sitemaps="/sitemap.xml")
    with open_state(state_file(tmp_path / "data")) as state:
        (record,) = state.runs.latest("mill")
    assert record == crawled.record
    assert record.counts == {"listed": 3, "sitemaps": 1, "included": 3, "fetched": 1, "extracted": 1, "indexed": 1}
    skipped = {(page.url, page.reason) for page in record.skipped_pages}
    assert skipped == {(f"{OWN}/gone", "http_404"), (f"{OWN}/picture", "unsupported_media")}


def test_the_same_numbers_are_in_scrapys_statistics(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/gone")
    website.page("/a")
    stats = crawl(sitemaps="/sitemap.xml").stats
    assert stats["contentbot/indexed"] == 1
    assert stats["contentbot/skipped/http_404"] == 1


def test_progress_ends_with_everything_done(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b", "/gone")
    website.page("/a")
    website.page("/b")
    last = crawl(sitemaps="/sitemap.xml").progress[-1]
    assert last.finished
    assert last.listing_done
    assert (last.done, last.known, last.indexed, last.skipped) == (3, 3, 2, 1)


def test_an_error_of_ours_costs_the_page_it_met_and_is_named(
    website: Website, crawl: Crawl, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a", "secret words " * 50)
    website.page("/b")
    sound = validate.normalised
    monkeypatch.setattr(validate, "normalised", lambda document: 1 / 0 if document.path == "/a" else sound(document))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/b"]
    assert crawled.reason(f"{OWN}/a") == "internal_error"
    assert crawled.record.succeeded
    told = [record.getMessage() for record in caplog.records]
    assert any("A fault of contentbot" in line for line in told)
    assert not any("secret words" in line for line in told)


def test_the_summary_says_what_was_not_as_it_should_be(
    website: Website, crawl: Crawl, caplog: pytest.LogCaptureFixture
) -> None:
    website.sitemap("/sitemap.xml", "/gone")
    with caplog.at_level(logging.INFO):
        crawled = crawl(sitemaps=["/sitemap.xml", "/none.xml"])
    told = summary(crawled.record)
    assert "0 documents from 1 listed addresses; left out: 1 http_404" in told
    assert f"not read: {OWN}/none.xml: http_404" in told
    assert told in [record.getMessage() for record in caplog.records]


def test_progress_is_one_line() -> None:
    tally = Tally()
    tally.count("included", 12)
    tally.count("indexed", 3)
    tally.skip(f"{OWN}/x", "timeout")
    line = describe(ProgressReporter("mill", tally, 0).progress())
    assert line.startswith("mill: 4 of 12 pages known so far, 1 skipped, ")


@pytest.mark.parametrize(
    "kind", ["text/html", "TEXT/plain", "application/xhtml+xml", "", "html", "application/octet-stream"]
)
def test_what_may_be_text_is_downloaded(kind: str) -> None:
    assert may_be_text(kind)


@pytest.mark.parametrize(
    "kind", ["image/svg+xml", "application/pdf", "application/json", "application/rss+xml", "video/mp4"]
)
def test_what_is_no_text_is_not(kind: str) -> None:
    assert not may_be_text(kind)
