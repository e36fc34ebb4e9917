"""Extraction workers that never come."""

from concurrent.futures import Future
from typing import Any

from contentbot.extract import Extraction
from contentbot.pipelines.extract import WORKERS, Workers
from tests.conftest import Crawl
from tests.site.server import Website


class _Dead:
    """A pool whose processes cannot start: pages wait in it for ever."""

    def __init__(self) -> None:
        self.closed = False

    def run(self, *_: object) -> "Future[Extraction]":
        return Future()

    def close(self) -> None:
        self.closed = True


def test_workers_that_cannot_start_end_the_run_instead_of_letting_it_wait(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    website.page("/b")
    pool: Any = _Dead()
    WORKERS.acquire(7, lambda: Workers(pool))
    settings = {"CONTENTBOT_EXTRACT_WORKERS": 7, "CONTENTBOT_EXTRACT_START_SECONDS": 0.2}
    crawled = crawl(settings, sitemaps="/sitemap.xml")
    WORKERS.release(7)
    assert crawled.record.finish_reason == "extraction_failed"
    assert "__main__" in crawled.record.error
    assert crawled.record.skipped == {"extraction_failed": 2}
    assert not crawled.record.discovery_complete
    assert pool.closed
