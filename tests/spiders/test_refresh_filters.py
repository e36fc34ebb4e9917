"""Documents that the source's rules refuse: counted, removed, brought back, and never paid for twice."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contentbot.pipelines.extract import ExtractPipeline
from tests.conftest import OWN, Crawl
from tests.site.server import Website, article
from tests.spiders.refreshing import Write, again, ago, asked_since, dated, let_days_pass, publish, validated

LISTED = {"sitemaps": "/sitemap.xml", "prune_share": 1}
SHORT, LONG = "A few words.", "The mill grinds rye for the bakers of the valley. " * 20


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were extracted."""
    seen: list[str] = []
    process = ExtractPipeline.process_item

    async def noted(self: ExtractPipeline, item: Any) -> Any:
        seen.append(item.url.removeprefix(OWN))
        return await process(self, item)

    monkeypatch.setattr(ExtractPipeline, "process_item", noted)
    return seen


def two_pages(website: Website) -> None:
    publish(website, "/long", "/short")
    website.answer("/long", validated(article("/long", LONG)))
    website.answer("/short", validated(article("/short", SHORT)))


def test_a_refused_document_is_counted_by_its_reason_and_not_stored(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    two_pages(website)
    crawled = crawl(**LISTED, rules={"min-words": 50})
    assert indexed() == ["/long"]
    assert crawled.record.skipped == {"too_few_words": 1}
    (page,) = crawled.record.skipped_pages
    assert page.detail.startswith("rules.min-words: ")
    assert crawled.record.suspect == []


@pytest.mark.parametrize("lastmod", ["ignore", "trust"])
def test_a_refused_page_that_is_as_it_was_is_not_read_again(
    website: Website, crawl: Crawl, writes: list[Write], read: list[str], lastmod: str
) -> None:
    two_pages(website)
    website.answer("/sitemap.xml", dated(("/long", ago(days=9)), ("/short", ago(days=9))))
    rules = {**LISTED, "lastmod": lastmod, "rules": {"min-words": 50}}
    crawl(**rules)
    before = again(website, writes)
    read.clear()
    crawled = crawl(**rules)
    assert (read, writes) == ([], [])
    assert crawled.record.skipped == {"too_few_words": 1}
    asked = ["/sitemap.xml"] if lastmod == "trust" else ["/sitemap.xml", "/long", "/short"]
    assert asked_since(website, before) == asked
    assert all(one.headers.get("if-none-match") for one in website.asked[before:] if one.path in {"/long", "/short"})


def test_a_refused_page_that_was_edited_is_read_again(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    two_pages(website)
    crawl(**LISTED, rules={"min-words": 50})
    website.answer("/short", validated(article("/short", LONG)))
    crawl(**LISTED, rules={"min-words": 50})
    assert indexed() == ["/long", "/short"]


def test_a_changed_rule_takes_a_document_out_and_brings_it_back_without_a_request(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    two_pages(website)
    crawl(**LISTED)
    assert indexed() == ["/long", "/short"]
    before = len(website.asked)
    crawl(**LISTED, rules={"min-words": 50})
    assert indexed() == ["/long"]
    crawl(**LISTED, rules={"min-words": 2})
    assert indexed() == ["/long", "/short"]
    assert asked_since(website, before) == ["/sitemap.xml", "/sitemap.xml"]


def test_a_rule_that_would_delete_too_much_is_stopped(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    paths = [f"/{number}" for number in range(12)]
    publish(website, *paths)
    crawl(sitemaps="/sitemap.xml")
    record = crawl(sitemaps="/sitemap.xml", rules={"words-require": "nowhere"}).record
    assert record.finish_reason == "prune_refused"
    assert len(indexed()) == len(paths)


def test_a_refused_document_stays_until_a_run_is_complete(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], read: list[str]
) -> None:
    two_pages(website)
    crawl(**LISTED)
    half = {"sitemaps": "/sitemap.xml, /missing.xml", "prune_share": 1, "rules": {"min-words": 50}}
    crawl(**half)
    assert indexed() == ["/long", "/short"]
    read.clear()
    crawl(**LISTED, rules={"min-words": 50})
    assert (indexed(), read) == (["/long"], [])


@pytest.mark.parametrize("lastmod", ["ignore", "trust"])
def test_a_document_goes_when_it_has_become_too_old_although_its_page_is_as_it_was(
    website: Website,
    crawl: Crawl,
    indexed: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    lastmod: str,
) -> None:
    published = datetime.now(UTC) - timedelta(days=20)
    meta = f'<meta property="article:published_time" content="{published.isoformat(timespec="seconds")}">'
    for path in ("/dated", "/undated"):
        head = meta if path == "/dated" else ""
        website.answer(path, validated(article(path, LONG, head)))
    website.answer("/sitemap.xml", dated(("/dated", ago(days=9)), ("/undated", ago(days=9))))
    rules = {**LISTED, "lastmod": lastmod, "rules": {"max-age": 30}}
    for _ in range(2):
        crawl(**rules)
        assert indexed() == ["/dated", "/undated"]
    let_days_pass(monkeypatch, 11)
    for _ in range(2):
        assert crawl(**rules).record.skipped == {"too_old": 1}
        assert indexed() == ["/undated"]
