"""Importing this module extracts one page, so that tables which libraries load late are there before pages count."""

from contextlib import suppress
from datetime import UTC, datetime

from contentbot.documents import Page
from contentbot.extract.extractor import extract
from contentbot.extract.rules import ExtractRules
from contentbot.sources.models import WebsiteSource

_PAGE = """
<html lang=de><title>Das Rad</title><article><h1>Das Rad</h1><p>Am 3. März 2024 von Ada Muster veröffentlicht.</p>
<p>Ein Rad dreht sich um seine Achse, und je runder es ist, desto leichter dreht es sich.</p></article>
"""


def warm_up() -> None:
    """Extract a page."""
    source = WebsiteSource.model_validate({"id": "warm-up", "type": "website", "base-url": "https://warm.example"})
    url, fetched = "https://warm.example/rad", datetime(2024, 4, 1, tzinfo=UTC)
    extract(Page(url, url, _PAGE.encode(), {"content-type": "text/html"}, fetched_at=fetched), ExtractRules(source))


# imported by the server that workers are forked from: an error here would leave every page without a worker
with suppress(Exception):
    warm_up()
