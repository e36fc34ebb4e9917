"""Pages that are empty without their scripts, really crawled and really rendered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from contentbot.rendering import crawling
from contentbot.rendering.browser import RenderLimits
from tests.conftest import OWN, Crawl
from tests.reindexing.conftest import Mill
from tests.rendering.app import TEXT, publish_app, shell
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import Write, again, asked_since, let_days_pass

pytestmark = pytest.mark.usefixtures("chromium")
AUTO = {"sitemaps": "/sitemap.xml", "render": "auto"}


@pytest.fixture(autouse=True)
def _no_browser_is_left() -> Iterator[None]:
    yield
    running = [child.name() for child in psutil.Process().children(recursive=True)]
    assert not [name for name in running if "chrom" in name]


def hasty(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    """Let rendering end early."""
    monkeypatch.setattr(crawling, "RenderLimits", lambda: RenderLimits(**limits))


def test_a_shell_is_rendered_and_a_page_with_text_is_not(website: Website, crawl: Crawl) -> None:
    publish_app(website, {"/a": TEXT})
    website.sitemap("/sitemap.xml", "/a", "/plain")
    website.page("/plain")
    crawled = crawl(**AUTO)
    assert crawled.record.counts["rendered"] == 1
    assert crawled.documents[f"{OWN}/a"].title == "Page /a"
    assert "sluice for its guests" in crawled.documents[f"{OWN}/a"].body
    asked = [one.path for one in website.asked]
    assert {"/main.js", "/api/a"} <= set(asked)
    assert "/wheel.png" not in asked
    # the page itself was fetched once, by the crawler
    assert asked.count("/a") == 1


def test_requests_of_a_page_carry_the_crawlers_name(website: Website, crawl: Crawl) -> None:
    publish_app(website, {"/a": TEXT})
    crawl(**AUTO, user_agent="MillBot/1.0 (+https://mill.example/bot)")
    assert {one.headers["user-agent"] for one in website.asked} == {"MillBot/1.0 (+https://mill.example/bot)"}


def test_without_rendering_a_shell_is_empty_and_says_so(website: Website, crawl: Crawl) -> None:
    publish_app(website, {"/a": TEXT})
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.reason(f"{OWN}/a") == "empty_text"
    assert "unless scripts run" in crawled.record.skipped_pages[0].detail


def test_always_renders_every_page(website: Website, crawl: Crawl) -> None:
    html = article("/a", "Static words. " * 20).replace("</body>", "<script>document.title = 'Made'</script></body>")
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a", html)
    crawled = crawl(sitemaps="/sitemap.xml", render="always")
    assert crawled.record.counts["rendered"] == 1


def test_an_unchanged_shell_is_not_rendered_again_until_its_time_is_over(
    website: Website, crawl: Crawl, writes: list[Write], monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_app(website, {"/a": TEXT})
    crawl(**AUTO)
    before = again(website, writes)
    crawled = crawl(**AUTO)
    assert (crawled.record.counts["unchanged"], crawled.record.counts.get("rendered", 0)) == (1, 0)
    assert asked_since(website, before) == ["/sitemap.xml", "/a"]
    let_days_pass(monkeypatch, 2)
    crawled = crawl(**AUTO)
    assert (crawled.record.counts["rendered"], crawled.record.counts["unchanged"], writes) == (1, 1, [])
    publish_app(website, {"/a": "Another text of the same page, from the same shell. " * 9})
    let_days_pass(monkeypatch, 4)
    crawled = crawl(**AUTO)
    assert "Another text" in crawled.documents[f"{OWN}/a"].body


def test_what_robots_txt_forbids_a_page_does_not_get(website: Website, crawl: Crawl) -> None:
    publish_app(website, {"/a": TEXT})
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /api/", content_type="text/plain"))
    crawled = crawl(**AUTO)
    assert crawled.reason(f"{OWN}/a") == "empty_text"
    assert "although its scripts have run" in crawled.record.skipped_pages[0].detail
    assert "/api/a" not in [one.path for one in website.asked]


def test_other_hosts_are_asked_only_at_public_addresses(website: Website, crawl: Crawl) -> None:
    with Website() as inside:
        inside.answer(
            "/secret", Answer(b'{"title": "Secret", "text": "Secret"}', headers={"Access-Control-Allow-Origin": "*"})
        )
        script = f"fetch('{inside.origin}/secret').finally(() => document.getElementById('root').append('{TEXT}'))"
        publish_app(website, {"/a": TEXT}, script)
        crawled = crawl(base_url=website.origin, arguments={}, **AUTO)
        assert crawled.urls == [f"{website.origin}/a"]
        assert inside.asked == []


MISBEHAVING = {
    "/leaves": ("location = 'https://elsewhere.example/'", "empty_text"),
    "/hangs": ("for (;;) {}", "render_timeout"),
    "/pops": ("alert('stop'); window.open('/pop'); new WebSocket('ws://127.0.0.1:9/')", "empty_text"),
    "/posts": ("fetch('/api', {method: 'POST', body: 'x'}); navigator.sendBeacon('/api', 'x')", "empty_text"),
}


def test_a_program_that_misbehaves_costs_its_page_only(
    website: Website, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty(monkeypatch, seconds=8.0, settle_seconds=2.0)
    for path, (script, _) in MISBEHAVING.items():
        website.answer(f"{path}.js", Answer(script.encode(), content_type="application/javascript"))
        website.page(path, shell(f"<script src={path}.js defer></script>"))
    website.sitemap("/sitemap.xml", *MISBEHAVING, "/plain")
    website.page("/plain")
    crawled = crawl(**AUTO)
    assert crawled.urls == [f"{OWN}/plain"]
    reasons = {page.url.removeprefix(OWN): page.reason for page in crawled.record.skipped_pages}
    assert reasons == {path: reason for path, (_, reason) in MISBEHAVING.items()}
    assert {"/pop", "/api"}.isdisjoint(one.path for one in website.asked)


def test_a_browser_that_is_killed_costs_its_page_and_is_started_again(
    website: Website, crawl: Crawl, tmp_path: Path, chromium: str
) -> None:
    publish_app(website, {"/a": TEXT, "/b": TEXT})

    def kill(_asked: Any) -> Answer:
        for child in psutil.Process().children(recursive=True):
            if "chrom" in child.name():
                child.kill()
        return Answer(b"{}", content_type="application/json")

    website.answer("/api/a", kill)
    crawled = crawl(**AUTO, rate_limit=1)
    assert crawled.reason(f"{OWN}/a") in {"render_crashed", "render_failed"}
    assert crawled.record.finish_reason == "finished"


def test_a_browser_that_is_missing_is_told_with_the_way_out(
    website: Website, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_app(website, {"/a": TEXT})
    crawled = crawl({"CONTENTBOT_BROWSER": "/nowhere/chromium"}, **AUTO)
    assert crawled.reason(f"{OWN}/a") == "render_unavailable"
    detail = crawled.record.skipped_pages[0].detail
    assert "CONTENTBOT_BROWSER" in detail
    assert "apt-get install" in detail


@pytest.mark.parametrize("mode", ["auto", "always"])
def test_a_rebuilt_index_keeps_what_was_rendered(website: Website, crawl: Crawl, tmp_path: Path, mode: str) -> None:
    publish_app(website, {"/a": TEXT})
    crawl(sitemaps="/sitemap.xml", render=mode)
    mill = Mill(tmp_path, website.origin)
    before = mill.documents()
    (source,) = mill.rebuild(render=mode).sources
    assert (source.made, source.copied) == (0, 1)
    assert mill.documents() == before
    assert "sluice" in before["/a"].body
