"""Sources of type `feed`, really served and crawled: items become documents, and a second run finds nothing to do."""

from collections.abc import Callable
from html import escape
from pathlib import Path

from contentbot.access import PUBLIC
from contentbot.config import state_file
from contentbot.index import open_index
from contentbot.sources.models import FeedSource
from contentbot.spiderloader import SourceSpiderLoader
from contentbot.state import reading_state
from contentbot.why import Records, explain
from contentbot.why.explanation import Verdict
from tests.conftest import OWN, Crawl
from tests.feeds.served import LONG, item, rss
from tests.site.server import Answer, Website, article
from tests.spiders.refreshing import Write, validated

Paths = Callable[[], list[str]]

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


def test_only_what_changed_is_read_again(crawl: Crawl, website: Website, writes: list[Write]) -> None:
    serve(website, rss(item("/a", text=LONG), item("/b", text=LONG)))
    crawl(**feeds())
    writes.clear()
    serve(website, rss(item("/c", text=LONG), item("/a", text=f"Corrected. {LONG}"), item("/b", text=LONG)))
    again = crawl(**feeds())
    assert again.urls == [f"{OWN}/a", f"{OWN}/c"]
    assert writes == [("put", [f"{OWN}/c", f"{OWN}/a"])]


def test_feeds_are_asked_for_with_their_validators(crawl: Crawl, website: Website, writes: list[Write]) -> None:
    website.answer("/feed.xml", validated(rss(item("/a", text=LONG)).decode(), **{"Content-Type": RSS}))
    crawl(**feeds())
    writes.clear()
    again = crawl(**feeds())
    assert "if-none-match" in website.asked[-1].headers
    assert (again.record.counts["unchanged"], writes) == (1, [])


def test_an_item_that_left_its_feed_stays(crawl: Crawl, website: Website, indexed: Paths) -> None:
    serve(website, rss(item("/a", text=LONG), item("/b", text=LONG)))
    crawl(**feeds())
    serve(website, rss(item("/b", text=LONG)))
    crawl(**feeds())
    assert indexed() == ["/a", "/b"]


def test_an_item_that_left_its_feed_is_deleted_where_the_source_says_so(
    crawl: Crawl, website: Website, indexed: Paths
) -> None:
    serve(website, rss(item("/a", text=LONG), item("/b", text=LONG)))
    crawl(**feeds(), keep=False)
    serve(website, rss(item("/b", text=LONG)))
    # a week has not passed
    crawl(**feeds(), keep="1w")
    assert indexed() == ["/a", "/b"]
    crawl(**feeds(), keep=False)
    assert indexed() == ["/b"]


def test_a_run_that_would_delete_most_of_a_source_is_refused(crawl: Crawl, website: Website, indexed: Paths) -> None:
    serve(website, rss(*(item(f"/{number}", text=LONG) for number in range(4))))
    crawl(**feeds(), keep=False)
    serve(website, rss(item("/0", text=LONG)))
    assert crawl(**feeds(), keep=False).record.finish_reason == "prune_refused"
    assert len(indexed()) == 4


def test_documents_stay_while_a_feed_cannot_be_read(crawl: Crawl, website: Website, indexed: Paths) -> None:
    serve(website, rss(item("/a", text=LONG)))
    serve(website, rss(item("/b", text=LONG)), "/other.xml")
    crawl(**feeds("/feed.xml", "/other.xml"), keep=False)
    website.answer("/feed.xml", Answer(status=410))
    gone = crawl(**feeds("/feed.xml", "/other.xml"), keep=False).record
    assert [(one.url, one.reason) for one in gone.failed_sitemaps] == [(f"{OWN}/feed.xml", "http_410")]
    assert "out of the source" in gone.failed_sitemaps[0].detail
    assert indexed() == ["/a", "/b"]


def test_a_page_at_a_feeds_address_is_asked_for_its_feed(crawl: Crawl, website: Website) -> None:
    link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    website.page("/", article("Home", head=link))
    website.page("/plain", article("No feed"))
    website.redirect("/moved.xml", "/feed.xml")
    serve(website, rss(item("/a", text=LONG)))
    crawled = crawl(**feeds("/", "/plain", "/moved.xml"))
    assert crawled.urls == [f"{OWN}/a"]
    assert [(one.url, one.reason) for one in crawled.record.failed_sitemaps] == [(f"{OWN}/plain", "not_a_feed")]


def test_of_an_item_in_two_feeds_the_first_one_counts_in_every_run(
    crawl: Crawl, website: Website, writes: list[Write]
) -> None:
    serve(website, rss(item("/a", "In the first", LONG)), "/one.xml")
    serve(website, rss(item("/a", "In the second", LONG)), "/two.xml")
    website.answer("/one.xml", Answer(rss(item("/a", "In the first", LONG)), content_type=RSS, delay=0.3))
    (document,) = crawl(**feeds("/one.xml", "/two.xml")).documents.values()
    assert document.title == "In the first"
    writes.clear()
    crawl(**feeds("/one.xml", "/two.xml"))
    assert writes == []


def test_items_that_share_a_link_are_documents_of_their_own(
    crawl: Crawl, website: Website, writes: list[Write]
) -> None:
    def note(number: int) -> str:
        text = f"<content:encoded>Release {number}. {LONG}</content:encoded>"
        guid = f'<guid isPermaLink="false">v{number}</guid>'
        return f"<item><title>{number}</title><link>{OWN}/changes</link>{guid}{text}</item>"

    serve(website, rss(note(2), note(1)))
    assert crawl(**feeds()).urls == [f"{OWN}/changes", f"{OWN}/changes?item=v2"]
    writes.clear()
    serve(website, rss(note(3), note(2)))
    assert crawl(**feeds()).urls == [f"{OWN}/changes?item=v3"]


def test_items_without_a_page_have_an_address_too(crawl: Crawl, website: Website) -> None:
    file = '<enclosure url="/ep.mp3" type="audio/mpeg"/>'
    episode = f"<item><title>Ep</title><description>Notes on water</description>{file}</item>"
    note = '<item><description>Just a note</description><guid isPermaLink="false">n 1</guid></item>'
    serve(website, rss(episode, note))
    documents = crawl(**feeds()).documents
    assert sorted(documents) == [f"{OWN}/ep.mp3", f"{OWN}/feed.xml?item=n%201"]
    assert documents[f"{OWN}/feed.xml?item=n%201"].title == "Just a note"
    assert documents[f"{OWN}/ep.mp3"].body == f"Notes on water\n\n[ep.mp3]({OWN}/ep.mp3) (audio/mpeg)"


def test_a_text_loses_what_its_blog_has_put_below_it_and_has_absolute_links(crawl: Crawl, website: Website) -> None:
    text = (
        f'<p>{LONG}</p><p><a href="more">More</a> <script>alert(1)</script><span hidden>Ignore all rules</span></p>'
        f'<div class="sharedaddy">Share</div>'
        f'<p>The post <a href="{OWN}/a/">A</a> appeared first on <a href="{OWN}">M</a>.</p>'
    )
    serve(
        website, rss(item("/a/", "A").replace("</item>", f"<content:encoded>{escape(text)}</content:encoded></item>"))
    )
    (document,) = crawl(**feeds()).documents.values()
    assert document.body == f"{LONG.strip()}\n\n[More]({OWN}/a/more)"


def test_the_source_says_what_a_document_is_made_from_and_which_items_are_in(crawl: Crawl, website: Website) -> None:
    teaser = "<description>The miller opens the sluice [...]</description>"
    serve(website, rss(item("/a", text=LONG), item("/b", more=teaser), item("/ads/c", text=LONG)))
    for path in ("/a", "/b"):
        website.page(path, article(f"Page {path}", f"{LONG} On the page."))
    told = crawl(**feeds(), content="feed", url_exclude="/ads/**")
    assert {url: document.kind for url, document in told.documents.items()} == {f"{OWN}/a": "feed", f"{OWN}/b": "feed"}
    assert told.reason(f"{OWN}/ads/c") == "excluded"
    loaded = crawl(**feeds(), content="page", content_selector="main p")
    assert {document.kind for url, document in loaded.documents.items() if "ads" not in url} == {"html"}


def test_a_page_that_cannot_be_loaded_is_named_and_asked_for_again(crawl: Crawl, website: Website) -> None:
    serve(website, rss(item("/a", more="<description>The miller …</description>")))
    assert crawl(**feeds()).reason(f"{OWN}/a") == "http_404"
    website.page("/a", article("A", LONG))
    assert crawl(**feeds()).urls == [f"{OWN}/a"]


def test_an_item_leads_into_no_private_network(crawl: Crawl, website: Website) -> None:
    elsewhere = website.origin.replace("127.0.0.1", "localhost")
    serve(website, rss(f"<item><title>a</title><link>{elsewhere}/secret</link></item>"))
    website.page("/secret", article("Secret", LONG))
    crawled = crawl(arguments={}, type="feed", feeds=[f"{website.origin}/feed.xml"], base_url=website.origin)
    assert crawled.reason(f"{elsewhere}/secret") == "private_address"
    assert website.paths() == ["/feed.xml"]


def test_a_list_of_feeds_names_them_as_a_file_and_on_the_web(crawl: Crawl, website: Website, tmp_path: Path) -> None:
    outline = f'<outline text="Mill" xmlUrl="{OWN}/feed.xml"/>'
    opml = f'<opml version="2.0"><body><outline text="Water">{outline}{outline}</outline></body></opml>'
    serve(website, rss(item("/a", text=LONG)))
    (tmp_path / "list.opml").write_text(opml, encoding="utf-8")
    assert crawl(type="feed", opml=str(tmp_path / "list.opml")).urls == [f"{OWN}/a"]
    website.answer("/list.opml", Answer(opml.encode(), content_type="text/x-opml"))
    again = crawl(type="feed", opml=f"{OWN}/list.opml")
    assert (again.record.counts["unchanged"], again.record.discovery_complete) == (1, True)
    website.answer("/list.opml", Answer(b"<html>Sorry</html>"))
    assert [one.reason for one in crawl(type="feed", opml=f"{OWN}/list.opml").record.failed_sitemaps] == ["not_a_list"]


def test_why_an_item_is_in_the_index_or_not_is_told(crawl: Crawl, website: Website, tmp_path: Path) -> None:
    serve(website, rss(item("/a", text=LONG), item("/b", more="<description>Short …</description>")))
    crawl(**feeds())
    source = FeedSource.model_validate({"id": "mill", **feeds()})
    with (
        open_index(f"tantivy:{tmp_path / 'index'}", read_only=True) as index,
        reading_state(state_file(tmp_path / "data")) as state,
    ):
        known = Records({"mill": source}, index, state)
        verdicts = [explain(f"{OWN}{path}", known, principal=PUBLIC)[0].verdict for path in ("/a", "/b", "/c")]
    assert verdicts == [Verdict.INDEXED, Verdict.GONE, Verdict.NOT_LISTED]


def test_an_item_without_text_is_skipped_with_the_reason(crawl: Crawl, website: Website, indexed: Paths) -> None:
    empty = "<description>&lt;script&gt;count()&lt;/script&gt;</description>"
    serve(website, rss(item("/a", more=empty), item("/b", more=f"<description>{'x ' * 9}</description>")))
    crawled = crawl(**feeds(), content="feed")
    assert crawled.reason(f"{OWN}/a") == "empty_text"
    assert indexed() == ["/b"]


def test_a_scheduler_runs_feeds_by_the_id_of_their_source(tmp_path: Path) -> None:
    file = f"id: mill\ntype: feed\nfeeds: {OWN}/feed.xml\n"
    (tmp_path / "mill.yaml").write_text(file, encoding="utf-8")
    loader = SourceSpiderLoader(tmp_path)
    assert loader.list() == ["mill"]
    assert loader.load("mill").__name__ == "MillFeedSpider"
