"""The index is away for a while: nothing is lost, and nothing old comes back."""

from pathlib import Path
from typing import Any

import pytest

from contentbot.documents import ContentDocument
from contentbot.errors import EngineUnavailable
from contentbot.pipelines import index as pipeline
from contentbot.state.outbox import Outbox
from tests.chaos.unfinished import Away, Failing, failing, texts
from tests.conftest import Crawl
from tests.site.server import Website

OLD, NEW, NEWEST = "The mill has two wheels.", "The mill has lost a wheel.", "The mill has three wheels."


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"tantivy:{tmp_path / 'index'}"


def kept(folder: Path) -> int:
    outbox = Outbox(folder / "data" / "outbox.db")
    try:
        return len(outbox) + len(outbox.set_aside())
    finally:
        outbox.close()


def test_a_whole_run_without_an_index_is_delivered_by_the_next_one(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a", OLD)
    website.page("/b", OLD)
    with failing(url, Away):
        away = crawl(sitemaps="/sitemap.xml").record
    assert (away.finish_reason, away.counts["kept_for_later"], kept(tmp_path)) == ("index_away", 2, 2)
    back = crawl(sitemaps="/sitemap.xml").record
    assert (back.succeeded, back.counts["delivered_late"], kept(tmp_path)) == (True, 2, 0)
    assert sorted(texts(tmp_path)) == ["/a", "/b"]
    assert crawl(sitemaps="/sitemap.xml").record.counts["unchanged"] == 2


def test_a_page_that_changes_again_while_it_waits_ends_as_it_is_last(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a")
    for text in (OLD, NEW):
        website.page("/a", text)
        with failing(url, Away):
            crawl(sitemaps="/sitemap.xml")
    assert kept(tmp_path) == 1
    website.page("/a", NEWEST)
    crawl(sitemaps="/sitemap.xml")
    assert NEWEST in texts(tmp_path)["/a"]


class BackAfterTheStart(Failing):
    """Is away while the run begins."""

    refused = 0

    def upsert(self, documents: list[ContentDocument]) -> None:
        self.refused += 1
        if self.refused == 1:
            raise EngineUnavailable("not yet")
        self.index.upsert(documents)


def test_what_was_written_directly_is_not_overwritten_by_what_waited(
    website: Website, crawl: Crawl, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "ASKED_AGAIN_AFTER", 0.0)
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a", OLD)
    with failing(url, Away):
        crawl(sitemaps="/sitemap.xml")
    website.page("/a", NEW)
    with failing(url, BackAfterTheStart):
        crawl(sitemaps="/sitemap.xml")
    assert NEW in texts(tmp_path)["/a"]
    assert kept(tmp_path) == 0


def test_a_page_that_is_gone_while_its_change_waits_is_deleted_by_the_next_whole_run(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a", OLD)
    website.page("/b", OLD)
    crawl(sitemaps="/sitemap.xml")
    website.page("/b", NEW)
    with failing(url, Away):
        crawl(sitemaps="/sitemap.xml")
    website.sitemap("/sitemap.xml", "/a")
    with failing(url, Away):
        assert crawl(sitemaps="/sitemap.xml").record.finish_reason == "index_away"
    assert sorted(texts(tmp_path)) == ["/a", "/b"]
    assert crawl(sitemaps="/sitemap.xml").record.succeeded
    assert [*texts(tmp_path)] == ["/a"]


class AwayAtTheEnd(Failing):
    """Takes every document, and is away when it is to delete."""

    def keys(self, _: str) -> Any:
        raise EngineUnavailable("gone again")


def test_what_could_not_be_deleted_is_deleted_by_the_next_run(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a", OLD)
    website.page("/b", OLD)
    crawl(sitemaps="/sitemap.xml")
    website.sitemap("/sitemap.xml", "/a")
    with failing(url, AwayAtTheEnd):
        away = crawl(sitemaps="/sitemap.xml").record
    assert (away.finish_reason, "nothing was deleted" in away.error) == ("index_away", True)
    assert crawl(sitemaps="/sitemap.xml").record.counts["deleted"] == 1
    assert [*texts(tmp_path)] == ["/a"]
