"""Why a page is, or is not, in the index, asked after real crawls of a served site."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contentbot.access import PUBLIC, Access, AccessRule, IdentityType
from contentbot.delivery import letter_of
from contentbot.documents import ContentDocument, document_key
from contentbot.errors import InvalidQuery, NotFound
from contentbot.index import open_index
from contentbot.pipelines.batch import Waiting
from contentbot.sources.models import WebsiteSource
from contentbot.state import PageState, PageStatus, open_state, reading_state
from contentbot.state.outbox import Outbox
from contentbot.why import Explanation, Records, Verdict, explain
from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website

ROBOTS = Answer(b"User-agent: *\nDisallow: /private\n", content_type="text/plain")
Asking = Callable[..., Explanation]
KEYS: dict[str, Any] = {"url_exclude": ["/drafts/**"], "sitemaps": ["/sitemap.xml"]}


def source(name: str = "mill", **keys: Any) -> WebsiteSource:
    declared = {"id": name, "type": "website", "base-url": OWN, **KEYS, **keys}
    return WebsiteSource.model_validate({key.replace("_", "-"): value for key, value in declared.items()})


@contextmanager
def records(folder: Path, *sources: WebsiteSource) -> Iterator[Records]:
    with (
        open_index(f"tantivy:{folder / 'index'}", read_only=True) as index,
        reading_state(f"sqlite:///{folder / 'data' / 'state.db'}") as state,
    ):
        yield Records({one.id: one for one in sources}, index, state, folder / "data" / "outbox.db")


@pytest.fixture
def why(tmp_path: Path) -> Asking:
    """Ask about a path of the mill, in the one source that it belongs to."""

    def ask(path: str, *sources: WebsiteSource, named: str = "") -> Explanation:
        url = path if "://" in path else OWN + path
        with records(tmp_path, *(sources or (source(),))) as known:
            (found,) = explain(url, known, principal=PUBLIC, source=named)
        return found

    return ask


@pytest.fixture
def site(website: Website) -> Website:
    """A site with one page for every way in which a page can fail to become a document."""
    website.answer("/robots.txt", ROBOTS)
    for path in ("/wheel", "/race", "/stone"):
        website.page(path)
    website.redirect("/old", "/moved")
    website.page("/moved")
    website.redirect("/away", "https://other.example/page")
    website.redirect("/into-drafts", "/drafts/one")
    website.redirect("/circle", "/circle")
    website.page("/quiet", "<html><head><title>Q</title><meta name=robots content=noindex></head><p>Psst.</p></html>")
    website.page("/quiet-header", headers={"X-Robots-Tag": "noindex"})
    website.page("/private/keys")
    website.page("/empty", "<html><head><title>E</title></head><body></body></html>")
    website.answer("/picture", Answer(b"\x89PNG\r\n", content_type="image/png"))
    website.page(
        "/foreign",
        "<html><head><title>F</title><link rel=canonical href=https://other.example/f></head>"
        "<body><main><h1>F</h1><p>Foreign words of some length stand here.</p></main></body></html>",
    )
    website.page(
        "/twin",
        "<html><head><title>T</title><link rel=canonical href=/stone></head>"
        "<body><main><h1>T</h1><p>The stone again, under another address.</p></main></body></html>",
    )
    website.answer("/broken", Answer(b"no", 500))
    website.answer("/gone", Answer(b"no", 410))
    paths = (
        "wheel",
        "race",
        "stone",
        "old",
        "away",
        "into-drafts",
        "circle",
        "quiet",
        "quiet-header",
        "private/keys",
        "empty",
        "picture",
        "foreign",
        "twin",
        "broken",
        "gone",
        "lost",
        "drafts/one",
    )
    website.sitemap("/sitemap.xml", *(f"/{path}" for path in paths))
    return website


def test_every_kind_of_page_is_explained(site: Website, crawl: Crawl, why: Asking) -> None:
    crawl(**KEYS)
    expected = {
        "/wheel": (Verdict.INDEXED, "In the index as mill:wheel, since 20"),
        "/old": (Verdict.INDEXED, f"It is another address of {OWN}/moved."),
        "/moved": (Verdict.INDEXED, "In the index as mill:moved"),
        "/twin": (Verdict.INDEXED, f"It is another address of {OWN}/stone."),
        "/away": (Verdict.EXCLUDED, "its redirect leads off the site"),
        "/into-drafts": (Verdict.EXCLUDED, "its redirect leads to an address that url-exclude leaves out"),
        "/circle": (Verdict.FAILED, "its redirects go round in a circle"),
        "/quiet": (Verdict.NOINDEX, "ask not to be indexed"),
        "/quiet-header": (Verdict.NOINDEX, "ask not to be indexed"),
        "/private/keys": (Verdict.DISALLOWED, "robots.txt of the site asks not to fetch it"),
        "/empty": (Verdict.EMPTY, "Not in the index: "),
        "/picture": (Verdict.EMPTY, "neither HTML nor text"),
        "/foreign": (Verdict.EMPTY, "canonical link names a foreign host"),
        "/broken": (Verdict.FAILED, "it answers 500"),
        "/gone": (Verdict.GONE, "it answers 410"),
        "/lost": (Verdict.GONE, "it answers 404"),
        "/drafts/one": (Verdict.EXCLUDED, "the pattern /drafts/** of url-exclude leaves it out"),
        "/nowhere": (Verdict.NOT_LISTED, "never listed. The last complete run, of 20"),
    }
    for path, (verdict, words) in expected.items():
        found = why(path)
        assert (found.source, found.verdict) == ("mill", verdict), path
        assert words in found.summary, path
        assert found.in_index is (verdict is Verdict.INDEXED)
        assert found.last_run_result == "finished"


def test_an_indexed_page_carries_its_facts(site: Website, crawl: Crawl, why: Asking) -> None:
    site.page("/wheel", headers={"ETag": '"v7"'})
    crawl(**KEYS)
    found = why("/old")
    assert (found.document_id, found.document_url) == ("mill:moved", f"{OWN}/moved")
    assert (found.listed_as, found.final_url, found.http_status) == ((f"{OWN}/old",), f"{OWN}/moved", 200)
    assert found.since
    assert found.last_seen
    assert why("/wheel").revision == '"v7"'
    # however a person writes it
    assert why("HTTP://mill.example/wheel?utm_source=x#top").near == (f"{OWN}/wheel",)
    assert why("https://mill.example:443/wheel?utm_source=x#top").in_index
    with pytest.raises(InvalidQuery, match="not a web address"):
        why("mailto:ada@mill.example://")


def test_a_failure_says_since_when_and_how_often_and_that_the_old_text_stays(
    website: Website, crawl: Crawl, why: Asking
) -> None:
    website.sitemap("/sitemap.xml", "/wheel", "/race")
    website.page("/wheel")
    website.page("/race")
    crawl(**KEYS)
    began = why("/wheel").since
    website.answer("/wheel", Answer(b"busy", 500))
    for _ in range(3):
        crawl(**KEYS)
    found = why("/wheel")
    assert found.in_index
    assert "But it answers 500 (since 20" in found.summary
    assert "3 runs in a row" in found.summary
    assert "the text is that of 20" in found.summary
    assert (found.reason, found.times) == ("http_500", 3)
    assert found.since >= began


def test_a_page_that_vanished_says_since_when(website: Website, crawl: Crawl, why: Asking) -> None:
    website.sitemap("/sitemap.xml", "/wheel", "/race", "/stone")
    for path in ("/wheel", "/race", "/stone"):
        website.page(path)
    crawl(**KEYS)
    website.sitemap("/sitemap.xml", "/wheel", "/race")
    crawl(**KEYS)
    found = why("/stone")
    assert found.verdict is Verdict.NOT_LISTED
    assert "Not listed any more: a run last met it on 20" in found.summary
    assert found.since >= found.last_seen > ""

    website.answer("/race", Answer(b"no", 404))
    crawl(**KEYS)
    waiting = why("/race")
    assert waiting.in_index
    assert "it answers 404" in waiting.summary
    assert "the next complete run deletes it" in waiting.summary
    crawl(**KEYS)
    gone = why("/race")
    assert (gone.verdict, gone.times) == (Verdict.GONE, 2)
    assert "Not in the index: it answers 404, not found (since 20" in gone.summary


def test_rules_are_those_of_today(website: Website, crawl: Crawl, why: Asking) -> None:
    website.sitemap("/sitemap.xml", "/wheel")
    website.page("/wheel")
    crawl(**KEYS)
    found = why("/wheel", source(url_exclude=["/wh*"]))
    assert found.in_index
    assert "today's rules leave it out, excluded (/wh*)" in found.notes[0]
    narrowed = why("/about", source(url_include=["/blog/**", "/de/blog/**"]))
    assert narrowed.verdict is Verdict.EXCLUDED
    assert "no pattern of url-include matches it" in narrowed.summary
    assert narrowed.notes == ("url-include is /blog/**, /de/blog/**",)
    assert why("/a/b/a/b/a/b/a/b/").reason == "loop"
    assert why("https://barn.example/", named="mill").verdict is Verdict.OFF_SITE


def test_what_was_never_crawled_says_so(website: Website, crawl: Crawl, why: Asking, tmp_path: Path) -> None:
    assert "no crawl has been recorded here" in why("/wheel").summary
    assert not (tmp_path / "data").exists()
    website.answer("/sitemap.xml", Answer(b"no", 500))
    crawl(**KEYS)
    found = why("/wheel")
    assert "none has read everything that lists pages" in found.summary
    assert any("could not read 1" in note for note in found.notes)
    never = why("https://barn.example/a", source("barn", base_url="https://barn.example", enabled=False))
    assert never.verdict is Verdict.NEVER_CRAWLED
    assert "this source was never crawled" in never.summary
    assert "disabled" in never.notes[0]


def test_an_address_of_no_source_names_the_hosts_there_are(crawl: Crawl, website: Website, why: Asking) -> None:
    found = why("https://mil.example/wheel")
    assert (found.source, found.verdict) == ("", Verdict.OFF_SITE)
    assert "no source has the host mil.example" in found.summary
    assert found.near == ("mill.example",)
    with pytest.raises(NotFound, match="'mill'"):
        why("/wheel", named="mil")


def test_an_unknown_address_offers_near_ones(site: Website, crawl: Crawl, why: Asking) -> None:
    crawl(**KEYS)
    assert f"{OWN}/wheel" in why("/wheels").near
    # one that is known, though it has no document
    assert why("/broken/").near == (f"{OWN}/broken",)


def test_each_source_that_has_the_host_answers(site: Website, crawl: Crawl, tmp_path: Path) -> None:
    crawl(**KEYS)
    with records(tmp_path, source(), source("mill-blog", url_include=["/blog/**"])) as known:
        found = explain(f"{OWN}/wheel", known, principal=PUBLIC)
    assert [(one.source, one.verdict) for one in found] == [
        ("mill", Verdict.INDEXED),
        ("mill-blog", Verdict.EXCLUDED),
    ]


def test_a_source_without_a_file_still_answers_for_what_it_left(site: Website, crawl: Crawl, why: Asking) -> None:
    crawl(**KEYS)
    found = why("/wheel", source("barn", base_url="https://barn.example"))
    assert (found.source, found.verdict) == ("mill", Verdict.INDEXED)
    assert "contentbot prune mill" in found.notes[0]


def test_what_waits_in_the_outbox_or_was_refused_says_so(
    website: Website, crawl: Crawl, why: Asking, tmp_path: Path
) -> None:
    website.sitemap("/sitemap.xml", "/wheel")
    website.page("/wheel")
    crawl(**KEYS)
    outbox = Outbox(tmp_path / "data" / "outbox.db")
    outbox.keep([letter_of(parcel("/new")), letter_of(parcel("/odd"), refused="too odd"), letter_of(parcel("/wheel"))])
    outbox.close()
    waiting, refused = why("/new"), why("/odd")
    assert waiting.verdict is Verdict.WAITING
    assert "waits in the outbox" in waiting.summary
    assert (refused.verdict, refused.detail) == (Verdict.REFUSED, "too odd")
    assert "a newer text waits in the outbox" in why("/wheel").notes


def test_a_lost_index_says_that_the_next_run_sends_the_page_again(
    website: Website, crawl: Crawl, why: Asking, tmp_path: Path
) -> None:
    website.sitemap("/sitemap.xml", "/wheel")
    website.page("/wheel")
    crawl(**KEYS)
    (tmp_path / "index").rename(tmp_path / "lost")
    found = why("/wheel")
    assert found.verdict is Verdict.MISSING
    assert "the next run sends it again" in found.summary


def test_a_document_that_the_caller_may_not_read_looks_as_if_it_were_not_there(
    website: Website, crawl: Crawl, why: Asking, tmp_path: Path
) -> None:
    website.sitemap("/sitemap.xml", "/wheel")
    website.page("/wheel")
    crawl(**KEYS)
    hidden, unknown = document("/secret", role="editors"), why("/nothing-like-it")
    with open_index(f"tantivy:{tmp_path / 'index'}") as index:
        index.upsert([hidden])
    with open_state(f"sqlite:///{tmp_path / 'data' / 'state.db'}") as state:
        state.pages.put([page("/secret", hidden), page("/way-to-it", hidden)])
    outbox = Outbox(tmp_path / "data" / "outbox.db")
    outbox.keep([letter_of(Waiting(hidden, [page("/secret", hidden)]))])
    outbox.close()
    for path in ("/secret", "/way-to-it", "/secret/"):
        found = why(path)
        assert found.verdict is Verdict.NOT_LISTED
        assert found.summary == unknown.summary
        assert (found.since, found.last_seen, found.listed_as, found.notes) == ("", "", (), ())
        assert not any("secret" in near for near in found.near)


def document(path: str, role: str = "") -> ContentDocument:
    url, access = OWN + path, AccessRule(identity_type=IdentityType.ROLE, identity=role, access=Access.READ)
    values = {"access": [access]} if role else {}
    key = document_key("mill", url)
    return ContentDocument(
        id=f"mill:{path[1:]}",
        key=key,
        source="mill",
        url=url,
        path=path,
        title=path,
        body="x",
        plain_text="x",
        **values,
    )


def page(path: str, of: ContentDocument) -> PageState:
    return PageState("mill", OWN + path, PageStatus.INDEXED, document_key=of.key, document_url=of.url, final_url=of.url)


def parcel(path: str) -> Waiting:
    one = document(path)
    return Waiting(one, [page(path, one)])


def test_a_page_that_the_rules_refuse_is_told_with_the_rule(website: Website, crawl: Crawl, why: Asking) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a")
    crawl(sitemaps="/sitemap.xml", rules={"min-words": 500})
    told = why("/a", source(rules={"min-words": 500}))
    assert (told.verdict, told.reason, told.rule) == (Verdict.FILTERED, "too_few_words", "rules.min-words")
    assert "fewer than 500" in told.detail
    assert "too short" in told.summary


def test_a_document_that_todays_rules_refuse_is_told_to_go(website: Website, crawl: Crawl, why: Asking) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.page("/a")
    crawl(sitemaps="/sitemap.xml")
    told = why("/a", source(rules={"languages": "de"}))
    assert told.verdict is Verdict.INDEXED
    assert any("rules.languages" in note and "deletes it" in note for note in told.notes)
