"""Runs after the first: only what is gone goes, and never what only failed."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import Write, again, asked_since, publish, validated


def test_an_error_keeps_the_document_and_is_seen(
    website: Website, crawl: Crawl, writes: list[Write], indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    again(website, writes)
    website.answer("/b", Answer(b"busy", 503))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.reason(f"{OWN}/b") == "http_503", "the stored copy must not hide it"
    assert indexed() == ["/a", "/b"]
    assert not writes
    website.answer("/b", validated(article("/b")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.record.skipped
    assert not writes, "it is the page that it was"


def test_a_broken_connection_keeps_the_document(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", Answer(drop=True))
    assert crawl(sitemaps="/sitemap.xml").reason(f"{OWN}/b") == "connection_lost"
    assert indexed() == ["/a", "/b"]


def test_a_missing_page_goes_when_the_next_run_misses_it_too(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", Answer(b"none", 404))
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/b"], "once may be a deployment"
    website.answer("/b", Answer(b"busy", 503))
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", Answer(b"none", 404))
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/b"], "what lies between was no 404"
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a"]


NOINDEX = article("/b", head='<meta name="robots" content="noindex">')


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _: Answer(b"gone for good", 410), "http_410"),
        (validated(NOINDEX), "noindex"),
        (validated(article("/b", "New words. " * 9), **{"X-Robots-Tag": "noindex"}), "noindex"),
        (validated(article("/b"), **{"X-Robots-Tag": "noindex"}), "noindex"),
    ],
    ids=["410", "noindex in the page", "noindex in its headers", "noindex in a 304"],
)
def test_what_a_page_says_of_itself_counts_at_once(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], answer: Any, reason: str
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", answer)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.reason(f"{OWN}/b") == reason
    assert indexed() == ["/a"]


def test_a_page_whose_noindex_header_is_taken_back_comes_back(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    website.answer("/b", validated(article("/b"), **{"X-Robots-Tag": "noindex"}))
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a"]
    website.answer("/b", validated(article("/b")))
    crawl(sitemaps="/sitemap.xml")
    assert indexed() == ["/a", "/b"]


def test_a_new_rule_of_robots_txt_counts_at_once(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /b", content_type="text/plain"))
    assert crawl(sitemaps="/sitemap.xml").reason(f"{OWN}/b") == "robots_disallowed"
    assert indexed() == ["/a"]


@pytest.mark.parametrize("sitemaps", [{"sitemaps": "/sitemap.xml"}, {}], ids=["declared", "guessed"])
def test_robots_txt_that_fails_deletes_nothing(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], sitemaps: dict[str, str]
) -> None:
    publish(website, "/a", "/b")
    crawl(**sitemaps)
    website.answer("/robots.txt", Answer(b"", 503))
    for _ in range(2):
        assert not crawl(**sitemaps).record.discovery_complete
        assert indexed() == ["/a", "/b"]


def test_a_page_that_moves_takes_its_document_along(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    publish(website, "/a", "/b")
    crawl(sitemaps="/sitemap.xml")
    website.redirect("/b", "/moved")
    # the same bytes, so the same ETag: the validators of one address must not be sent to another
    website.answer("/moved", validated(article("/b")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.record.skipped
    assert indexed() == ["/a", "/moved"]


def _linked_site(website: Website) -> None:
    website.answer("/", validated(article("Home", '<a href="/a">a</a> ' + "Welcome to the mill. " * 9)))
    website.answer("/a", validated(article("A", '<a href="/a/b">b</a> ' + "Words about wheels. " * 9)))
    website.answer("/a/b", validated(article("B", "Words about stones. " * 9)))


def test_links_of_unchanged_pages_are_followed(website: Website, crawl: Crawl, writes: list[Write]) -> None:
    _linked_site(website)
    crawl()
    before = again(website, writes)
    crawled = crawl()
    assert asked_since(website, before) == ["/sitemap.xml", "/", "/a", "/a/b"]
    assert crawled.record.counts["unchanged"] == 3
    assert crawled.record.discovery_complete
    assert not writes


def test_a_page_that_nothing_links_to_any_more_goes(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    _linked_site(website)
    crawl()
    website.answer("/a", validated(article("A", "No link is left, only words about wheels. " * 5)))
    crawl()
    assert indexed() == ["/", "/a"]


def test_a_linked_page_that_fails_makes_nobody_vanish(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    _linked_site(website)
    crawl()
    website.answer("/a", Answer(b"busy", 503))
    assert not crawl().record.discovery_complete
    assert indexed() == ["/", "/a", "/a/b"]


def test_a_linked_page_that_is_missing_goes_with_the_second_run(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    _linked_site(website)
    crawl()
    website.answer("/a/b", Answer(b"none", 404))
    crawl()
    assert indexed() == ["/", "/a", "/a/b"]
    crawl()
    assert indexed() == ["/", "/a"]
