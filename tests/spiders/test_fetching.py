"""What servers answer, and what becomes of it: a page, or a reason."""

import gzip
import resource
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article, self_signed

ZEROS = bytes(64 << 20)


def _site(website: Website, answer: Answer) -> None:
    website.sitemap("/sitemap.xml", "/x", "/good")
    website.answer("/x", answer)
    website.page("/good")


@pytest.mark.parametrize("status", [204, 304, 400, 401, 403, 404, 410, 500, 503])
def test_only_a_200_is_a_page_and_every_other_status_is_counted(website: Website, crawl: Crawl, status: int) -> None:
    _site(website, Answer(article("Sorry").encode() if status not in {204, 304} else b"", status))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/good"]
    assert crawled.record.skipped == {f"http_{status}": 1}
    assert crawled.reason(f"{OWN}/x") == f"http_{status}"
    assert crawled.record.succeeded


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(drop=True), "connection_lost"),
        (Answer(b"<p>half", headers={"Content-Length": "9999"}), "connection_lost"),
        (Answer(b"never", delay=3), "timeout"),
    ],
    ids=["hangs up", "breaks off", "is too slow"],
)
def test_a_broken_answer_costs_that_page_only(website: Website, crawl: Crawl, answer: Answer, reason: str) -> None:
    website.answer("/robots.txt", Answer(status=404))
    _site(website, answer)
    crawled = crawl({"RETRY_TIMES": 0}, sitemaps="/sitemap.xml", request_timeout=1)
    assert crawled.urls == [f"{OWN}/good"]
    assert crawled.reason(f"{OWN}/x") in {reason, "truncated"}


def test_a_page_that_comes_the_second_time_is_a_page(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/x")
    website.answer("/x", Answer(status=503), Answer(drop=True), Answer(article("X").encode()))
    assert crawl({"RETRY_TIMES": 2}, sitemaps="/sitemap.xml").urls == [f"{OWN}/x"]


@pytest.mark.parametrize(
    "content_type",
    ["image/png", "application/pdf", "video/mp4", "application/zip", "application/json", "text/css", "font/woff2"],
)
def test_what_is_neither_html_nor_text_is_skipped(website: Website, crawl: Crawl, content_type: str) -> None:
    _site(website, Answer(b"\x89PNG\r\n\x1a\n" + bytes(100), content_type=content_type))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/good"]
    assert crawled.reason(f"{OWN}/x") == "unsupported_media"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html; name=\xfc\xdf-593.html",
        "text/html; charset=\xff\xfe",
        "TEXT/HTML",
        "application/xhtml+xml",
        "",
        "html",
        "text/html, text/html",
        "application/octet-stream",
    ],
)
def test_an_odd_content_type_does_not_hide_a_page(website: Website, crawl: Crawl, content_type: str) -> None:
    _site(website, Answer(article("Odd").encode(), content_type=content_type))
    assert f"{OWN}/x" in crawl(sitemaps="/sitemap.xml").urls


def test_headers_with_bytes_that_are_no_utf8_are_kept(website: Website, crawl: Crawl) -> None:
    odd = {"X-Author": "J\xfcrgen", "Set-Cookie": "n=\xe9; Path=/", "ETag": 'W/"\xa7"', "Server": "\xff\xfe"}
    _site(website, Answer(article("Odd").encode(), headers=odd))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.documents[f"{OWN}/x"].revision == 'W/"\xa7"'


BOMBS = {
    "gzip": gzip.compress(ZEROS),
    "deflate": zlib.compress(ZEROS),
    "br": brotli.compress(ZEROS, quality=1),
    "zstd": zstandard.ZstdCompressor().compress(ZEROS),
}


@pytest.mark.parametrize("encoding", BOMBS)
def test_a_small_body_that_inflates_without_end_is_stopped_at_the_limit(
    website: Website, crawl: Crawl, encoding: str
) -> None:
    _site(website, Answer(BOMBS[encoding], headers={"Content-Encoding": encoding}))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    crawled = crawl(sitemaps="/sitemap.xml", max_body_bytes=1 << 20)
    assert crawled.reason(f"{OWN}/x") == "body_too_large"
    assert crawled.urls == [f"{OWN}/good"]
    # KiB; the whole body would take 64 MiB
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40 << 10


def test_a_bomb_inside_of_a_bomb_is_stopped_too(website: Website, crawl: Crawl) -> None:
    _site(website, Answer(gzip.compress(BOMBS["gzip"]), headers={"Content-Encoding": "gzip, gzip"}))
    assert crawl(sitemaps="/sitemap.xml", max_body_bytes=1 << 20).reason(f"{OWN}/x") == "body_too_large"


def test_a_body_over_the_limit_is_not_downloaded_to_its_end(website: Website, crawl: Crawl) -> None:
    sent: list[int] = []

    def body():  # type: ignore[no-untyped-def]
        for number in range(400):
            sent.append(number)
            yield b"x" * 100_000

    _site(website, Answer(b""))
    website.answer("/x", lambda _: Answer(body()))
    crawled = crawl(sitemaps="/sitemap.xml", max_body_bytes=1 << 20)
    assert crawled.reason(f"{OWN}/x") == "body_too_large"
    assert len(sent) < 400


def test_a_body_that_says_it_is_over_the_limit_is_not_begun(website: Website, crawl: Crawl) -> None:
    _site(website, Answer(b"x" * 2_000_000))
    crawled = crawl(sitemaps="/sitemap.xml", max_body_bytes=1 << 20)
    assert crawled.reason(f"{OWN}/x") == "body_too_large"


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate"])
def test_compressed_pages_are_read(website: Website, crawl: Crawl, encoding: str) -> None:
    html = article("Packed").encode()
    packed = {
        "gzip": gzip.compress(html),
        "br": brotli.compress(html),
        "zstd": zstandard.ZstdCompressor().compress(html),
        "deflate": zlib.compress(html)[2:-4],
    }[encoding]
    _site(website, Answer(packed, headers={"Content-Encoding": encoding}))
    assert crawl(sitemaps="/sitemap.xml").documents[f"{OWN}/x"].title == "Packed"


def test_a_page_that_only_says_it_is_compressed_is_read(website: Website, crawl: Crawl) -> None:
    _site(website, Answer(article("Plain").encode(), headers={"Content-Encoding": "gzip"}))
    assert f"{OWN}/x" in crawl(sitemaps="/sitemap.xml").urls


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate"])
def test_a_body_that_cannot_be_inflated_is_named(website: Website, crawl: Crawl, encoding: str) -> None:
    _site(website, Answer(b"\x00\x07no such thing" * 9, headers={"Content-Encoding": encoding}))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/good"]
    assert crawled.reason(f"{OWN}/x") in {"broken_encoding", "empty_text", "unsupported_media"}


def test_the_crawler_says_who_it_is_and_sends_no_cookies_back(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    website.page("/a", headers={"Set-Cookie": "visitor=1"})
    website.page("/b")
    crawl(sitemaps="/sitemap.xml", user_agent="MillBot/2 (+https://mill.example/bot)")
    assert {asked.headers["user-agent"] for asked in website.asked} == {"MillBot/2 (+https://mill.example/bot)"}
    assert not any("cookie" in asked.headers or "referer" in asked.headers for asked in website.asked)


def test_requests_keep_the_distance_that_the_rate_limit_sets(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", *(f"/{number}" for number in range(6)))
    for number in range(6):
        website.page(f"/{number}")
    crawl(sitemaps="/sitemap.xml", rate_limit=10)
    times = [asked.at for asked in website.asked]
    # the clocks are on two sides of a socket: some of a gap may be lost, never most of it
    assert (times[-1] - times[0]) >= 0.1 * (len(times) - 1) * 0.9


def test_a_page_is_not_asked_for_in_a_language_of_ours(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a")
    crawl(sitemaps="/sitemap.xml")
    assert not any("accept-language" in asked.headers for asked in website.asked)


def test_an_address_as_long_as_servers_take_is_fetched(website: Website, crawl: Crawl) -> None:
    path = f"/{'long-' * 600}"
    website.sitemap("/sitemap.xml", path, f"/{'x' * 9000}")
    website.page(path)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}{path}"]
    assert crawled.record.counts.get("rejected", 0) + sum(crawled.record.skipped.values()) == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(crawl: Crawl, tmp_path: Path) -> None:
    with Website(certificate=self_signed(tmp_path)) as website:
        website.sitemap("/sitemap.xml", "/a")
        crawled = crawl(arguments={}, base_url=website.origin, sitemaps="/sitemap.xml")
        assert not website.asked
    assert [failed.reason for failed in crawled.record.failed_sitemaps] == ["robots_unreachable"]


def test_an_empty_page_and_one_that_forbids_indexing_are_named(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/empty", "/private")
    website.page("/empty", "<html><head><title>Nothing</title></head><body></body></html>")
    website.page("/private", article("Private", head='<meta name="robots" content="noindex">'))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.documents
    assert crawled.reason(f"{OWN}/empty") == "empty_text"
    assert crawled.reason(f"{OWN}/private") == "noindex"
