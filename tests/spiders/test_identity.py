"""One document per page, however many ways lead to it."""

import time
from pathlib import Path

from contentbot.index import open_index
from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Asked, Website, article


def _canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def test_a_page_and_its_www_twin_are_one_document_where_the_canonical_says_so(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", f"{OWN}/", "https://www.mill.example/")
    website.page("/", article("Home", head=_canonical("https://www.mill.example/")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == ["https://www.mill.example/"]
    assert crawled.documents["https://www.mill.example/"].additional_urls == [f"{OWN}/"]
    assert crawled.record.counts["indexed"] == 1


def test_a_variant_is_stored_under_its_canonical_which_is_not_fetched_again(
    website: Website, crawl: Crawl, tmp_path: Path
) -> None:
    def when_p_is_indexed(_: Asked) -> Answer:
        with open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index:
            while not index.keys("mill"):
                time.sleep(0.02)
        return Answer(article("Later", '<a href="/p">p again</a>').encode())

    website.page("/", article("Home", '<a href="/p?ref=mail">p</a>'))
    website.page("/p?ref=mail", article("P", '<a href="/later">later</a>', head=_canonical("/p")))
    website.answer("/later", when_p_is_indexed)
    crawled = crawl({"CONTENTBOT_BATCH_DOCUMENTS": 1}, sitemaps=[], url_exclude="/")
    assert crawled.urls == [f"{OWN}/later", f"{OWN}/p"]
    assert crawled.documents[f"{OWN}/p"].additional_urls == [f"{OWN}/p?ref=mail"]
    assert "/p" not in website.paths()


def test_variants_that_were_fetched_at_the_same_time_are_one_document_with_all_addresses(
    website: Website, crawl: Crawl
) -> None:
    website.sitemap("/sitemap.xml", "/p?ref=a", "/p?ref=b", "/p")
    for path in ("/p?ref=a", "/p?ref=b", "/p"):
        website.page(path, article("P", head=_canonical("/p")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/p"]
    assert sorted(crawled.documents[f"{OWN}/p"].additional_urls) == [f"{OWN}/p?ref=a", f"{OWN}/p?ref=b"]


def test_variants_that_were_written_already_keep_their_addresses(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/p?ref=a", "/p?ref=b")
    for path in ("/p?ref=a", "/p?ref=b"):
        website.page(path, article("P", head=_canonical("/p")))
    crawled = crawl({"CONTENTBOT_BATCH_DOCUMENTS": 1}, sitemaps="/sitemap.xml")
    assert sorted(crawled.documents[f"{OWN}/p"].additional_urls) == [f"{OWN}/p?ref=a", f"{OWN}/p?ref=b"]
    assert crawled.record.counts["indexed"] == 1


def test_a_canonical_on_a_foreign_host_takes_the_page_out(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/copy")
    website.page("/copy", article("Copy", head=_canonical("https://vendor.example/original")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.documents
    assert crawled.reason(f"{OWN}/copy") == "canonical_offsite"


def test_a_source_may_ignore_canonicals(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/copy")
    website.page("/copy", article("Copy", head=_canonical("https://vendor.example/original")))
    assert crawl(sitemaps="/sitemap.xml", canonical="ignore").urls == [f"{OWN}/copy"]


def test_a_canonical_that_is_the_page_itself_in_another_spelling_changes_nothing(
    website: Website, crawl: Crawl
) -> None:
    website.sitemap("/sitemap.xml", "https://mill.example")
    website.page("/", article("Home", head=_canonical("HTTPS://Mill.example:443/?utm_source=x#top")))
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/"]
    assert crawled.documents[f"{OWN}/"].additional_urls == []


def test_spellings_of_one_address_are_asked_for_once(website: Website, crawl: Crawl) -> None:
    spellings = ["/m%c3%bchle", "/mühle", "/x/../m%C3%BChle", "/mühle#part", "/mühle?utm_source=mail&amp;utm_medium=x"]
    website.sitemap("/sitemap.xml", *spellings)
    website.page("/mühle")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/m%C3%BChle"]
    assert website.paths() == ["/sitemap.xml", "/mühle"]
    assert crawled.record.counts["duplicate"] == 4
