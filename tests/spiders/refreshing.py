"""What tests of later runs share: pages with validators, sitemaps with dates, and what was asked since."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contentbot.spiders import setup
from tests.site.server import Answer, Asked, Website, article

Write = tuple[str, list[str]]
"""A write to the index: `put` with URLs, or `delete` with keys."""


def validated(html: str, **headers: str) -> Callable[[Asked], Answer]:
    """Answer as a server does that knows about ETags."""
    body = html.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:12]}"'

    def answer(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == etag:
            return Answer(status=304, headers={"ETag": etag, **headers})
        return Answer(body, headers={"ETag": etag, **headers})

    return answer


def publish(website: Website, *paths: str, sitemap: str = "/sitemap.xml") -> None:
    """Serve pages with validators, and the sitemap that lists them."""
    website.sitemap(sitemap, *paths)
    for path in paths:
        website.answer(path, validated(article(path)))


def asked_since(website: Website, number: int) -> list[str]:
    return [asked.path for asked in website.asked[number:] if asked.path != "/robots.txt"]


def again(website: Website, writes: list[Write]) -> int:
    """Forget the writes of the run before; return how many requests there were by now."""
    writes.clear()
    return len(website.asked)


def dated(*entries: tuple[str, str]) -> Answer:
    """Return a sitemap with dates."""
    urls = "".join(f"<url><loc>{path}</loc><lastmod>{date}</lastmod></url>" for path, date in entries)
    return Answer(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode())


def ago(**time: float) -> str:
    return (datetime.now(UTC) - timedelta(**time)).isoformat(timespec="seconds")


def let_days_pass(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Let the next runs begin so many days later."""

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Later":
            return cls.fromtimestamp(datetime.now(tz).timestamp() + days * 86_400, tz)

    monkeypatch.setattr(setup, "datetime", Later)
