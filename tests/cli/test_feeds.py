import json
from pathlib import Path

import pytest

from contentbot.cli import run
from contentbot.sources.loader import load_source, load_sources
from contentbot.sources.models import FeedSource
from tests.cli.conftest import environment_for
from tests.feeds.served import LONG, OWN, item, rss
from tests.site.server import Answer, Website, article

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def mill(tmp_path: Path, website: Website, monkeypatch: pytest.MonkeyPatch) -> Website:
    """A site with a feed, and a folder with the source of it."""
    folder = tmp_path / "sources"
    folder.mkdir()
    file = f"id: mill\ntype: feed\nfeeds: {OWN}/feed.xml\nurl-exclude: /ads/**\nrate-limit: off\n"
    (folder / "mill.yaml").write_text(file, encoding="utf-8")
    for name, value in environment_for(tmp_path / "data", folder).items():
        monkeypatch.setenv(name, value)
    teaser = "<description>The miller […]</description>"
    feed = rss(item("/a", "Whole", LONG), item("/b", "Teaser", more=teaser), item("/ads/c", text=LONG))
    website.answer("/feed.xml", Answer(feed, content_type="application/rss+xml"))
    website.page("/b", article("Teaser", LONG))
    return website


def tried(capsys: Capture, mill: Website, path: str) -> dict[str, object]:
    assert run(["try", f"{OWN}{path}", "--source", "mill", "--base-url", mill.origin, "--json"]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_a_feed_is_shown_item_by_item(mill: Website, capsys: Capture) -> None:
    told = tried(capsys, mill, "/feed.xml")
    assert told["feed"]["version"] == "rss20"  # type: ignore[index]
    rows = [(row["url"], row["textFrom"], row["reason"]) for row in told["items"]]  # type: ignore[attr-defined]
    assert rows == [
        (f"{OWN}/a", "feed", "included"), (f"{OWN}/b", "page", "included"), (f"{OWN}/ads/c", "feed", "excluded"),
    ]  # fmt: skip
    assert run(["try", f"{OWN}/feed.xml", "--base-url", mill.origin]) == 0
    assert "Teaser" in capsys.readouterr().out


@pytest.mark.parametrize(("path", "kind"), [("/a", "feed"), ("/b", "html")])
def test_an_item_is_shown_as_the_crawl_would_read_it(mill: Website, capsys: Capture, path: str, kind: str) -> None:
    told = tried(capsys, mill, path)
    assert (told["document"]["kind"], told["included"]) == (kind, True)  # type: ignore[index]
    assert LONG.strip() in told["document"]["body"]  # type: ignore[index]


def test_what_is_no_feed_is_said(mill: Website, capsys: Capture) -> None:
    mill.page("/feed.xml", article("Sorry"))
    assert run(["try", f"{OWN}/feed.xml", "--base-url", mill.origin]) == 1
    assert "not_a_feed" in capsys.readouterr().err


OPML = """<?xml version="1.0"?><opml version="1.0"><head><title>Mine</title></head><body>
<outline text="Water"><outline text="Mills"><outline type="rss" text="Wheel &amp; weir" xmlUrl="https://one.example/feed"/>
</outline><outline title="Wheel &amp; weir" xmlUrl="feed://two.example/rss"/></outline>
<outline text="Again" xmlUrl="https://ONE.example/feed"/><outline text="Known" xmlUrl="https://mill.example/feed.xml"/>
<outline text="水車" xmlUrl="feed:https://three.example/feed"/><outline text="Bad" xmlUrl="gopher://old.example/x"/>
</body></opml>"""


def test_a_list_of_feeds_becomes_source_files(mill: Website, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "list.opml").write_text(OPML, encoding="utf-8")
    assert run(["sources", "import-opml", str(tmp_path / "list.opml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["written"] == ["three-example.yaml", "wheel-weir-2.yaml", "wheel-weir.yaml"]
    assert told["known"] == ["https://mill.example/feed.xml"]
    assert list(told["refused"]) == ["gopher://old.example/x"]
    sources = load_sources(tmp_path / "sources")
    assert {name: one.feeds for name, one in sources.items() if isinstance(one, FeedSource)} == {
        "mill": [f"{OWN}/feed.xml"],
        "three-example": ["https://three.example/feed"],
        "wheel-weir": ["https://one.example/feed"],
        "wheel-weir-2": ["https://two.example/rss"],
    }
    assert sources["wheel-weir"].title == "Wheel & weir"
    # a second time there is nothing new
    assert run(["sources", "import-opml", str(tmp_path / "list.opml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == []


def test_a_list_becomes_one_source_where_that_is_wanted(mill: Website, tmp_path: Path) -> None:
    (tmp_path / "list.opml").write_text(OPML, encoding="utf-8")
    where = tmp_path / "elsewhere"
    arguments = ["sources", "import-opml", str(tmp_path / "list.opml"), "--output", str(where), "--together", "all"]
    assert run(arguments) == 0
    source = load_source(where / "all.yaml")
    assert isinstance(source, FeedSource)
    assert len(source.feeds) == 4


def test_what_is_no_list_is_refused(mill: Website, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "list.opml").write_text("<html/>", encoding="utf-8")
    assert run(["sources", "import-opml", str(tmp_path / "list.opml")]) == 2
    assert "no OPML: the root element is <html>" in capsys.readouterr().err
