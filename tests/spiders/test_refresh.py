"""Runs after the first: what has not changed costs almost nothing, what has is found, and only what is gone goes."""

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from contentbot.access import PUBLIC
from contentbot.index import Index, open_index
from contentbot.spiders import revisit
from tests.conftest import OWN, Crawl, Crawled
from tests.site.server import Answer, Asked, Website, article, sitemapindex

Write = tuple[str, list[str]]


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[Write]:
    """Every write to the index that has something in it: ("put", URLs) or ("delete", keys)."""
    seen: list[Write] = []
    put, delete = Index.upsert, Index.delete

    def upsert(self: Index, documents: Any) -> None:
        seen.append(("put", [document.url for document in documents]))
        put(self, documents)

    def remove(self: Index, keys: Any) -> int:
        seen.append(("delete", list(keys)))
        return delete(self, keys)

    monkeypatch.setattr(Index, "upsert", upsert)
    monkeypatch.setattr(Index, "delete", remove)
    return seen


@pytest.fixture(autouse=True)
def _the_way_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address has an hour of the day at which it is; a test must not depend on it."""
    monkeypatch.setattr(revisit, "_is_due", lambda _url: False)


@pytest.fixture
def indexed(tmp_path: Path) -> Callable[..., list[str]]:
    """Return the paths of a source's documents in the index."""

    def paths(source: str = "mill") -> list[str]:
        with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
            return sorted(document.path for document in index.export(source, principal=PUBLIC))

    return paths


def validated(html: str, **headers: str) -> Callable[[Asked], Answer]:
    """Answer as a server does that knows about ETags."""
    body = html.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:12]}"'

    def answer(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == etag:
            return Answer(status=304, headers={"ETag": etag, **headers})
        return Answer(body, headers={"ETag": etag, **headers})

    return answer


def publish(website: Website, *paths: str, sitemap: str = "/sitemap.xml") -> None:
    """Serve pages with validators, and the sitemap that lists them."""
    website.sitemap(sitemap, *paths)
    for path in paths:
        website.answer(path, validated(article(path)))


def asked_since(website: Website, number: int) -> list[str]:
    return [asked.path for asked in website.asked[number:] if asked.path != "/robots.txt"]


def again(website: Website, writes: list[Write]) -> int:
    """Forget the writes of the run before; return how many requests there were by now."""
    writes.clear()
    return len(website.asked)


# --- nothing has changed


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


# --- something has


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


# --- our own rules have changed


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
    website.answer("/sitemap.xml", dated(("/a", _ago(days=9))))
    website.answer("/a", validated(article("/a")))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    website.answer("/sitemap.xml", dated(("/a", _ago(days=2))))
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
    website.answer("/sitemap.xml", dated(("/go", _ago(days=9)), ("/a", _ago(days=9))))
    website.redirect("/go", "/drafts/c")
    for path in ("/a", "/drafts/c"):
        website.answer(path, validated(article(path)))
    crawl(sitemaps="/sitemap.xml", lastmod=lastmod)
    assert indexed() == ["/a", "/drafts/c"]
    crawl(sitemaps="/sitemap.xml", lastmod=lastmod, url_exclude="/drafts/*")
    assert indexed() == ["/a"]


# --- lastmod


def dated(*entries: tuple[str, str]) -> Answer:
    """Return a sitemap with dates."""
    urls = "".join(f"<url><loc>{path}</loc><lastmod>{date}</lastmod></url>" for path, date in entries)
    return Answer(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode())


def _ago(**time: float) -> str:
    return (datetime.now(UTC) - timedelta(**time)).isoformat(timespec="seconds")


def test_a_trusted_lastmod_spares_the_request_as_long_as_it_is_the_same(
    website: Website, crawl: Crawl, writes: list[Write]
) -> None:
    old, new = _ago(days=40), _ago(days=3)
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
    website.answer("/sitemap.xml", dated(("/about", _ago(days=9)), ("/blog/a", _ago(days=9))))
    website.page("/about")
    website.answer("/blog/a", validated(article("/blog/a")))
    rules = {"sitemaps": "/sitemap.xml", "lastmod": "trust", "url_include": "/blog/*"}
    crawl(**rules)
    before = len(website.asked)
    crawled = crawl(**rules)
    assert asked_since(website, before) == ["/sitemap.xml"]
    assert crawled.record.skipped == {"not_included": 1}
    website.answer("/sitemap.xml", dated(("/about", _ago(days=2)), ("/blog/a", _ago(days=9))))
    website.redirect("/about", "/blog/about")
    website.answer("/blog/about", validated(article("/blog/about")))
    assert crawl(**rules).urls == [f"{OWN}/blog/about"]


def test_a_new_lastmod_of_an_unchanged_page_is_remembered(website: Website, crawl: Crawl) -> None:
    website.answer("/sitemap.xml", dated(("/a", _ago(days=40))), dated(("/a", _ago(days=3))))
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
    website.answer("/sitemap.xml", dated(("/a", _ago(days=9)), ("/private/b", _ago(days=9))))
    for path in ("/a", "/private/b"):
        website.answer(path, validated(article(path)))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /private/", content_type="text/plain"))
    crawl(sitemaps="/sitemap.xml", lastmod="trust")
    assert indexed() == ["/a"]


# --- errors, and what is gone


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


# --- listings that cannot be relied on


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


# --- where links are followed


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


# --- redirects


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
