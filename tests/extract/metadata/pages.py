"""Pages for the tests of metadata: written in HTML, read at a fixed time."""

from datetime import UTC, datetime

from lxml.html import HtmlElement, HTMLParser, document_fromstring

from contentbot.extract.metadata import Metadata, read_metadata

URL = "https://www.mill.example/notes/water-wheel"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def parse(html: str) -> HtmlElement:
    return document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))


def read(
    html: str, *, url: str = URL, now: datetime = NOW, headers: dict[str, str] | None = None, lastmod: str = ""
) -> Metadata:
    return read_metadata(parse(html), url=url, now=now, headers=headers or {}, lastmod=lastmod)


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'
