"""What a whole crawl does where robots.txt speaks or sends one around."""

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website

RULES = b"User-agent: *\nDisallow: /private\nSitemap: /s.xml\n"


def test_a_page_that_robots_txt_forbids_is_named_with_its_reason(website: Website, crawl: Crawl) -> None:
    website.answer("/robots.txt", Answer(RULES, content_type="text/plain"))
    website.sitemap("/s.xml", f"{OWN}/open", f"{OWN}/private/a")
    website.page("/open")
    crawled = crawl()
    assert crawled.urls == [f"{OWN}/open"]
    assert crawled.reason(f"{OWN}/private/a") == "robots_disallowed"
    assert "/private/a" not in website.paths()


def test_robots_txt_is_followed_over_hosts_that_the_source_does_not_have(website: Website, crawl: Crawl) -> None:
    elsewhere = website.origin.replace("127.0.0.1", "localhost")
    website.redirect("/robots.txt", "/one")
    website.redirect("/one", f"{elsewhere}/two")
    website.redirect("/two", f"{website.origin}/rules")
    website.answer("/rules", Answer(RULES, content_type="text/plain"))
    website.sitemap("/s.xml", f"{website.origin}/open", f"{website.origin}/private/a")
    website.page("/open")
    crawled = crawl(arguments={}, base_url=website.origin)
    assert crawled.urls == [f"{website.origin}/open"]
    assert crawled.reason(f"{website.origin}/private/a") == "robots_disallowed"


def test_robots_txt_that_redirects_for_ever_is_none(website: Website, crawl: Crawl) -> None:
    website.redirect("/robots.txt", "/robots.txt")
    website.sitemap("/sitemap.xml", f"{OWN}/open")
    website.page("/open")
    assert crawl().urls == [f"{OWN}/open"]
