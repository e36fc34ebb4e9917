"""Whole pages: one folder each, one test for each field of what is expected of it.

input.html      the page as it was sent
rules.yaml      `url`, and as far as needed `content-type` and the keys of a source file under `source`
expected.json   fields of the document by their stored names, or `reason` and `detail` where there is none
expected.md     the body
"""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from contentbot.errors import ExtractionError
from tests.extract.pages import document

FOLDER = Path(__file__).parent
PAGES = sorted(file.parent.name for file in FOLDER.glob("*/input.html"))
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@cache
def extracted(name: str) -> dict[str, Any]:
    """What comes of a page, under its stored names."""
    rules = yaml.safe_load((FOLDER / name / "rules.yaml").read_text(encoding="utf-8"))
    body = (FOLDER / name / "input.html").read_bytes()
    more = {"content_type": rules["content-type"]} if "content-type" in rules else {"content_type": "text/html"}
    try:
        made = document(body, rules["url"], source=rules.get("source"), fetched_at=NOW, **more)
    except ExtractionError as error:
        return {"reason": error.reason, "detail": error.detail}
    outline = [[heading.level, heading.title, heading.anchor] for heading in made.outline]
    return made.model_dump(by_alias=True, mode="json") | {"outline": outline}


def expected(name: str) -> dict[str, Any]:
    """What is expected of a page, its body included."""
    folder = FOLDER / name
    fields = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    markdown = folder / "expected.md"
    return fields | ({"body": markdown.read_text(encoding="utf-8").rstrip("\n")} if markdown.exists() else {})


@pytest.mark.parametrize(("name", "field"), [(name, field) for name in PAGES for field in expected(name)])
def test_a_page_gives_the_field_as_expected(name: str, field: str):
    assert extracted(name).get(field) == expected(name)[field]


def test_every_page_says_what_is_expected_of_it():
    assert all({"title", "reason"} & set(expected(name)) for name in PAGES)
