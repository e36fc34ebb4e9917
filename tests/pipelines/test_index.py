"""Batches into the index, and an index that fails."""

from pathlib import Path
from typing import Any

import pytest

from contentbot.documents import ContentDocument
from contentbot.errors import ConfigError, EngineUnavailable
from contentbot.index import open_index
from contentbot.pipelines.index import WRITERS, Batch, BatchLimits, Writer
from tests.conftest import OWN, Crawl
from tests.site.server import Website


def _document(number: int, text: str = "Text.") -> ContentDocument:
    name = f"{number}"
    return ContentDocument(
        id=f"mill:{name}", key=name, source="mill", url=f"{OWN}/{name}", path=f"/{name}", title=name, body=text
    )


def test_a_batch_is_full_by_its_number_of_documents() -> None:
    batch = Batch(BatchLimits(documents=2, text_bytes=1000, seconds=1000))
    batch.put(_document(1))
    assert not batch.full
    batch.put(_document(1))
    assert not batch.full, "the same document again is one document"
    batch.put(_document(2))
    assert batch.full
    assert [document.key for document in batch.take()] == ["1", "2"]
    assert not batch.full


def test_a_batch_is_full_by_its_text_and_by_its_age() -> None:
    large = Batch(BatchLimits(documents=100, text_bytes=1000, seconds=1000))
    large.put(_document(1, "x" * 1000))
    assert large.full
    old = Batch(BatchLimits(documents=100, text_bytes=1000, seconds=0))
    assert not old.full, "nothing waits"
    old.put(_document(1))
    assert old.full


def test_an_index_that_cannot_be_written_ends_the_run_and_is_named(
    website: Website, crawl: Crawl, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    website.page("/b")
    crawled = crawl({"CONTENTBOT_INDEX_URL": f"tantivy:{tmp_path}/file/index"}, sitemaps="/sitemap.xml")
    assert crawled.record.finish_reason == "index_failed"
    assert crawled.record.error
    assert not crawled.record.succeeded
    assert not crawled.record.discovery_complete
    assert crawled.record.skipped == {"index_failed": 2}
    assert "indexed" not in crawled.record.counts


class _FillingUp:
    """An index that takes one batch and then no more."""

    def __init__(self) -> None:
        self.taken: list[ContentDocument] = []
        self.closed = False

    def upsert(self, documents: list[ContentDocument]) -> None:
        if self.taken:
            raise EngineUnavailable("no space is left; free some and crawl again")
        self.taken.extend(documents)

    def close(self) -> None:
        self.closed = True


def test_an_index_that_fails_in_the_middle_stops_the_fetching(website: Website, crawl: Crawl) -> None:
    paths = [f"/{number}" for number in range(200)]
    website.sitemap("/sitemap.xml", *paths)
    for path in paths:
        website.page(path)
    index: Any = _FillingUp()
    WRITERS.acquire("fills-up", lambda: Writer(index))
    settings = {"CONTENTBOT_INDEX_URL": "fills-up", "CONTENTBOT_BATCH_DOCUMENTS": 5}
    crawled = crawl(settings, sitemaps="/sitemap.xml")
    WRITERS.release("fills-up")
    assert crawled.record.finish_reason == "index_failed"
    assert crawled.record.error == "no space is left; free some and crawl again"
    assert crawled.record.counts["indexed"] == 5
    assert len(website.paths()) < 150
    assert index.closed


def test_an_index_that_no_engine_stands_for_is_refused_before_any_request(website: Website, crawl: Crawl) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        crawl({"CONTENTBOT_INDEX_URL": "tantivy:"}, sitemaps="/sitemap.xml")
    assert not website.asked


def test_a_second_crawl_of_the_same_site_changes_nothing(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    website.page("/b")
    first, second = crawl(sitemaps="/sitemap.xml"), crawl(sitemaps="/sitemap.xml")
    assert first.urls == second.urls
    with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
        assert index.keys("mill") == {document.key for document in first.documents.values()}


def test_what_is_indexed_is_written_while_the_crawl_goes_on(website: Website, crawl: Crawl) -> None:
    paths = [f"/{number}" for number in range(30)]
    website.sitemap("/sitemap.xml", *paths)
    for path in paths:
        website.page(path)
    crawled = crawl({"CONTENTBOT_BATCH_DOCUMENTS": 10}, sitemaps="/sitemap.xml")
    assert len(crawled.documents) == 30
    assert crawled.record.counts["indexed"] == 30
