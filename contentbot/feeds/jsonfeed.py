"""JSON Feed 1.0 and 1.1 (jsonfeed.org/version/1.1), which feedparser does not read."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from contentbot.documents import Enclosure, FeedItem
from contentbot.errors import NotAFeed
from contentbot.feeds.feed import Feed
from contentbot.feeds.values import address, as_html, as_text, author_names, distinct, iso_date, number, seconds

_VERSION = "https://jsonfeed.org/version/"


def is_json(text: str) -> bool:
    """Say whether an object in JSON stands there."""
    return text.lstrip("\ufeff\t\n\r ").startswith("{")


def read_json_feed(text: str, url: str, max_items: int) -> Feed:
    """Read a JSON Feed.

    Raises:
        NotAFeed: it is no JSON, or JSON of another kind.
    """
    try:
        feed = json.loads(text.lstrip("\ufeff\t\n\r "), strict=False)
    except (ValueError, RecursionError) as error:
        raise NotAFeed("not_a_feed", f"damaged JSON: {error}") from error
    items = feed.get("items")
    if not isinstance(items, list) or not (_text(feed, "version").startswith(_VERSION) or "feed_url" in feed):
        raise NotAFeed("not_a_feed", "JSON stands there that is no JSON Feed")
    entries = [item for item in items if isinstance(item, dict)]
    return Feed(
        url=url,
        title=as_text(_text(feed, "title")),
        version="json",
        site=address(_text(feed, "home_page_url"), url),
        language=_text(feed, "language"),
        items=tuple(_item(entry, feed, url) for entry in entries[:max_items]),
        more=max(0, len(entries) - max_items),
    )


def _item(entry: Mapping[str, Any], feed: Mapping[str, Any], url: str) -> FeedItem:
    language = _text(entry, "language") or _text(feed, "language")
    link = address(_text(entry, "url"), url) or address(_text(entry, "external_url"), url)
    html, plain, summary = _text(entry, "content_html"), _text(entry, "content_text"), _text(entry, "summary")
    enclosures = tuple(_enclosures(entry, url))
    title = as_text(_text(entry, "title"))
    published, updated = (_date(entry, name, language) for name in ("date_published", "date_modified"))
    identity = str(entry.get("id") or link).strip()
    pictures = [one.url for one in enclosures if one.media_type.startswith("image/")]
    images = [address(_text(entry, name), url) for name in ("image", "banner_image")]
    return FeedItem(
        feed=url,
        id=identity or sha256(f"{title}\n{published}\n{html}{plain}".encode()).hexdigest()[:16],
        url=link,
        title=title,
        content=html if html.strip() else as_html(plain, "text/plain"),
        summary=as_html(summary, "text/plain"),
        authors=author_names(_authors(entry)) or author_names(_authors(feed)),
        categories=distinct(tag for tag in entry.get("tags") or () if isinstance(tag, str)),
        published=published or updated,
        updated=updated,
        language=language,
        image=next((one for one in (*images, *pictures) if one), ""),
        enclosures=tuple(one for one in enclosures if not one.media_type.startswith("image/")),
        base=link or url,
        site_name=as_text(_text(feed, "title")),
    )


def _enclosures(entry: Mapping[str, Any], base: str) -> Iterator[Enclosure]:
    for one in entry.get("attachments") or ():
        if isinstance(one, dict) and (url := address(_text(one, "url"), base)):
            yield Enclosure(
                url,
                _text(one, "mime_type").lower(),
                number(one.get("size_in_bytes") or 0),
                seconds(str(one.get("duration_in_seconds") or 0)),
                as_text(_text(one, "title")),
            )


def _authors(told: Mapping[str, Any]) -> Iterator[str]:
    # version 1.0 has one author, 1.1 a list
    people = told.get("authors") or [told.get("author")]
    for one in people if isinstance(people, list) else ():
        if isinstance(one, dict):
            yield _text(one, "name")


def _date(entry: Mapping[str, Any], name: str, language: str) -> str:
    return iso_date(_text(entry, name), language)


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""
