"""Runs after the first, with listings that cannot be relied on."""

from collections.abc import Callable

import pytest

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article, sitemapindex
from tests.spiders.refreshing import publish, validated


def _cut(website: Website) -> None:
    body = sitemapindex(*[f"{OWN}/{number}.xml" for number in range(9)])
    website.answer("/sitemap.xml", Answer(body[: len(body) // 2]))


BROKEN: dict[str, Callable[[Website], None]] = {
    "500": lambda site: site.answer("/sitemap.xml", Answer(b"", 500)),
    "404": lambda site: site.answer("/sitemap.xml", Answer(b"", 404)),
    "empty list": lambda site: site.sitemap("/sitemap.xml"),
    "empty file": lambda site: site.answer("/sitemap.xml", Answer(b"")),
    "web page": lambda site: site.answer("/sitemap.xml", Answer(article("Oops").encode())),
    "cut off": _cut,
    "half is missing": lambda site: site.answer("/two.xml", Answer(b"", 404)),
    "half is elsewhere": lambda site: site.answer(
        "/sitemap.xml", Answer(sitemapindex(f"{OWN}/one.xml", "https://other.example/two.xml"))
    ),
}


@pytest.mark.parametrize("broken", list(BROKEN))
def test_a_broken_sitemap_deletes_nothing(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], broken: str
) -> None:
    publish(website, "/a", "/b", sitemap="/one.xml")
    publish(website, "/c", "/d", "/e", sitemap="/two.xml")
    website.answer("/sitemap.xml", Answer(sitemapindex("/one.xml", "/two.xml")))
    crawl(sitemaps="/sitemap.xml", prune_share=1)
    BROKEN[broken](website)
    for _ in range(2):
        crawl(sitemaps="/sitemap.xml", prune_share=1)
        assert indexed() == ["/a", "/b", "/c", "/d", "/e"]


@pytest.mark.parametrize("answer", [Answer(b"", 404), Answer(article("Home").encode())], ids=["404", "a web page"])
def test_a_guessed_sitemap_that_vanishes_is_missed_twice_before_links_replace_it(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], answer: Answer
) -> None:
    publish(website, "/", "/a", "/unlinked")
    website.answer("/", validated(article("Home", '<a href="/a">a</a> ' + "Welcome to the mill. " * 9)))
    crawl()
    website.answer("/sitemap.xml", answer)
    assert not crawl().record.discovery_complete
    assert indexed() == ["/", "/a", "/unlinked"]
    assert crawl().record.discovery_complete
    assert indexed() == ["/", "/a"]


def test_a_run_that_would_delete_too_much_stops_and_names_what_allows_it(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b", "/c", "/d", "/e")
    crawl(sitemaps="/sitemap.xml")
    website.sitemap("/sitemap.xml", "/a", "/b", "/c")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.record.finish_reason == "prune_refused"
    assert "prune_share=1" in crawled.record.error
    assert "--prune-share 1" in crawled.record.error
    assert indexed() == ["/a", "/b", "/c", "/d", "/e"]
    crawled = crawl(sitemaps="/sitemap.xml", arguments={"base_url": website.origin, "prune_share": "1"})
    assert crawled.record.counts["deleted"] == 2
    assert indexed() == ["/a", "/b", "/c"]


@pytest.mark.parametrize("stop", ["CLOSESPIDER_ITEMCOUNT", "CLOSESPIDER_PAGECOUNT"])
def test_a_run_that_stops_early_deletes_nothing(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], stop: str
) -> None:
    publish(website, "/a", "/b", "/c")
    crawl(sitemaps="/sitemap.xml")
    for path in ("/a", "/b", "/c"):
        website.page(path, "Every page was edited today. " * 5)
    website.sitemap("/sitemap.xml", "/a", "/b")
    crawled = crawl({stop: 1}, sitemaps="/sitemap.xml")
    assert crawled.record.finish_reason.startswith("closespider")
    assert indexed() == ["/a", "/b", "/c"]


def test_sources_that_share_an_index_leave_each_other_alone(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b", sitemap="/one.xml")
    publish(website, "/b", "/c", sitemap="/two.xml")
    crawl(id="one", sitemaps="/one.xml")
    crawl(id="two", sitemaps="/two.xml")
    website.sitemap("/one.xml", "/a")
    crawl(id="one", sitemaps="/one.xml")
    assert (indexed("one"), indexed("two")) == (["/a"], ["/b", "/c"])
