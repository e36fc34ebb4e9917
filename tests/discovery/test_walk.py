"""Sitemaps below sitemaps."""

import asyncio
from collections.abc import Iterable

from contentbot.discovery.walk import Fetched, SitemapWalk, WalkLimits
from contentbot.runs import Tally
from tests.site.server import sitemapindex, urlset

OWN = "https://mill.example"


class _Site:
    def __init__(self, **bodies: bytes) -> None:
        self.bodies = {f"{OWN}/{name}.xml": body for name, body in bodies.items()}
        self.asked: list[str] = []

    async def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        return Fetched(url, 200, self.bodies[url]) if url in self.bodies else Fetched(url, 404)


def _walked(
    site: _Site, *roots: str, guessed: bool = False, limits: WalkLimits | None = None
) -> tuple[list[str], Tally]:
    tally = Tally()
    walk = SitemapWalk(site.fetch, lambda url: url.startswith(OWN), tally, limits)

    async def pages() -> list[str]:
        return [entry.url async for entry in walk.pages(roots, guessed=guessed)]

    return asyncio.run(pages()), tally


def _paths(urls: Iterable[str]) -> list[str]:
    return [url.removeprefix(OWN) for url in urls]


def test_pages_come_in_the_order_of_the_list_through_all_levels() -> None:
    site = _Site(
        index=sitemapindex("/first.xml", "/nested.xml", "/last.xml"),
        nested=sitemapindex("/second.xml"),
        first=urlset("/1", "/2"),
        second=urlset("/3"),
        last=urlset("/4"),
    )
    pages, tally = _walked(site, f"{OWN}/index.xml")
    assert _paths(pages) == ["/1", "/2", "/3", "/4"]
    assert tally.counts == {"listed": 4, "sitemaps": 5}


def test_a_page_comes_before_the_next_sitemap_is_asked_for() -> None:
    site = _Site(index=sitemapindex("/a.xml", "/b.xml"), a=urlset("/1"), b=urlset("/2"))
    walk = SitemapWalk(site.fetch, lambda _: True, Tally())

    async def first() -> str:
        async for entry in walk.pages([f"{OWN}/index.xml"]):
            return entry.url
        return ""

    assert asyncio.run(first()) == f"{OWN}/1"
    assert _paths(site.asked) == ["/index.xml", "/a.xml"]


def test_every_sitemap_is_read_once() -> None:
    site = _Site(
        index=sitemapindex("/index.xml", "/a.xml", "/a.xml#again", "HTTPS://MILL.example/a.xml"), a=urlset("/1")
    )
    pages, _ = _walked(site, f"{OWN}/index.xml", f"{OWN}/a.xml")
    assert _paths(pages) == ["/1"]
    assert _paths(site.asked) == ["/index.xml", "/a.xml"]


def test_robots_txt_is_no_sitemap() -> None:
    site = _Site()
    assert _walked(site, f"{OWN}/robots.txt")[0] == []
    assert not site.asked


def test_a_sitemap_elsewhere_is_read_only_where_a_root_is() -> None:
    site = _Site(index=sitemapindex("https://cdn.example/more.xml", "https://foreign.example/x.xml"))
    site.bodies["https://cdn.example/root.xml"] = urlset(f"{OWN}/1")
    site.bodies["https://cdn.example/more.xml"] = urlset(f"{OWN}/2")
    pages, tally = _walked(site, f"{OWN}/index.xml", "https://cdn.example/root.xml")
    assert sorted(_paths(pages)) == ["/1", "/2"]
    failed = [(page.url, page.reason) for page in tally.failed_sitemaps]
    assert failed == [("https://foreign.example/x.xml", "off_site")], "what it lists is unknown"


def test_a_guessed_sitemap_may_be_missing_but_not_fail() -> None:
    assert _walked(_Site(), f"{OWN}/sitemap.xml", guessed=True)[1].failed_sitemaps == []
    html = _Site(sitemap=b"<html><body>An app</body></html>")
    assert _walked(html, f"{OWN}/sitemap.xml", guessed=True)[1].failed_sitemaps == []
    index = _Site(sitemap=sitemapindex("/gone.xml"))
    assert [failed.reason for failed in _walked(index, f"{OWN}/sitemap.xml", guessed=True)[1].failed_sitemaps] == [
        "http_404"
    ]


def test_limits_are_named() -> None:
    deep = _Site(a=sitemapindex("/b.xml"), b=sitemapindex("/c.xml"), c=urlset("/1"))
    pages, tally = _walked(deep, f"{OWN}/a.xml", limits=WalkLimits(depth=1))
    assert not pages
    assert [(failed.url, failed.reason) for failed in tally.failed_sitemaps] == [(f"{OWN}/c.xml", "too_deep")]
    wide = _Site(a=sitemapindex("/b.xml", "/c.xml"), b=urlset("/1"), c=urlset("/2"))
    pages, tally = _walked(wide, f"{OWN}/a.xml", limits=WalkLimits(sitemaps=2))
    assert _paths(pages) == ["/1"]
    assert [failed.reason for failed in tally.failed_sitemaps] == ["too_many_sitemaps"]
