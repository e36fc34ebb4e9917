"""A rebuild gives the index that a crawl would give, without asking the site for anything."""

import gzip
import time
from pathlib import Path

import pytest

from contentbot.documents import ContentDocument
from contentbot.index.tantivy import storage
from contentbot.reindexing import Progress
from contentbot.state import PageStatus
from tests.conftest import OWN, Crawl
from tests.reindexing.conftest import Mill
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import ago, publish, validated

TWO_PARTS = (
    "<html lang=en><head><title>Stones</title></head><body><div class=main><h1>Stones</h1><p>The runner turns above "
    "the bed stone, and both are dressed by hand twice a year.</p></div><div class=aside><p>Opening hours are from ten "
    "to four on every day but Monday.</p></div></body></html>"
)
# when a page was fetched, and that a second address led to it, which the state does not keep
TOLD_BY_THE_RUN = {"fetched_at", "additional_urls"}


def plain(documents: dict[str, ContentDocument]) -> dict[str, dict[str, object]]:
    return {path: one.model_dump(exclude=TOLD_BY_THE_RUN) for path, one in documents.items()}


@pytest.fixture
def town(website: Website) -> Website:
    """Pages of all sorts: with validators, compressed, redirected with a query that is cleaned away, listed twice."""
    publish(website, "/wheel", "/race")
    website.answer("/packed", Answer(gzip.compress(article("Packed").encode()), headers={"Content-Encoding": "gzip"}))
    website.redirect("/old", "/new?utm_source=mill")
    website.page("/new")
    website.redirect("/older", "/new")
    website.page("/linked", f"<html><title>Links</title><main><p>See <a href='{website.origin}/wheel'>the wheel</a> "
                 "and its long history of repairs.</p></main></html>")  # fmt: skip
    website.sitemap("/sitemap.xml", "/wheel", "/race", "/packed", "/old", "/older", "/linked")
    return website


def test_a_rebuilt_index_has_what_it_had_and_no_site_was_asked(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    before, asked, identity = mill.documents(), len(town.asked), mill.identity()
    done = mill.rebuild()
    assert len(town.asked) == asked
    (source,) = done.sources
    assert (source.made, source.copied, source.missing, dict(source.failed)) == (5, 0, 0, {})
    assert plain(mill.documents()) == plain(before)
    assert [one.additional_urls for one in mill.documents().values()] == [
        one.additional_urls for one in before.values()
    ]
    assert sorted(before["/new"].additional_urls) == [f"{OWN}/old", f"{OWN}/older"]
    assert (done.before, done.after) == (identity, mill.identity())
    assert done.before != done.after


def test_the_next_crawl_sends_nothing_again(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    mill.rebuild()
    with mill.state() as state:
        assert state.runs.finished() == {"mill": mill.identity()}
    record = crawl(sitemaps="/sitemap.xml").record
    assert record.succeeded
    assert (record.counts.get("indexed", 0), record.counts.get("deleted", 0)) == (0, 0)
    assert len(mill.documents()) == 5


def test_changed_rules_are_applied_to_the_stored_pages(website: Website, crawl: Crawl, mill: Mill) -> None:
    website.sitemap("/sitemap.xml", "/stones")
    website.answer("/stones", validated(TWO_PARTS))
    crawl(sitemaps="/sitemap.xml", content_selector=".main")
    assert "Opening hours" not in mill.documents()["/stones"].body
    mill.rebuild(content_selector=".aside")
    document, page = mill.documents()["/stones"], mill.pages()["/stones"]
    assert "Opening hours" in document.body
    assert "runner" not in document.body
    assert (page.content_hash, page.index_identity) == (document.content_hash, mill.identity())
    asked = len(website.asked)
    record = crawl(sitemaps="/sitemap.xml", content_selector=".aside").record
    assert (record.counts["unchanged"], record.counts.get("indexed", 0)) == (1, 0)
    assert [one.path for one in website.asked[asked:] if one.path == "/stones"] == ["/stones"]


def test_a_page_that_is_not_stored_keeps_the_document_that_the_index_has(
    town: Website, crawl: Crawl, mill: Mill
) -> None:
    crawl(sitemaps="/sitemap.xml")
    before = mill.documents()
    (mill.data / "cache" / "mill.db").unlink()
    (source,) = mill.rebuild().sources
    assert (source.made, source.copied, source.missing) == (0, 5, 0)
    assert mill.documents() == before
    assert crawl(sitemaps="/sitemap.xml").record.counts.get("indexed", 0) == 0


def test_documents_can_be_taken_as_they_are(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    before = mill.documents()
    (source,) = mill.rebuild(anew=frozenset(), content_selector=".nothing-like-this").sources
    assert (source.made, source.copied) == (0, 5)
    assert mill.documents() == before
    assert {page.index_identity for page in mill.pages().values()} == {mill.identity()}


def test_a_lost_index_is_made_again_from_what_is_stored(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    before = mill.documents()
    for file in Path(mill.index_url.removeprefix("tantivy:")).rglob("*"):
        if file.is_file():
            file.unlink()
    (source,) = mill.rebuild().sources
    assert (source.made, source.missing) == (5, 0)
    assert plain(mill.documents()) == plain(before)
    assert crawl(sitemaps="/sitemap.xml").record.counts.get("indexed", 0) == 1


def test_an_index_of_another_schema_is_made_anew(
    town: Website, crawl: Crawl, mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl(sitemaps="/sitemap.xml")
    before = mill.documents()
    monkeypatch.setattr(storage, "SCHEMA_VERSION", storage.SCHEMA_VERSION + 1)
    (source,) = mill.rebuild().sources
    assert (source.made, source.copied) == (5, 0)
    assert plain(mill.documents()) == plain(before)
    generations = [one for one in Path(mill.index_url.removeprefix("tantivy:")).iterdir() if one.is_dir()]
    assert len(generations) == 1


def test_a_document_that_is_neither_stored_nor_indexed_is_sent_by_the_next_crawl(
    town: Website, crawl: Crawl, mill: Mill
) -> None:
    crawl(sitemaps="/sitemap.xml")
    with mill.index() as index:
        index.delete([mill.pages()["/race"].document_key])
    (mill.data / "cache" / "mill.db").unlink()
    (source,) = mill.rebuild().sources
    assert (source.copied, source.missing) == (4, 1)
    assert "/race" not in mill.documents()
    assert crawl(sitemaps="/sitemap.xml").record.counts["indexed"] == 1
    assert "/race" in mill.documents()


def test_a_stored_page_that_gives_no_document_any_more_keeps_the_old_one(
    website: Website, crawl: Crawl, mill: Mill
) -> None:
    website.sitemap("/sitemap.xml", "/stones", "/wheel")
    website.answer("/stones", validated(TWO_PARTS))
    website.page("/wheel")
    crawl(sitemaps="/sitemap.xml", content_selector=".main, main")
    (source,) = mill.rebuild(content_exclude=".main, .aside").sources
    assert (source.made, source.copied, dict(source.failed)) == (1, 1, {"empty_text": 1})
    assert "runner" in mill.documents()["/stones"].body


def test_a_document_that_a_rule_refuses_by_now_stays_until_a_crawl_has_judged_it(
    town: Website, crawl: Crawl, mill: Mill
) -> None:
    crawl(sitemaps="/sitemap.xml")
    rules = {"min-words": 1_000}
    (source,) = mill.rebuild(rules=rules).sources
    assert (source.made, source.copied, dict(source.failed)) == (0, 5, {"too_few_words": 5})
    assert len(mill.documents()) == 5
    crawl(sitemaps="/sitemap.xml", rules=rules, prune_share=1)
    assert mill.documents() == {}


def test_a_document_that_a_rule_keeps_for_a_time_is_noted_with_it(website: Website, crawl: Crawl, mill: Mill) -> None:
    website.sitemap("/sitemap.xml", "/a")
    head = f"<meta property=article:published_time content='{ago(days=3)[:10]}'>"
    website.page("/a", article("News", "The wheel turns since three days, and the race is full again.", head))
    crawl(sitemaps="/sitemap.xml")
    assert mill.pages()["/a"].expires is None
    mill.rebuild(rules={"max-age": 30})
    assert (mill.pages()["/a"].expires or 0) > time.time() + 20 * 86_400


def test_a_page_that_was_missed_once_stays_under_watch(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    town.answer("/race", Answer(status=404))
    crawl(sitemaps="/sitemap.xml")
    assert (mill.pages()["/race"].status, mill.pages()["/race"].misses) == (PageStatus.GONE, 1)
    mill.rebuild()
    assert (mill.pages()["/race"].status, mill.pages()["/race"].misses) == (PageStatus.GONE, 1)
    assert crawl(sitemaps="/sitemap.xml").record.counts["deleted"] == 1


def test_pages_that_changed_their_address_become_documents_of_their_own(
    website: Website, crawl: Crawl, mill: Mill
) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b")
    for path in ("/a", "/b"):
        head = f"<link rel=canonical href='{OWN}/one'>"
        website.page(path, article(f"Part {path[1:]}", f"What is told in part {path[1:]} is told nowhere else.", head))
    crawl(sitemaps="/sitemap.xml")
    assert [*mill.documents()] == ["/one"]
    (source,) = mill.rebuild(canonical="ignore").sources
    assert (source.made, source.copied) == (2, 0)
    assert sorted(mill.documents()) == ["/a", "/b"]
    assert crawl(sitemaps="/sitemap.xml", canonical="ignore").record.counts["unchanged"] == 2
    (source,) = mill.rebuild().sources
    assert source.made == 1
    assert sorted(mill.documents()["/one"].additional_urls) == [f"{OWN}/a", f"{OWN}/b"]


def test_a_source_without_a_file_is_carried_over(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    gone = mill.documents()["/wheel"].model_copy(update={"key": "0" * 64, "source": "barn", "id": "barn:wheel"})
    with mill.index() as index:
        index.upsert([gone])
    done = mill.rebuild()
    assert [(one.source, one.made, one.copied) for one in done.sources] == [("barn", 0, 1), ("mill", 5, 0)]
    with mill.index() as index:
        assert [*index.stored(["0" * 64])] == [gone]


def test_progress_is_told_to_the_end(town: Website, crawl: Crawl, mill: Mill) -> None:
    crawl(sitemaps="/sitemap.xml")
    told: list[Progress] = []
    mill.rebuild(on_progress=told.append)
    assert told[-1] == Progress("mill", 5, 5)
