"""Runs after the first under other rules, and with sitemaps that tell what has changed."""

import time
from collections.abc import Callable

import pytest

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import Write, again, ago, asked_since, dated, publish, validated


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ({"content_selector": "div.post"}, "kept words"),
        ({"content_exclude": "aside"}, "kept words"),
        ({"locale": "de"}, "de"),
    ],
    ids=["content-selector", "content-exclude", "locale"],
)
def test_changed_rules_read_what_is_stored_and_ask_for_no_page(
    website: Website, crawl: Crawl, rules: dict[str, str], left: str
) -> None:
    html = article("A", "x").replace(
        "<p>x</p>", f"<div class=post><p>{'kept words ' * 20}</p></div><aside><p>{'dropped noise ' * 20}</p></aside>"
    )
    website.sitemap("/sitemap.xml", "/a")
    website.answer("/a", validated(html))
    first = crawl(sitemaps="/sitemap.xml", content_selector="main", locale="en").documents[f"{OWN}/a"]
    assert "dropped noise" in first.body
    before = len(website.asked)
    crawled = crawl(sitemaps="/sitemap.xml", **{"content_selector": "main", "locale": "en", **rules})
    assert asked_since(website, before) == ["/sitemap.xml"]
    document = crawled.documents[f"{OWN}/a"]
    assert left in (document.locale, " ".join(document.plain_text.split()[:2]), *([] if "locale" in rules else [left]))
    assert ("dropped noise" in document.body) == ("locale" in rules)


def test_a_page_that_was_edited_while_our_rules_changed_is_asked_for(website: Website, crawl: Crawl) -> None:
    website.answer("/sitemap.xml", dated(("/a", ago(days=9))))
    website.answer("/a", validated(article("/a")))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    website.answer("/sitemap.xml", dated(("/a", ago(days=2))))
    website.answer("/a", validated(article("/a", "The second edition of the page. " * 5)))
    crawled = crawl(sitemaps="/sitemap.xml", lastmod="trust", locale="de")
    assert "second edition" in crawled.documents[f"{OWN}/a"].body


def test_a_page_that_leaves_the_scope_goes(website: Website, crawl: Crawl, indexed: Callable[..., list[str]]) -> None:
    publish(website, "/a", "/b", "/drafts/c")
    crawl(sitemaps="/sitemap.xml")
    before = len(website.asked)
    crawl(sitemaps="/sitemap.xml", url_exclude="/drafts/*")
    assert indexed() == ["/a", "/b"]
    assert asked_since(website, before) == ["/sitemap.xml"]


@pytest.mark.parametrize("lastmod", ["trust", "ignore"])
def test_a_page_whose_redirect_leaves_the_scope_goes(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]], lastmod: str
) -> None:
    website.answer("/sitemap.xml", dated(("/go", ago(days=9)), ("/a", ago(days=9))))
    website.redirect("/go", "/drafts/c")
    for path in ("/a", "/drafts/c"):
        website.answer(path, validated(article(path)))
    crawl(sitemaps="/sitemap.xml", lastmod=lastmod)
    assert indexed() == ["/a", "/drafts/c"]
    crawl(sitemaps="/sitemap.xml", lastmod=lastmod, url_exclude="/drafts/*")
    assert indexed() == ["/a"]


def test_a_trusted_lastmod_spares_the_request_as_long_as_it_is_the_same(
    website: Website, crawl: Crawl, writes: list[Write]
) -> None:
    old, new = ago(days=40), ago(days=3)
    website.answer("/sitemap.xml", dated(("/a", old), ("/b", old)))
    for path in ("/a", "/b"):
        website.answer(path, validated(article(path)))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    before = again(website, writes)
    assert crawl(sitemaps="/sitemap.xml", lastmod="trust").record.counts["unchanged"] == 2
    assert asked_since(website, before) == ["/sitemap.xml"]
    assert not writes
    website.answer("/sitemap.xml", dated(("/a", old), ("/b", new)))
    website.answer("/b", validated(article("/b", "Edited, as the sitemap says. " * 5)))
    before = again(website, writes)
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    assert asked_since(website, before) == ["/sitemap.xml", "/b"]
    assert writes == [("put", [f"{OWN}/b"])]


def test_a_page_out_of_scope_is_not_asked_again_where_it_redirects_to(website: Website, crawl: Crawl) -> None:
    website.answer("/sitemap.xml", dated(("/about", ago(days=9)), ("/blog/a", ago(days=9))))
    website.page("/about")
    website.answer("/blog/a", validated(article("/blog/a")))
    rules = {"sitemaps": "/sitemap.xml", "lastmod": "trust", "url_include": "/blog/*"}
    crawl(**rules)
    before = len(website.asked)
    crawled = crawl(**rules)
    assert asked_since(website, before) == ["/sitemap.xml"]
    assert crawled.record.skipped == {"not_included": 1}
    website.answer("/sitemap.xml", dated(("/about", ago(days=2)), ("/blog/a", ago(days=9))))
    website.redirect("/about", "/blog/about")
    website.answer("/blog/about", validated(article("/blog/about")))
    assert crawl(**rules).urls == [f"{OWN}/blog/about"]


def test_a_new_lastmod_of_an_unchanged_page_is_remembered(website: Website, crawl: Crawl) -> None:
    website.answer("/sitemap.xml", dated(("/a", ago(days=40))), dated(("/a", ago(days=3))))
    website.answer("/a", validated(article("/a")))
    for _ in range(2):
        crawl(sitemaps="/sitemap.xml", lastmod="trust")
    before = len(website.asked)
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    assert asked_since(website, before) == ["/sitemap.xml"]


@pytest.mark.parametrize("stamp", ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"], ids=["to the second", "today"])
def test_a_site_that_stamps_its_sitemap_with_the_time_of_the_request_is_not_believed(
    website: Website, crawl: Crawl, stamp: str
) -> None:
    now = time.strftime(stamp, time.gmtime())
    website.answer("/sitemap.xml", dated(("/a", now)))
    website.answer("/a", validated(article("/a")))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    before = len(website.asked)
    website.answer("/a", validated(article("/a", "Edited within the hour. " * 6)))
    crawled = crawl(sitemaps="/sitemap.xml", lastmod="trust")
    assert asked_since(website, before) == ["/sitemap.xml", "/a"]
    assert "Edited" in crawled.documents[f"{OWN}/a"].body


def test_robots_txt_is_obeyed_where_the_sitemap_is_trusted(
    website: Website, crawl: Crawl, indexed: Callable[..., list[str]]
) -> None:
    website.answer("/sitemap.xml", dated(("/a", ago(days=9)), ("/private/b", ago(days=9))))
    for path in ("/a", "/private/b"):
        website.answer(path, validated(article(path)))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /private/", content_type="text/plain"))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    assert indexed() == ["/a"]
