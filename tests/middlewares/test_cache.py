"""The cache in a real crawl: it brings copies back, hides nothing, and does not touch the manners."""

import gzip
import itertools
from pathlib import Path

import pytest

from contentbot.spiders import revisit
from contentbot.state.cache import CachedResponse, ResponseCache
from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Asked, Website, article

RULES = {"content_selector": "main"}
OTHER_RULES = {"content_selector": "body"}


def _tagged(text: str, **headers: str) -> Answer:
    return Answer(article("Page", text).encode(), headers={"ETag": f'"{text[:9]}"', **headers})


def _unless_known(answer: Answer, **of_304: str):  # type: ignore[no-untyped-def]
    def answering(asked: Asked) -> Answer:
        known = asked.headers.get("if-none-match") == answer.headers["ETag"]
        return Answer(status=304, headers=of_304) if known else answer

    return answering


def test_a_compressed_copy_is_read_as_it_was(website: Website, crawl: Crawl) -> None:
    body = gzip.compress(article("Page", "Words of the compressed page. " * 9).encode())
    packed = Answer(body, headers={"ETag": '"gz"', "Content-Encoding": "gzip"})
    website.sitemap("/sitemap.xml", "/a")
    website.answer("/a", _unless_known(packed))
    crawl(sitemaps="/sitemap.xml", **RULES)
    assert crawl(sitemaps="/sitemap.xml", **RULES).record.counts["unchanged"] == 1
    crawled = crawl(sitemaps="/sitemap.xml", **OTHER_RULES)
    assert "compressed page" in crawled.documents[f"{OWN}/a"].body


def test_headers_of_a_304_are_those_of_the_page_from_then_on(website: Website, crawl: Crawl) -> None:
    page = _tagged("Words of the page that stays. " * 9)
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.answer("/b", _unless_known(_tagged("Another page. " * 9)))
    website.answer("/a", _unless_known(page))
    crawl(sitemaps="/sitemap.xml", **RULES)
    website.answer("/a", _unless_known(page, **{"X-Robots-Tag": "noindex"}))
    assert crawl(sitemaps="/sitemap.xml", **RULES).reason(f"{OWN}/a") == "noindex"
    website.answer("/a", _unless_known(page))
    crawled = crawl(sitemaps="/sitemap.xml", **RULES)
    assert not crawled.record.skipped, "a server may leave the header out of a 304: it is asked for the whole page"


def test_a_copy_of_a_picture_or_of_a_part_is_none(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/picture", "/missing")
    website.answer("/a", _tagged("Words. " * 30))
    website.answer("/picture", Answer(b"PNG", content_type="image/png", headers={"ETag": '"p"'}))
    website.answer("/missing", Answer(b"none", 404, headers={"ETag": '"m"', "Cache-Control": "max-age=999"}))
    crawl(sitemaps="/sitemap.xml")
    before = len(website.asked)
    crawl(sitemaps="/sitemap.xml")
    asked = {asked.path: asked.headers for asked in website.asked[before:]}
    assert "if-none-match" in asked["/a"]
    assert "if-none-match" not in asked["/picture"]
    assert "if-none-match" not in asked["/missing"]


def test_a_timeout_is_not_hidden_by_the_copy(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    for path in ("/a", "/b"):
        website.answer(path, _tagged(f"Words of {path}. " * 9))
    crawl(sitemaps="/sitemap.xml")
    website.answer("/b", Answer(b"late", delay=1.5))
    crawled = crawl(sitemaps="/sitemap.xml", request_timeout="500ms")
    assert crawled.reason(f"{OWN}/b") == "timeout"


def test_what_comes_from_the_cache_neither_waits_nor_shortens_the_pause_of_what_does_not(
    website: Website, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisit, "_is_due", lambda _url: False)
    known, new = [f"/known/{number}" for number in range(8)], ["/new/1", "/new/2", "/new/3"]
    website.sitemap("/sitemap.xml", *known)
    for path in (*known, *new):
        website.answer(path, _tagged(f"Words of the page {path}. " * 9))
    crawl(sitemaps="/sitemap.xml", **RULES)
    website.sitemap("/sitemap.xml", new[0], *known[:4], new[1], *known[4:], new[2])
    before = len(website.asked)
    crawled = crawl(sitemaps="/sitemap.xml", rate_limit=4, **OTHER_RULES)
    asked = website.asked[before:]
    assert [one.path for one in asked if one.path != "/robots.txt"] == ["/sitemap.xml", *new]
    assert crawled.record.counts["fetched"] == len(known) + len(new)
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(asked)]
    assert min(gaps) >= 0.15, gaps  # 0.25 seconds, less what a busy server notices late


def test_a_copy_that_cannot_be_read_is_downloaded_again(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.answer("/a", _unless_known(_tagged("Words of the page. " * 9)))
    crawl(sitemaps="/sitemap.xml", **RULES)
    for file in (tmp_path / "data" / "cache").iterdir():
        file.unlink()
    crawled = crawl(sitemaps="/sitemap.xml", **OTHER_RULES)
    assert crawled.urls == [f"{OWN}/a"]


def test_headers_are_read_without_the_body(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.db")
    whole = CachedResponse(f"{OWN}/a", 200, (("ETag", '"1"'),), b"body", 5.0)
    cache.put(b"key", whole)
    head = cache.get(b"key", body=False)
    assert head is not None
    assert (head.headers, head.body, head.stored_at) == (whole.headers, b"", 5.0)
    assert cache.get(b"key") == whole
    cache.close()
