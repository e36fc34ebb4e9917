"""Brings what was read into one normal form, and drops what can be no document."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from contentbot.documents import ContentDocument
from contentbot.equipment import Equipment
from contentbot.pipelines.item import Extracted

_LOCALE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?:[-_.@].*)?", re.ASCII)


class ValidatePipeline:
    """Normalises locale, categories, authors and dates, and refuses a document without address, title or text."""

    def __init__(self, equipment: Equipment) -> None:
        self._equipment = equipment

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ValidatePipeline":
        """Take the spider's equipment."""
        return cls(Equipment.of(crawler))

    def process_item(self, item: Extracted) -> Extracted:
        """Return the document in normal form; raises `DropItem` with the counted reason `invalid_document`."""
        if problem := problem_of(item.document):
            self._equipment.leave(item.url, "invalid_document", problem, status=200)
            raise DropItem(f"{item.url}: {problem}")
        return replace(item, document=normalised(item.document))


def problem_of(document: ContentDocument) -> str:
    """Return why this can be no document; empty when it can."""
    if urlsplit(document.url).scheme not in {"http", "https"} or not urlsplit(document.url).netloc:
        return f"no web address: {document.url!r}"
    if not document.title.strip():
        return "no title"
    return "" if document.body.strip() else "no text"


def normalised(document: ContentDocument) -> ContentDocument:
    """Return the document with its names and dates in one form each; the same object when nothing changes."""
    changes = {
        "locale": normal_locale(document.locale),
        "categories": distinct(document.categories),
        "authors": distinct(document.authors),
        "author": normal_name(document.author),
        "published_date": normal_date(document.published_date),
        "modified_date": normal_date(document.modified_date),
    }
    changes = {name: value for name, value in changes.items() if value != getattr(document, name)}
    return ContentDocument.model_validate({**document.model_dump(), **changes}) if changes else document


def normal_locale(locale: str) -> str:
    """Return a BCP 47 tag in its usual case, such as `pt-BR` for `pt_br.UTF-8`; empty when it is none."""
    match = _LOCALE.fullmatch(locale.strip())
    if not match:
        return ""
    language, script, region = match.groups()
    return "-".join(part for part in (language.lower(), script and script.title(), region and region.upper()) if part)


def normal_name(name: str) -> str:
    """Return the name with composed letters and single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def distinct(names: Iterable[str]) -> list[str]:
    """Return the names in normal form, each once: the first spelling stays where only the case differs."""
    kept: dict[str, str] = {}
    for name in map(normal_name, names):
        if name:
            kept.setdefault(name.casefold(), name)
    return list(kept.values())


def normal_date(date: str) -> str:
    """Return the date as it is when it is ISO 8601, else nothing: a wrong date sorts worse than none."""
    try:
        datetime.fromisoformat(date)
    except ValueError:
        return ""
    return date
