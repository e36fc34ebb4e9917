"""Text that repeats across a source: learned while it is crawled, and taken out of the first documents, too."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.errors import ExtractionError
from contentbot.index import open_index
from contentbot.pipelines.extract import ExtractPipeline
from contentbot.pipelines.index import IndexPipeline
from contentbot.state import open_state
from tests.conftest import Crawl
from tests.extract.repeated.town import article, sentences
from tests.site.server import Answer, Website
from tests.spiders.refreshing import Write, again, asked_since, validated

BIO = '<div class="who"><p>Ada Muster has written about the mills and rivers of the county since 1998.</p></div>'
CALL = '<p class="call">Come to the open day of the mills, every second Sunday in May.</p>'

Documents = Callable[[], dict[str, ContentDocument]]


@pytest.fixture
def stored(tmp_path: Path) -> Documents:
    """Return the documents in the index by path."""

    def documents() -> dict[str, ContentDocument]:
        with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
            return {document.path: document for document in index.export("mill", principal=PUBLIC)}

    return documents


def publish(website: Website, pages: dict[str, str]) -> None:
    website.sitemap("/sitemap.xml", *pages)
    for path, html in pages.items():
        website.answer(path, validated(html))


def town(count: int, **parts: Any) -> dict[str, str]:
    return {f"/mill/{number}": article(number, **parts) for number in range(count)}


def test_the_first_documents_of_a_run_are_corrected_without_a_request(
    website: Website, crawl: Crawl, stored: Documents
) -> None:
    publish(website, town(6, before=CALL))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert sorted(asked_since(website, 0)) == [*town(6), "/sitemap.xml"]
    assert crawled.record.succeeded
    assert (crawled.record.counts["indexed"], crawled.record.counts["corrected"]) == (6, 6)
    assert crawled.record.fields["title"] == 6
    documents = stored()
    assert len(documents) == 6
    assert not any("open day" in document.body for document in documents.values())
    assert all(sentence in documents["/mill/4"].body for sentence in sentences(4))


def test_a_second_run_over_an_unchanged_site_reads_and_writes_nothing(
    website: Website, crawl: Crawl, stored: Documents, writes: list[Write]
) -> None:
    publish(website, town(6, before=CALL))
    crawl(sitemaps="/sitemap.xml")
    first = stored()
    before = again(website, writes)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not writes
    assert crawled.record.counts["unchanged"] == 6
    assert {"fetched", "extracted", "corrected"}.isdisjoint(crawled.record.counts)
    assert all("if-none-match" in asked.headers for asked in website.asked[before:] if asked.path.startswith("/mill"))
    assert stored() == first


def test_only_documents_whose_text_changes_are_written_again(
    website: Website, crawl: Crawl, stored: Documents, writes: list[Write]
) -> None:
    pages = {f"/mill/{number}": article(number, after=BIO if number < 2 else "") for number in range(6)}
    publish(website, pages)
    crawl(sitemaps="/sitemap.xml")
    assert "since 1998" in stored()["/mill/0"].body
    again(website, writes)
    publish(website, {**pages, "/mill/5": article(5, after=BIO)})
    crawled = crawl(sitemaps="/sitemap.xml")
    assert (crawled.record.counts["fetched"], crawled.record.counts["corrected"]) == (1, 3)
    rewritten = {url.rpartition("/")[2] for _, urls in writes for url in urls}
    assert rewritten == {"0", "1", "5"}
    assert not any("since 1998" in document.body for document in stored().values())


def test_what_no_longer_repeats_comes_back(website: Website, crawl: Crawl, stored: Documents) -> None:
    pages = {f"/mill/{number}": article(number, after=BIO if number < 3 else "") for number in range(6)}
    publish(website, pages)
    crawl(sitemaps="/sitemap.xml")
    assert not any("since 1998" in document.body for document in stored().values())
    del pages["/mill/0"]
    website.clear()
    publish(website, pages)
    crawl(sitemaps="/sitemap.xml", prune_share=1)
    crawl(sitemaps="/sitemap.xml", prune_share=1)
    documents = stored()
    assert "/mill/0" not in documents
    assert "since 1998" in documents["/mill/1"].body


def test_a_run_that_dies_before_its_corrections_leaves_them_to_the_next(
    website: Website, crawl: Crawl, stored: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(website, town(5, before=CALL))

    async def fails(self: ExtractPipeline, page: Any) -> Any:
        raise ExtractionError("closed", "the workers were stopped")

    with monkeypatch.context() as broken:
        broken.setattr(ExtractPipeline, "read_again", fails)
        broken.setattr("contentbot.repetition.Repetition.settle", lambda _self: None)
        crawl(sitemaps="/sitemap.xml")
    first = stored()
    assert len(first) == 5
    assert all("open day" in document.body for document in first.values())
    before = len(website.asked)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.record.counts["corrected"] == 5
    assert "fetched" not in crawled.record.counts
    assert len(asked_since(website, before)) == 6
    assert not any("open day" in document.body for document in stored().values())


def test_corrections_that_the_index_did_not_confirm_are_made_by_the_next_run(
    website: Website, crawl: Crawl, stored: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(website, town(5, before=CALL))

    async def lost(self: IndexPipeline, item: Any) -> bool:
        return False

    with monkeypatch.context() as broken:
        broken.setattr(IndexPipeline, "correct", lost)
        broken.setattr("contentbot.repetition.Repetition.settle", lambda _self: None)
        crawl(sitemaps="/sitemap.xml")
    assert crawl(sitemaps="/sitemap.xml").record.counts["corrected"] == 5
    assert not any("open day" in document.body for document in stored().values())


def test_the_order_of_the_sitemap_does_not_matter(
    website: Website, crawl: Crawl, stored: Documents, tmp_path: Path
) -> None:
    pages = {f"/mill/{number}": article(number, after=BIO if number % 2 else CALL) for number in range(8)}
    publish(website, pages)
    crawl(sitemaps="/sitemap.xml")
    first = {path: document.content_hash for path, document in stored().items()}
    publish(website, dict(reversed(pages.items())))
    crawl({"CONTENTBOT_DATA_DIR": str(tmp_path / "other")}, sitemaps="/sitemap.xml")
    assert {path: document.content_hash for path, document in stored().items()} == first


def test_a_date_that_only_the_listing_tells_survives_a_correction(
    website: Website, crawl: Crawl, stored: Documents
) -> None:
    pages = town(4, before=CALL)
    publish(website, pages)
    entries = "".join(
        f'<entry><link href="{path}"/><published>2024-05-0{number + 1}</published></entry>'
        for number, path in enumerate(pages)
    )
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'
    website.answer("/sitemap.xml", Answer(feed.encode()))
    assert crawl(sitemaps="/sitemap.xml").record.counts["corrected"] == 4
    assert [document.published_date for _, document in sorted(stored().items())] == [
        f"2024-05-0{day}" for day in range(1, 5)
    ]


def test_a_source_with_a_selector_remembers_nothing_of_its_texts(
    website: Website, crawl: Crawl, stored: Documents, tmp_path: Path
) -> None:
    publish(website, town(4, before=CALL))
    assert "corrected" not in crawl(sitemaps="/sitemap.xml", content_selector="article").record.counts
    assert all("open day" in document.body for document in stored().values())
    with open_state(f"sqlite:///{tmp_path / 'data' / 'state.db'}") as state:
        assert state.surveys.count("mill") == 0
