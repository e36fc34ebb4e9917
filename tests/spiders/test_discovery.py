"""Where the pages of a site come from: sitemaps, robots.txt, links."""

import gzip

import pytest

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article, sitemapindex, urlset


def test_every_page_of_the_sitemap_becomes_a_document_under_the_sites_own_address(
    website: Website, crawl: Crawl
) -> None:
    website.sitemap("/sitemap.xml", f"{website.origin}/a", "/b")
    website.page("/a")
    website.page("/b")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/a", f"{OWN}/b"]
    assert crawled.record.succeeded
    assert crawled.record.discovery_complete
    assert crawled.record.counts["indexed"] == 2


def test_a_compressed_sitemap_of_a_copy_is_read_in_the_sites_own_addresses(website: Website, crawl: Crawl) -> None:
    packed = gzip.compress(urlset(f"{website.origin}/a"))
    website.answer("/s.xml.gz", Answer(packed, content_type="application/gzip"))
    website.page("/a")
    assert crawl(sitemaps="/s.xml.gz").urls == [f"{OWN}/a"]


def test_pages_are_asked_for_in_the_order_of_the_sitemap(website: Website, crawl: Crawl) -> None:
    paths = [f"/{number:02}" for number in range(40)]
    website.sitemap("/sitemap.xml", *paths)
    for path in paths:
        website.page(path)
    crawl({"CONCURRENT_REQUESTS": 4}, sitemaps="/sitemap.xml")
    asked = [path for path in website.paths() if path != "/sitemap.xml"]
    assert sorted(asked) == paths
    # those that are on their way at the same time may overtake each other
    assert all(abs(asked.index(path) - paths.index(path)) <= 4 for path in paths)


def test_an_index_that_names_itself_and_a_child_twice_reads_each_once(website: Website, crawl: Crawl) -> None:
    index = sitemapindex("/index.xml", "/one.xml", "/one.xml", "/deep.xml")
    website.answer("/index.xml", Answer(index, content_type="text/html"))
    website.answer("/deep.xml", Answer(sitemapindex("/two.xml", "/index.xml")))
    website.sitemap("/one.xml", "/a")
    website.sitemap("/two.xml", "/b")
    website.page("/a")
    website.page("/b")
    assert crawl(sitemaps="/index.xml").urls == [f"{OWN}/a", f"{OWN}/b"]
    assert sorted(path for path in website.paths() if path.endswith(".xml")) == sorted(
        ["/index.xml", "/one.xml", "/deep.xml", "/two.xml"]
    )


def test_indexes_below_indexes_end_at_a_depth_and_say_so(website: Website, crawl: Crawl) -> None:
    for level in range(9):
        website.answer(f"/{level}.xml", Answer(sitemapindex(f"/{level + 1}.xml")))
    crawled = crawl({"CONTENTBOT_SITEMAP_DEPTH": 3}, sitemaps="/0.xml")
    assert [failed.reason for failed in crawled.record.failed_sitemaps] == ["too_deep"]
    assert not crawled.record.discovery_complete


def test_robots_txt_names_the_sitemaps_where_the_source_does_not(website: Website, crawl: Crawl) -> None:
    lines = "User-agent: *\nDisallow:\nSITEMAP: /maps/all.xml\nSitemap: /robots.txt\n"
    website.answer("/robots.txt", Answer(lines.encode(), content_type="text/plain"))
    website.sitemap("/maps/all.xml", "/a")
    website.page("/a")
    assert crawl().urls == [f"{OWN}/a"]
    assert website.paths() == ["/maps/all.xml", "/a"]


def test_robots_txt_is_fetched_once(website: Website, crawl: Crawl) -> None:
    website.answer("/robots.txt", Answer(b"Sitemap: /s.xml", content_type="text/plain"))
    website.sitemap("/s.xml", "/a")
    website.page("/a")
    crawl()
    assert [asked.path for asked in website.asked].count("/robots.txt") == 1


def test_the_usual_place_is_tried_where_nothing_names_a_sitemap(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a")
    website.page("/", '<a href="/b">b</a>')
    assert crawl().urls == [f"{OWN}/a"]


@pytest.mark.parametrize(
    "answer", [Answer(b"gone", 404), Answer(article("An app").encode())], ids=["missing", "a page for every address"]
)
def test_without_any_sitemap_links_are_followed(website: Website, crawl: Crawl, answer: Answer) -> None:
    website.answer("/sitemap.xml", answer)
    website.page("/", article("Home", '<a href="a#top">a</a> <a href="https://elsewhere.example/">away</a>'))
    website.page("/a", article("A", '<a href="/b?utm_source=a">b</a> <a href="/">home</a>'))
    website.page("/b")
    crawled = crawl()
    assert crawled.urls == [f"{OWN}/", f"{OWN}/a", f"{OWN}/b"]
    assert crawled.record.discovery_complete
    assert crawled.record.skipped == {"off_site": 1}


def test_links_are_followed_only_from_the_base_and_from_included_pages_to_the_depth(
    website: Website, crawl: Crawl
) -> None:
    website.page("/guide", article("Guide", '<a href="/guide/1">1</a> <a href="/news">news</a>'))
    website.page("/news", article("News", '<a href="/guide/hidden">hidden</a>'))
    for depth in range(1, 5):
        website.page(f"/guide/{depth}", article(f"Part {depth}", f'<a href="/guide/{depth + 1}">on</a>'))
    keys = {"base-url": f"{OWN}/guide", "url-include": "/guide/**", "sitemaps": [], "max-depth": 2}
    crawled = crawl(**keys)
    assert crawled.urls == [f"{OWN}/guide/1", f"{OWN}/guide/2"]
    assert "/news" not in website.paths()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(b"<html><body>Denied</body></html>", 403), "http_403"),
        (Answer(b"<html><body>Denied</body></html>"), "not_a_sitemap"),
        (Answer(b"later", 503), "http_503"),
        (Answer(drop=True), "connection_lost"),
        (Answer(b"gone", 410), "http_410"),
    ],
)
def test_a_sitemap_that_cannot_be_read_is_named_and_leaves_the_others(
    website: Website, crawl: Crawl, answer: Answer, reason: str
) -> None:
    website.answer("/bad.xml", answer)
    website.sitemap("/good.xml", "/a")
    website.page("/a")
    crawled = crawl(sitemaps=["/bad.xml", "/good.xml"])
    assert crawled.urls == [f"{OWN}/a"]
    assert [(failed.url, failed.reason) for failed in crawled.record.failed_sitemaps] == [(f"{OWN}/bad.xml", reason)]
    assert crawled.record.finish_reason == "finished"
    assert not crawled.record.discovery_complete


def test_a_sitemap_that_breaks_off_gives_its_pages_and_an_incomplete_discovery(website: Website, crawl: Crawl) -> None:
    website.answer("/sitemap.xml", Answer(urlset("/a", "/b")[:-25]))
    website.page("/a")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/a"]
    assert not crawled.record.discovery_complete


def test_an_address_elsewhere_is_not_requested_and_counted(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "https://foreign.example/x", "http://10.0.0.1/admin", "/a", "mailto:x@mill.example")
    website.page("/a")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/a"]
    assert crawled.record.skipped == {"off_site": 2}
    assert crawled.reason("https://foreign.example/x") == "off_site"
    assert crawled.record.counts["rejected"] == 1


def test_excluded_and_unlisted_paths_stay_out(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/blog/a", "/blog/drafts/b", "/about")
    for path in ("/blog/a", "/blog/drafts/b", "/about"):
        website.page(path)
    crawled = crawl(sitemaps="/sitemap.xml", url_include="/blog/**", url_exclude="/blog/drafts/**")
    assert crawled.urls == [f"{OWN}/blog/a"]
    assert crawled.record.skipped == {"excluded": 1, "not_included": 1}


def test_a_link_that_fails_for_now_leaves_discovery_incomplete(website: Website, crawl: Crawl) -> None:
    website.page("/", article("Home", '<a href="/a">a</a> <a href="/gone">gone</a>'))
    website.answer("/a", Answer(b"later", 500))
    assert not crawl(sitemaps=[]).record.discovery_complete
    website.page("/a")
    assert crawl(sitemaps=[]).record.discovery_complete


def test_the_date_of_a_feed_counts_where_the_page_has_none(website: Website, crawl: Crawl) -> None:
    entry = "<item><link>{}</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>"
    items = entry.format("/bare") + entry.format("/dated")
    website.answer(
        "/feed", Answer(f"<rss><channel>{items}</channel></rss>".encode(), content_type="application/rss+xml")
    )
    website.page("/bare")
    website.page("/dated", article("Dated", head='<meta property="article:published_time" content="2026-02-27">'))
    found = crawl(sitemaps="/feed").documents
    assert found[f"{OWN}/bare"].published_date == "2026-03-02T10:00:00Z"
    assert found[f"{OWN}/dated"].published_date == "2026-02-27"
