"""Runs after the first: what has not changed costs almost nothing, and what has is found."""

from collections.abc import Callable
from pathlib import Path

import pytest

from contentbot.access import PUBLIC
from contentbot.index import open_index
from contentbot.spiders import revisit
from tests.conftest import OWN, Crawl, Crawled
from tests.site.server import Answer, Asked, Website, article
from tests.spiders.refreshing import Write, again, asked_since, publish, validated


def test_an_unchanged_site_is_asked_and_neither_sent_nor_written(
    website: Website, crawl: Crawl, writes: list[Write]
) -> None:
    publish(website, "/a", "/b", "/c")
    crawl(sitemaps="/sitemap.xml")
    before = again(website, writes)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert sorted(asked_since(website, before)) == ["/a", "/b", "/c", "/sitemap.xml"]
    pages = [asked for asked in website.asked[before:] if asked.path in {"/a", "/b", "/c"}]
    assert all("if-none-match" in asked.headers for asked in pages)
    assert crawled.stats["httpcache/revalidate"] == 3
    assert crawled.record.counts["unchanged"] == 3
    assert "fetched" not in crawled.record.counts
    assert not writes


def test_a_page_without_validators_is_compared_and_not_written(
    website: Website, crawl: Crawl, writes: list[Write], indexed: Callable[..., list[str]]
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a")
    website.page("/b", headers={"Cache-Control": "no-store"})
    crawl(sitemaps="/sitemap.xml")
    before = again(website, writes)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not any("if-none-match" in asked.headers for asked in website.asked[before:])
    assert (crawled.record.counts["fetched"], crawled.record.counts["unchanged"]) == (2, 2)
    assert not writes
    assert indexed() == ["/a", "/b"]


def test_a_page_that_forbids_stale_copies_is_validated_like_any_other(
    website: Website, crawl: Crawl, writes: list[Write]
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b", "/c")
    website.answer("/a", validated(article("a"), **{"Cache-Control": "no-cache, must-revalidate"}))
    website.answer("/b", validated(article("b"), **{"Cache-Control": "max-age=86400", "Vary": "*"}))
    website.answer("/c", validated(article("c"), **{"Cache-Control": "no-store, private"}))
    crawl(sitemaps="/sitemap.xml")
    before = again(website, writes)
    assert "fetched" not in crawl(sitemaps="/sitemap.xml").record.counts
    assert sorted(asked_since(website, before)) == ["/a", "/b", "/c", "/sitemap.xml"], (
        "a fresh copy is asked about, too"
    )
    assert not writes


def test_what_surrounds_the_text_is_no_change(website: Website, crawl: Crawl, writes: list[Write]) -> None:
    def shell(number: str) -> Answer:
        html = article("Mill", "The mill stream runs all day. " * 6, head=f'<meta name="build" content="{number}">')
        token = f'<form><input type="hidden" name="csrf" value="{number}"></form><footer>Build {number}</footer></body>'
        return Answer(html.replace("</body>", token).replace("<nav>Home", f"<nav>Home {number}").encode())

    website.sitemap("/sitemap.xml", "/a")
    website.answer("/a", shell("4711"), shell("4712"))
    crawl(sitemaps="/sitemap.xml")
    again(website, writes)
    assert crawl(sitemaps="/sitemap.xml").record.counts["unchanged"] == 1
    assert not writes


def test_documents_answer_while_the_next_run_is_under_way(
    website: Website, crawl: Crawl, tmp_path: Path, writes: list[Write]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    found: list[int] = []

    def look(_: Asked) -> Answer:
        with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
            found.append(sum(1 for _ in index.export("mill", principal=PUBLIC)))
        return Answer(article("/a", "Another text about wheels. " * 9).encode())

    website.answer("/a", look)
    again(website, writes)
    crawl(sitemaps="/sitemap.xml")
    assert found == [2]
    assert writes == [("put", [f"{OWN}/a"])]


def test_one_edited_one_added_and_one_removed_page_are_one_write_each(
    website: Website, crawl: Crawl, writes: list[Write], indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b", "/c", "/d")
    crawl(sitemaps="/sitemap.xml")
    before = again(website, writes)
    website.answer("/b", validated(article("/b", "This page was edited this morning. " * 5)))
    website.answer("/e", validated(article("/e")))
    website.sitemap("/sitemap.xml", "/a", "/b", "/c", "/e")
    crawled = crawl(sitemaps="/sitemap.xml")
    put = [url for kind, urls in writes if kind == "put" for url in urls]
    removed = [key for kind, keys in writes if kind == "delete" for key in keys]
    assert sorted(put) == [f"{OWN}/b", f"{OWN}/e"]
    assert len(removed) == 1
    assert indexed() == ["/a", "/b", "/c", "/e"]
    assert "/d" not in asked_since(website, before)
    assert (crawled.record.counts["indexed"], crawled.record.counts["deleted"]) == (2, 1)


def test_an_edited_page_with_a_second_address_is_written_once(
    website: Website, crawl: Crawl, writes: list[Write], tmp_path: Path
) -> None:
    publish(website, "/a", "/b")
    website.sitemap("/sitemap.xml", "/old", "/a", "/b")
    website.redirect("/old", "/a")
    crawl(sitemaps="/sitemap.xml")
    again(website, writes)
    website.answer("/a", validated(article("/a", "This page was edited this morning. " * 5)))
    crawl(sitemaps="/sitemap.xml")
    assert writes == [("put", [f"{OWN}/a"])]
    with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
        assert index.get(f"{OWN}/a", principal=PUBLIC).additional_urls == [f"{OWN}/old"]


def test_a_lost_index_is_filled_again_without_any_body(
    website: Website, crawl: Crawl, tmp_path: Path, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    (tmp_path / "index").rename(tmp_path / "lost")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/b"]
    assert crawled.stats["httpcache/revalidate"] == 2


def test_a_document_that_somebody_deleted_comes_back(
    website: Website, crawl: Crawl, tmp_path: Path, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    with open_index(f"tantivy:{tmp_path / 'index'}") as index:
        index.delete(sorted(index.keys("mill"))[:1])
    crawl(sitemaps="/sitemap.xml")  # sees that it is missing
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/b"]


def _redirected(website: Website, crawl: Crawl) -> Crawled:
    website.sitemap("/sitemap.xml", "/posts/1", "/a")
    website.redirect("/posts/1", "/posts/first")
    for path in ("/a", "/posts/first"):
        website.answer(path, validated(article(path)))
    return crawl(sitemaps="/sitemap.xml")


def test_a_redirecting_address_is_asked_for_where_it_led_to(
    website: Website, crawl: Crawl, writes: list[Write]
) -> None:
    _redirected(website, crawl)
    before = again(website, writes)
    assert crawl(sitemaps="/sitemap.xml").record.counts["unchanged"] == 2
    assert sorted(asked_since(website, before)) == ["/a", "/posts/first", "/sitemap.xml"]
    assert not writes


def test_the_way_to_a_page_is_asked_again_from_time_to_time(
    website: Website, crawl: Crawl, writes: list[Write], monkeypatch: pytest.MonkeyPatch
) -> None:
    _redirected(website, crawl)
    monkeypatch.setattr(revisit, "_is_due", lambda _url: True)
    before = again(website, writes)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert "/posts/1" in asked_since(website, before)
    assert crawled.record.counts["unchanged"] == 2
    assert not writes


@pytest.mark.parametrize("status", [404, 410])
def test_where_it_led_to_is_gone_the_listed_address_is_asked(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], status: int
) -> None:
    _redirected(website, crawl)
    website.redirect("/posts/1", "/posts/one")
    website.answer("/posts/first", Answer(b"", status))
    website.answer("/posts/one", validated(article("One", "Words that moved. " * 9)))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.record.skipped
    assert indexed() == ["/a", "/posts/one"]


def test_where_both_are_gone_the_document_goes_as_any_other(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    _redirected(website, crawl)
    for path in ("/posts/1", "/posts/first"):
        website.answer(path, Answer(b"", 404))
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/posts/first"]
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a"]
