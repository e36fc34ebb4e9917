from pathlib import Path

import pytest

from contentbot.errors import ConfigError
from contentbot.sources.loader import load_source
from contentbot.sources.models import FeedSource
from contentbot.sources.opml import read_opml
from contentbot.sources.scope import Scope, hosts_spoken_to

OPML = (
    "<opml version='2.0'><body><outline text='Water'>"
    "<outline xmlUrl='https://mill.example/feed.xml' htmlUrl='https://mill.example/'/></outline></body></opml>"
)


def load(folder: Path, keys: str) -> FeedSource:
    file = folder / "mill.yaml"
    file.write_text(f"id: mill\ntype: feed\n{keys}", encoding="utf-8")
    source = load_source(file)
    assert isinstance(source, FeedSource)
    return source


@pytest.mark.parametrize(
    ("keys", "key", "message"),
    [
        ("title: Mill\n", "feeds", "no feed is named"),
        ("feeds: /feed.xml\n", "feeds[0]", "write it as https://www.example.org/feed.xml"),
        ("feeds: https://ann:secret@mill.example/feed.xml\n", "feeds[0]", "no place for secrets"),
        ("feeds: https://mill.example/f\nsitemaps: []\n", "sitemaps", "unknown key"),
        ("feeds: https://mill.example/f\nfeed: x\n", "feed", "did you mean feeds"),
        ("feeds: https://mill.example/f\nkeep: soon\n", "keep", "write true, false, or days as 90"),
        ("feeds: https://mill.example/f\ncontent: all\n", "content", "'auto', 'feed' or 'page'"),
        ("opml: none.opml\n", "feeds", "No such file"),
    ],
)
def test_a_wrong_value_is_named_with_key_and_way_out(tmp_path: Path, keys: str, key: str, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(tmp_path, keys)
    assert refused.value.key == key
    assert message in str(refused.value)


def test_a_list_beside_the_file_adds_its_feeds(tmp_path: Path) -> None:
    (tmp_path / "list.opml").write_text(OPML, encoding="utf-8")
    source = load(tmp_path, "opml: list.opml\nfeeds: [https://two.example/f, https://mill.example/feed.xml]\n")
    assert source.feeds == ["https://two.example/f", "https://mill.example/feed.xml"]
    assert load(tmp_path, "opml: list.opml\n").base_url == "https://mill.example/"


@pytest.mark.parametrize(
    ("written", "days"), [("true", None), ("false", 0), ("30", 30), ("30d", 30), ("2w", 14), ("'1y'", 365.25)]
)
def test_how_long_items_are_kept_is_written_as_people_do(tmp_path: Path, written: str, days: float | None) -> None:
    assert load(tmp_path, f"feeds: https://mill.example/f\nkeep: {written}\n").keep == days


def test_pages_may_be_anywhere_but_only_the_feeds_hosts_are_the_sources_own(tmp_path: Path) -> None:
    source = load(tmp_path, "feeds: feed://one.example/f, https://two.example/x,y\nurl-exclude: /ads/*\n")
    assert source.feeds == ["https://one.example/f", "https://two.example/x,y"]
    scope = Scope(source)
    assert [scope.decide(f"https://far.example{path}").reason for path in ("/a", "/ads/a")] == ["included", "excluded"]
    assert (scope.owns("https://two.example/a"), scope.owns("https://far.example/a")) == (True, False)
    assert hosts_spoken_to(source) == {"one.example", "two.example"}


def test_a_list_is_read_with_its_folders_and_passes_over_damage() -> None:
    outlines = read_opml(OPML.replace("</body>", "<outline text='& broken'></body>").encode())
    assert [(one.url, one.site, one.folders) for one in outlines] == [
        ("https://mill.example/feed.xml", "https://mill.example/", ("Water",))
    ]
