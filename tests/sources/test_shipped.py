"""The source files that ship, and the schema they are written by."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from contentbot.sources.loader import load_source, load_sources, source_files
from contentbot.sources.schema import source_schema
from contentbot.sources.scope import Scope
from contentbot.sources.yamltree import read_yaml

FOLDER = Path(__file__).parents[2] / "sources"


@pytest.mark.parametrize("file", source_files(FOLDER), ids=lambda file: str(file.stem))
def test_every_shipped_file_is_a_source_of_its_own_name(file: Path) -> None:
    assert load_source(file).id == file.stem


@pytest.mark.parametrize("file", source_files(FOLDER), ids=lambda file: str(file.stem))
def test_every_shipped_file_fits_the_schema_for_editors(file: Path) -> None:
    Draft202012Validator(source_schema()).validate(read_yaml(file).data)


@pytest.mark.parametrize(
    "change",
    [{"url-inlcude": "/a"}, {"type": "web"}, {"max-depth": "deep"}, {"id": "A B"}, {"locale": {"defualt": "de"}}],
)
def test_the_schema_refuses_what_the_loader_refuses(change: dict[str, Any]) -> None:
    good = {"id": "mill", "type": "website", "base-url": "https://mill.example"}
    schema = Draft202012Validator(source_schema())
    assert schema.is_valid(good)
    assert not schema.is_valid(good | change)


def test_every_key_of_the_schema_is_described() -> None:
    types = [source_schema()["$defs"][name] for name in ("WebsiteSource", "FeedSource")]
    assert [name for one in types for name, key in one["properties"].items() if not key.get("description")] == []


@pytest.mark.parametrize(
    ("source", "included", "left_out"),
    [
        (
            "open-elements",
            ["/posts/2026/03/12/slug", "/en/posts/2011/07/15/slug", "/de/posts/2026/02/10/jahresrückblick"],
            [
                "/",
                "/de",
                "/posts",
                "/en/posts",
                "/de/posts",
                "/posts/",
                "/posts/2026-03-12-slug",
                "/about",
                "/posts/2026/03/12/a/b",
            ],
        ),
        (
            "demo",
            ["/news/2026/02/flour-day", "/guide/visiting", "/en/guide/visiting", "/de/news/2026/03/mühlentag"],
            ["/", "/news", "/news/drafts/winter-plans", "/workshop/keys"],
        ),
        ("hiero", ["/blog/hip-1195"], ["/", "/blog", "/blog/", "/heroes", "/blog/tags/hip"]),
        (
            "support-and-care",
            ["/support-care", "/support-care/maven", "/support-care-temurin", "/de/support-care", "/en/support-care"],
            ["/", "/contact", "/posts/2026/03/12/support-care", "/de"],
        ),
    ],
)
def test_the_shipped_rules_draw_the_line_where_they_should(
    source: str, included: list[str], left_out: list[str]
) -> None:
    declared = load_sources(FOLDER)[source]
    scope, origin = Scope(declared), declared.base_url.split("/support")[0].rstrip("/")
    assert [path for path in included if not scope.decide(origin + path).included] == []
    assert [path for path in left_out if scope.decide(origin + path).included] == []


def test_a_post_that_redirects_to_the_listing_stays_out() -> None:
    scope = Scope(load_sources(FOLDER)["open-elements"])
    gone = scope.decide("https://open-elements.com/en/posts/2011/01/01/gone", "https://open-elements.com/posts")
    assert (gone.reason, gone.rule) == ("excluded", "/posts")
