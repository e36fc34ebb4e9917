"""`contentbot init` looks at sites that are really served, and what it writes is really crawled."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contentbot.cli import run
from contentbot.sources.loader import load_source
from contentbot.sources.models import WebsiteSource
from tests.cli.conftest import environment_for
from tests.conftest import Reactor, crawl_once, crawl_settings
from tests.site.server import Answer, Website, sitemapindex

Capture = pytest.CaptureFixture[str]
OWN = "https://mill.example"
SUBJECTS = ["wheel", "sluice", "hopper", "stone", "granary", "weir", "sack", "flour", "dam", "gear", "roof", "beam"]


def page(subject: str, text: str, language: str = "en") -> str:
    return (
        f"<!doctype html><html lang={language}><head><title>{subject} | Mill</title></head><body>"
        "<header><p>We have ground flour in the valley since the year 1702.</p><a href='/'>Home</a></header>"
        f"<main><h1>{subject}</h1><div class='post-text'>{text}</div>"
        "<section class='join'><p>Join the friends of the mill and get in for nothing.</p></section>"
        "</main></body></html>"
    )


def english(subject: str) -> str:
    return "".join(
        f"<p>The {subject} is the part number {n} of the mill that every visitor of the {subject} asks about.</p>"
        for n in range(8)
    )


def german(subject: str) -> str:
    return "".join(
        f"<p>Das ist Teil {n} der Mühle, nach dem jeder Besucher fragt, wenn er vor dem {subject} steht.</p>"
        for n in range(8)
    )


@pytest.fixture
def mill(website: Website) -> Website:
    """A site with posts in two languages, whose English ones redirect out of their folder."""
    posts, de = [f"/en/posts/2026/03/{one}" for one in SUBJECTS], [f"/de/posts/2026/03/{one}" for one in SUBJECTS[:5]]
    others = ["/", "/about", "/tag/water", "/tag/wood"]
    for one in SUBJECTS:
        website.redirect(f"/en/posts/2026/03/{one}", f"/posts/2026/03/{one}", 307)
        website.page(f"/posts/2026/03/{one}", page(one, english(one)))
        website.page(f"/de/posts/2026/03/{one}", page(one, german(one), "de"))
    links = "".join(f"<p><a href='{path}'>Go to {path}</a></p>" for path in [*posts, *others])
    for path in others:
        website.page(path, page("List", links))
    website.answer("/robots.txt", Answer(f"User-agent: *\nDisallow: /private\nSitemap: {OWN}/map.xml".encode()))
    website.answer("/map.xml", Answer(sitemapindex("/one.xml", "/two.xml"), content_type="application/xml"))
    website.sitemap("/one.xml", *posts, *others)
    website.sitemap("/two.xml", *de)
    return website


@pytest.fixture
def init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, website: Website) -> Callable[..., int]:
    """Run the command on the site that is served."""
    (tmp_path / "sources").mkdir()
    for name, value in environment_for(tmp_path / "data", tmp_path / "sources").items():
        monkeypatch.setenv(name, value)

    def init(*more: str, url: str = OWN) -> int:
        return run(["init", url, "--base-url", website.origin, "--rate-limit", "off", *more])

    return init


def written(tmp_path: Path, name: str = "mill") -> WebsiteSource:
    source = load_source(tmp_path / "sources" / f"{name}.yaml")
    assert isinstance(source, WebsiteSource)
    return source


def test_a_site_is_described_by_the_kind_of_page_that_it_is_about(
    init: Callable[..., int], mill: Website, tmp_path: Path, capsys: Capture
) -> None:
    assert init("--json") == 0
    told = json.loads(capsys.readouterr().out)
    source = written(tmp_path)
    assert sorted(source.url_include) == ["/de/posts/????/??/*", "/en/posts/????/??/*", "/posts/????/??/*"]
    assert (source.content_selector, source.match_redirects, source.sitemaps) == (["div.post-text"], False, None)
    assert (source.locale.default, source.locale.prefixes) == ("en", {"/de": "de"})
    assert told["expected"] == 17
    assert told["example"]["title"] in SUBJECTS
    assert told["leftOut"]["/tag/water"] == 1
    assert "/private" not in mill.paths()


def test_what_it_writes_is_crawled_to_the_expected_documents(
    init: Callable[..., int], mill: Website, tmp_path: Path, reactor: Reactor, capsys: Capture
) -> None:
    assert init() == 0
    assert "about 17 documents" in capsys.readouterr().err
    given = {"base_url": mill.origin, "rate_limit": "off"}
    crawled = reactor.result(crawl_once(written(tmp_path), given, crawl_settings(tmp_path)))
    assert len(crawled.documents) == 17
    document = crawled.documents[f"{OWN}/posts/2026/03/wheel"]
    assert (document.locale, document.title) == ("en", "wheel")
    assert "friends" not in document.body
    assert crawled.documents[f"{OWN}/de/posts/2026/03/wheel"].locale == "de"


def test_few_pages_are_asked_for_and_each_once(init: Callable[..., int], mill: Website) -> None:
    assert init("--pages", "6", "--output", "-") == 0
    asked = [path for path in mill.paths() if not path.endswith(".xml")]
    # home, and six pages with their redirects
    assert len(asked) <= 1 + 2 * 6
    assert len(asked) == len(set(asked))


def test_a_site_without_a_sitemap_is_looked_at_by_its_links(
    init: Callable[..., int], website: Website, tmp_path: Path
) -> None:
    links = "".join(f"<p><a href='/notes/{one}/'>{one}</a></p>" for one in SUBJECTS)
    website.page("/", page("Home", links))
    for one in SUBJECTS:
        website.page(f"/notes/{one}/", page(one, english(one)))
    assert init() == 0
    source = written(tmp_path)
    assert (source.sitemaps, source.url_include, source.content_selector) == ([], ["/notes/*/"], ["div.post-text"])


def test_a_folder_of_a_site_is_looked_at_alone(init: Callable[..., int], mill: Website, tmp_path: Path) -> None:
    assert init(url=f"{OWN}/de/posts/") == 1  # nothing stands there
    mill.page("/de/posts", page("Posts", german("Rad")))
    assert init("--id", "german", url=f"{OWN}/de/posts") == 0
    assert written(tmp_path, "german").url_include == ["/de/posts/????/??/*"]


def test_nothing_is_overwritten_unless_it_is_asked_for(
    init: Callable[..., int], mill: Website, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "sources" / "mill.yaml"
    file.write_text("id: mill\ntype: website\nbase-url: https://mill.example\n", encoding="utf-8")
    assert init() == 2
    assert "--force" in capsys.readouterr().err
    assert "url-include" not in file.read_text(encoding="utf-8")
    assert mill.asked == []
    assert init("--force") == 0
    assert "url-include" in file.read_text(encoding="utf-8")


def test_a_site_that_asks_to_stay_out_is_left_alone(
    init: Callable[..., int], website: Website, tmp_path: Path, capsys: Capture
) -> None:
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /"))
    assert init() == 1
    assert "robots.txt asks" in capsys.readouterr().err
    assert website.paths() == []
    assert list((tmp_path / "sources").iterdir()) == []


def test_a_site_without_pages_is_said_so(init: Callable[..., int], website: Website, capsys: Capture) -> None:
    website.page("/", "<html><body><div id=root></div><script src=app.js></script></body></html>")
    assert init() == 1
    assert "no pages were found" in capsys.readouterr().err


def test_a_site_that_is_down_is_said_so(capsys: Capture, empty: Path) -> None:
    assert run(["init", "http://127.0.0.1:1", "--output", "-"]) == 1
    assert "does not answer" in capsys.readouterr().err


def test_what_is_no_address_is_refused(capsys: Capture, empty: Path) -> None:
    assert run(["init", "mailto:ann@mill.example", "--output", "-"]) == 2
    assert "write the address of a site" in capsys.readouterr().err


def test_dates_that_tell_nothing_are_not_trusted(init: Callable[..., int], website: Website, tmp_path: Path) -> None:
    def listed(date: Callable[[int], str]) -> None:
        urls = "".join(f"<url><loc>/notes/{n}-x</loc><lastmod>{date(n)}</lastmod></url>" for n in range(30))
        website.answer("/sitemap.xml", Answer(f"<urlset>{urls}</urlset>".encode(), content_type="application/xml"))

    website.page("/", page("Home", english("mill")))
    for n in range(30):
        website.page(f"/notes/{n}-x", page(f"note {n}", english(f"part {n}")))
    dates: dict[str, Callable[[int], str]] = {
        "ignore": lambda _: "2026-01-01",
        "trust": lambda n: f"2026-01-{n + 1:02}T10:00:00Z",
    }
    for expected, date in dates.items():
        listed(date)
        assert init("--force") == 0
        assert written(tmp_path).lastmod == expected


def test_the_answer_in_json_is_complete(init: Callable[..., int], mill: Website, capsys: Capture) -> None:
    assert init("--json", "--output", "-") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["source"]["id"] == "mill"
    assert told["yaml"].count("\nurl-include:") == 1
    assert set(told) == {
        "file", "source", "why", "leftOut", "expected", "listed", "lookedAt", "feeds", "example", "yaml",
    }  # fmt: skip
