"""The page's own Markdown in a crawl: asked for beside a new page, never beside one that has not changed."""

import pytest

from contentbot.documents import Kind
from contentbot.extract import ExtractRules, extract
from contentbot.middlewares.stored import StoredPages
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.state import PageState, PageStatus
from tests.conftest import OWN
from tests.site.server import Answer, Website

SENTENCE = "Water falls on the wheel, and the wheel turns the stone below the floor. "


def page(path: str, head: str = "", text: str = SENTENCE * 6, **answer: object) -> Answer:
    html = f"<html lang=en><head><title>{path}</title>{head}</head><main><h1>{path}</h1><p>{text}</p></main></html>"
    return Answer(html.encode(), **answer)


def markdown(path: str, text: str = SENTENCE * 6, **answer: object) -> Answer:
    made = f"# {path}\n\n{text}\n\n```sh\nturn\n```\n"
    return Answer(made.encode(), **{"content_type": "text/markdown", **answer})


def link(path: str) -> str:
    return f'<link rel="alternate" type="text/markdown" href="{path}">'


@pytest.fixture
def mill(website: Website) -> Website:
    website.sitemap("/sitemap.xml", f"{OWN}/wheel", f"{OWN}/stone")
    website.answer("/wheel", page("wheel", link("/wheel.md"), headers={"ETag": '"1"'}))
    website.answer("/wheel.md", markdown("wheel", headers={"ETag": '"m1"'}))
    website.answer("/stone", page("stone", headers={"ETag": '"2"'}))
    return website


def test_the_markdown_that_a_page_links_to_becomes_its_body(mill, crawl):
    crawled = crawl()

    wheel, stone = crawled.documents[f"{OWN}/wheel"], crawled.documents[f"{OWN}/stone"]
    assert (wheel.kind, stone.kind) == (Kind.MARKDOWN, Kind.HTML)
    assert "```sh\nturn\n```" in wheel.body
    assert crawled.record.counts["fetched"] == crawled.record.counts["indexed"] == 2


def test_a_second_run_over_unchanged_pages_asks_for_no_markdown_and_writes_nothing(mill, crawl):
    crawl()
    mill.answer("/wheel", Answer(status=304, headers={"ETag": '"1"'}))
    mill.answer("/stone", Answer(status=304, headers={"ETag": '"2"'}))
    mill.asked.clear()

    again = crawl()

    assert sorted(mill.paths()) == ["/sitemap.xml", "/stone", "/wheel"]
    assert again.record.counts["unchanged"] == 2
    assert not again.record.counts.get("indexed")


def test_a_page_that_changed_has_its_markdown_asked_for_by_its_validators(mill, crawl):
    crawl()
    mill.answer("/wheel", page("wheel", link("/wheel.md") + "<meta name=build content=2>", headers={"ETag": '"3"'}))
    mill.answer("/wheel.md", Answer(status=304, headers={"ETag": '"m1"'}, content_type="text/markdown"))
    mill.asked.clear()

    again = crawl()

    asked = next(one for one in mill.asked if one.path == "/wheel.md")
    assert asked.headers["if-none-match"] == '"m1"'
    assert not again.record.counts.get("indexed")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"", 404),
        Answer(b"", 500),
        Answer(b"", drop=True),
        Answer(b"<html><p>Please log in</p></html>"),
        Answer(b"# Not here", content_type="text/markdown"),
        Answer(b"", 302, headers={"Location": "https://other.example/wheel.md"}),
    ],
)
def test_markdown_that_cannot_be_had_costs_nothing_but_its_request(mill, crawl, answer):
    mill.answer("/wheel.md", answer)

    crawled = crawl()

    assert crawled.documents[f"{OWN}/wheel"].kind is Kind.HTML
    assert crawled.record.finish_reason == "finished"
    assert not crawled.record.skipped_pages


def test_robots_txt_counts_for_the_markdown_too(mill, crawl):
    mill.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /*.md$", content_type="text/plain"))

    crawled = crawl()

    assert "/wheel.md" not in mill.paths()
    assert crawled.documents[f"{OWN}/wheel"].kind is Kind.HTML
    assert not crawled.record.skipped_pages


def test_a_list_counts_where_the_source_prefers_markdown(mill, crawl):
    listed = f"# Mill\n\n- [Stone]({OWN}/stone.md)\n".encode()
    mill.answer("/llms.txt", Answer(listed, content_type="text/plain"))
    mill.answer("/stone.md", markdown("stone", content_type="text/plain"))

    assert crawl(markdown="prefer").documents[f"{OWN}/stone"].kind is Kind.MARKDOWN


def test_what_is_stored_of_a_page_has_its_markdown(mill, crawl, tmp_path):
    document = crawl().documents[f"{OWN}/wheel"]
    source = WebsiteSource.model_validate({"id": "mill", "type": "website", "base-url": OWN})
    known = PageState(
        source="mill",
        url=f"{OWN}/wheel",
        status=PageStatus.INDEXED,
        final_url=f"{OWN}/wheel",
        document_key=document.key,
    )

    with StoredPages(tmp_path / "data" / "cache" / "mill.db", source, SiteCopy(OWN, mill.origin)) as stored:
        again = extract(stored.page(known), ExtractRules(source))

    assert (again.kind, again.content_hash) == (Kind.MARKDOWN, document.content_hash)


def test_a_source_that_ignores_it_asks_for_none(mill, crawl):
    crawled = crawl(markdown="ignore")

    assert crawled.documents[f"{OWN}/wheel"].kind is Kind.HTML
    assert "/wheel.md" not in mill.paths()
