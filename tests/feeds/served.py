"""Feeds of a mill, as several generators would write them."""

import json
from html import escape
from typing import Any

OWN = "https://mill.example"
LONG = "The miller opens the sluice at dawn, and the wheel begins to turn with a groan. " * 6


def rss(*items: str, head: str = "", version: str = "2.0") -> bytes:
    """Return an RSS feed of these items."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><rss version="{version}" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Mill notes</title>'
        f"<link>{OWN}/</link><description>Notes</description>{head}{''.join(items)}</channel></rss>"
    ).encode()


def item(path: str, title: str = "", text: str = "", more: str = "") -> str:
    """Return an item with its whole text, unless it is empty."""
    content = f"<content:encoded>{escape(f'<p>{text}</p>')}</content:encoded>" if text else ""
    named = title or path.strip("/").title()
    return f"<item><title>{escape(named)}</title><link>{OWN}{path}</link><guid>{OWN}{path}</guid>{content}{more}</item>"


def atom(*entries: str, attributes: str = "", head: str = "") -> bytes:
    """Return an Atom feed of these entries."""
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom" {attributes}><title>Mill notes</title>'
        f'<link href="{OWN}/"/><id>urn:mill</id><updated>2026-03-12T08:00:00Z</updated>{head}{"".join(entries)}</feed>'
    ).encode()


def json_feed(*items: dict[str, Any], **more: Any) -> bytes:
    """Return a JSON Feed."""
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Mill notes", "items": list(items), **more}
    return json.dumps(feed).encode()
