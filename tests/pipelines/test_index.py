"""Batches into the index, and an index that fails."""

import time
from pathlib import Path
from typing import Any

import pytest

from contentbot.documents import ContentDocument
from contentbot.errors import ConfigError, EngineRefused, EngineUnavailable
from contentbot.index import Index, open_index
from contentbot.pipelines.batch import Batch, BatchLimits
from contentbot.shared import WRITERS, Writer
from contentbot.state.outbox import Outbox
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


def test_an_index_that_cannot_be_opened_ends_the_run_before_any_page(
    website: Website, crawl: Crawl, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    with pytest.raises(EngineRefused, match="is no folder"):
        crawl({"CONTENTBOT_INDEX_URL": f"tantivy:{tmp_path}/file/index"}, sitemaps="/sitemap.xml")
    assert not website.asked


class _Leaving:
    """A real index that answers a few writes and is then away."""

    def __init__(self, index: Index, writes: int) -> None:
        self.index, self.writes = index, writes

    def upsert(self, documents: list[ContentDocument]) -> None:
        self.writes -= 1
        if self.writes < 0:
            raise EngineUnavailable("no answer from the engine")
        self.index.upsert(documents)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)


def test_an_index_that_goes_away_in_the_middle_loses_nothing(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    paths = [f"/{number}" for number in range(40)]
    website.sitemap("/sitemap.xml", *paths)
    for path in paths:
        website.page(path)
    url = f"tantivy:{tmp_path / 'index'}"
    leaving: Any = _Leaving(open_index(url), 2)
    WRITERS.acquire(url, lambda: Writer(leaving))
    first = crawl({"CONTENTBOT_BATCH_DOCUMENTS": 5}, sitemaps="/sitemap.xml")
    WRITERS.release(url)
    assert first.record.finish_reason == "index_away"
    kept = first.record.counts["kept_for_later"]
    assert f"{kept} documents wait" in first.record.error
    assert (first.record.counts["indexed"] + kept, kept > 0) == (40, True)
    second = crawl(sitemaps="/sitemap.xml")
    assert second.record.succeeded
    assert second.record.counts["delivered_late"] == kept
    with open_index(url, read_only=True) as index:
        assert len(index.keys("mill")) == 40


class _Slow:
    """A real index whose first write lasts longer than the run."""

    def __init__(self, index: Index) -> None:
        self.index, self.first = index, True

    def upsert(self, documents: list[ContentDocument]) -> None:
        if self.first:
            self.first = False
            time.sleep(2)
        self.index.upsert(documents)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)


def test_a_run_that_ends_while_a_batch_is_written_waits_for_it(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b", "/late")
    website.page("/a")
    website.page("/b")
    # the run goes on until the batch has become old enough to be written
    website.page("/late", delay=1.3)
    url = f"tantivy:{tmp_path / 'index'}"
    slow: Any = _Slow(open_index(url))
    WRITERS.acquire(url, lambda: Writer(slow))
    crawled = crawl({"CONTENTBOT_BATCH_SECONDS": 0.1}, sitemaps="/sitemap.xml")
    WRITERS.release(url)
    assert crawled.record.counts["indexed"] == 3
    with open_index(url, read_only=True) as index:
        assert len(index.keys("mill")) == 3


class _Picky:
    """A real index that refuses every batch with a certain document in it."""

    def __init__(self, index: Index, path: str) -> None:
        self.index, self.path = index, path

    def upsert(self, documents: list[ContentDocument]) -> None:
        if any(document.path == self.path for document in documents):
            raise EngineRefused("this document is not liked")
        self.index.upsert(documents)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)


def test_a_document_that_the_index_refuses_costs_only_itself(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    paths = [f"/{number}" for number in range(12)]
    website.sitemap("/sitemap.xml", *paths)
    for path in paths:
        website.page(path)
    url = f"tantivy:{tmp_path / 'index'}"
    picky: Any = _Picky(open_index(url), "/7")
    WRITERS.acquire(url, lambda: Writer(picky))
    crawled = crawl(sitemaps="/sitemap.xml")
    WRITERS.release(url)
    assert crawled.record.counts["indexed"] == 11
    assert crawled.reason(f"{OWN}/7") == "refused_by_index"
    outbox = Outbox(tmp_path / "data" / "outbox.db")
    assert [letter.refused for letter in outbox.set_aside()] == ["this document is not liked"]
    outbox.close()


def test_an_index_that_no_engine_stands_for_is_refused_before_any_request(website: Website, crawl: Crawl) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        crawl({"CONTENTBOT_INDEX_URL": "tantivy:"}, sitemaps="/sitemap.xml")
    assert not website.asked


def test_a_second_crawl_of_the_same_site_changes_nothing(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    website.page("/b")
    first, second = crawl(sitemaps="/sitemap.xml"), crawl(sitemaps="/sitemap.xml")
    assert (len(first.urls), second.urls, second.record.counts["unchanged"]) == (2, [], 2)
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
