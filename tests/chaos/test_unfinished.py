"""A run that ends in the middle of a write, and what the next one makes of it."""

from pathlib import Path

import pytest

from tests.chaos.unfinished import DiesAfterWriting, DiesBeforeWriting, failing, texts
from tests.conftest import Crawl
from tests.site.server import Answer, Asked, Website, article

OLD, NEW = "The mill has two wheels.", "The mill has lost a wheel."


def serve(website: Website, path: str, text: str, **validators: str) -> None:
    headers = {name.replace("_", "-"): value for name, value in validators.items()}

    def answer(asked: Asked) -> Answer:
        same_tag = asked.headers.get("if-none-match") == headers.get("ETag", "none")
        same_time = asked.headers.get("if-modified-since", "") >= headers.get("Last-Modified", "~")
        known = same_tag or same_time
        return Answer(status=304, headers=headers) if known else Answer(article(path, text).encode(), headers=headers)

    website.answer(path, answer)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"tantivy:{tmp_path / 'index'}"


@pytest.mark.parametrize("validator", ["ETag", "Last_Modified"])
def test_a_page_that_was_stored_and_never_delivered_is_delivered_by_the_next_run(
    website: Website, crawl: Crawl, tmp_path: Path, url: str, validator: str
) -> None:
    website.sitemap("/sitemap.xml", "/a")
    serve(website, "/a", OLD, **{validator: "1"})
    crawl(sitemaps="/sitemap.xml")
    serve(website, "/a", NEW, **{validator: "2"})
    with failing(url, DiesBeforeWriting):
        assert crawl(sitemaps="/sitemap.xml").record.finish_reason == "index_failed"
    crawl(sitemaps="/sitemap.xml")
    assert NEW in texts(tmp_path)["/a"]


def test_a_change_that_is_taken_back_after_an_unnoted_write_is_taken_back_in_the_index(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a")
    serve(website, "/a", OLD)
    crawl(sitemaps="/sitemap.xml")
    serve(website, "/a", NEW)
    with failing(url, DiesAfterWriting):
        crawl(sitemaps="/sitemap.xml")
    assert NEW in texts(tmp_path)["/a"]
    serve(website, "/a", OLD)
    crawl(sitemaps="/sitemap.xml")
    assert OLD in texts(tmp_path)["/a"]


def test_a_page_that_comes_back_after_an_unnoted_deletion_comes_back(
    website: Website, crawl: Crawl, tmp_path: Path, url: str
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    serve(website, "/a", OLD, ETag="1")
    serve(website, "/b", OLD, ETag="2")
    crawl(sitemaps="/sitemap.xml")
    website.sitemap("/sitemap.xml", "/a")
    with failing(url, DiesAfterWriting):
        crawl(sitemaps="/sitemap.xml")
    assert [*texts(tmp_path)] == ["/a"]
    website.sitemap("/sitemap.xml", "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    assert sorted(texts(tmp_path)) == ["/a", "/b"]


@pytest.mark.parametrize("validator", ["ETag", "Last_Modified"])
def test_a_page_that_moves_with_its_validators_is_read_where_it_is_now(
    website: Website, crawl: Crawl, tmp_path: Path, validator: str
) -> None:
    website.sitemap("/sitemap.xml", "/a")
    serve(website, "/a", OLD, **{validator: "1"})
    crawl(sitemaps="/sitemap.xml")
    website.redirect("/a", "/b")
    serve(website, "/b", OLD, **{validator: "1"})
    crawl(sitemaps="/sitemap.xml")
    assert [*texts(tmp_path)] == ["/b"]


@pytest.mark.parametrize("trouble", [Answer(status=503), Answer(drop=True), Answer(status=404)])
def test_a_page_that_has_moved_is_not_deleted_because_it_failed_once(
    website: Website, crawl: Crawl, tmp_path: Path, trouble: Answer
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/c")
    website.redirect("/a", "/b")
    for path in ("/b", "/c"):
        serve(website, path, OLD)
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", trouble)
    failed = crawl(sitemaps="/sitemap.xml")
    assert failed.record.skipped
    assert sorted(texts(tmp_path)) == ["/b", "/c"]
    serve(website, "/b", NEW)
    crawl(sitemaps="/sitemap.xml")
    assert NEW in texts(tmp_path)["/b"]
