"""Sources of type `feed`, really served and crawled: items become documents, and a second run finds nothing to do."""

from tests.conftest import OWN, Crawl
from tests.feeds.served import LONG, item, rss
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import Write

RSS = "application/rss+xml"


def serve(website: Website, body: bytes, path: str = "/feed.xml") -> None:
    website.answer(path, Answer(body, content_type=RSS))


def feeds(*paths: str) -> dict[str, object]:
    return {"type": "feed", "feeds": [f"{OWN}{path}" for path in paths or ("/feed.xml",)]}


def test_items_with_their_whole_text_become_documents_without_asking_for_their_pages(
    crawl: Crawl, website: Website
) -> None:
    dated = (
        "<pubDate>Thu, 12 Mar 2026 09:30:00 +0100</pubDate><dc:creator>Ann Low</dc:creator><category>Water</category>"
    )
    serve(website, rss(item("/wheel", "The wheel", LONG, dated)))
    crawled = crawl(**feeds())
    (document,) = crawled.documents.values()
    assert crawled.record.succeeded
    assert (document.url, document.id, document.kind) == (f"{OWN}/wheel", "mill:wheel", "feed")
    assert (document.title, document.authors, document.categories) == ("The wheel", ["Ann Low"], ["Water"])
    assert document.published_date == "2026-03-12T09:30:00+01:00"
    assert document.body == LONG.strip()
    assert website.paths() == ["/feed.xml"]


def test_a_teaser_leads_to_its_page(crawl: Crawl, website: Website) -> None:
    teaser = "<description>The miller opens the sluice [...]</description><category>Water</category>"
    serve(website, rss(item("/wheel", "The wheel", more=teaser + "<pubDate>12 Mar 2026</pubDate>")))
    website.page("/wheel", article("The wheel", LONG))
    (document,) = crawl(**feeds()).documents.values()
    assert (document.kind, document.title) == ("html", "The wheel")
    assert LONG.strip() in document.body
    assert (document.published_date, document.categories) == ("2026-03-12", ["Water"])
    assert website.paths() == ["/feed.xml", "/wheel"]


def test_a_second_run_over_the_same_feed_does_no_work(crawl: Crawl, website: Website, writes: list[Write]) -> None:
    serve(website, rss(item("/whole", text=LONG), item("/linked")))
    website.page("/linked", article("Linked", LONG))
    assert len(crawl(**feeds()).documents) == 2
    writes.clear()
    del website.asked[:]
    again = crawl(**feeds())
    assert again.record.counts["unchanged"] == 2
    assert "extracted" not in again.record.counts
    assert writes == []
    assert website.paths() == ["/feed.xml"]
