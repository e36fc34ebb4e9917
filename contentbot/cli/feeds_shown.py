"""What `contentbot try` says of feeds: their items, and what would be read of each."""

from collections.abc import Iterable
from typing import Any

from contentbot.cli.console import note, out, print_json, say, table, visible
from contentbot.documents import FeedItem, Page
from contentbot.errors import NotAFeed
from contentbot.feeds import Feed, is_read_inline, read_feed
from contentbot.feeds.addresses import item_addresses
from contentbot.sources.models import FeedSource
from contentbot.sources.scope import Scope
from contentbot.sources.urls import clean_url


def feed_of(page: Page, rules: FeedSource) -> Feed:
    """Return the feed that was fetched; raises `NotAFeed`, whose message names the feeds of a web page."""
    try:
        return read_feed(
            page.body, page.final_url, page.content_type, max_bytes=rules.max_body_bytes, max_items=rules.max_items
        )
    except NotAFeed as error:
        named = f"{error.detail}; it names {', '.join(error.feeds)}" if error.feeds else error.detail
        raise NotAFeed(error.reason, named, error.feeds) from error


def find_item(address: str, pages: Iterable[Page], rules: FeedSource) -> FeedItem | None:
    """Return the first item of these feeds that goes under an address."""
    wanted = clean_url(address)
    for page in pages:
        try:
            found = dict(item_addresses(feed_of(page, rules)))
        except NotAFeed as error:
            note(f"{page.url}: {error}")
            continue
        if wanted in found:
            return found[wanted]
    return None


def show(feed: Feed, rules: FeedSource, *, as_json: bool) -> None:
    """Print a feed's items."""
    scope = Scope(rules)
    rows = [_row(url, item, rules, scope) for url, item in item_addresses(feed)]
    if as_json:
        print_json({"source": rules.id, "feed": _about(feed), "items": rows})
        return
    damage = f", mended: {feed.damage}" if feed.damage else ""
    say(visible(f"{feed.title or feed.url}: {feed.version or 'a feed'}, {len(feed.items)} items{damage}"))
    if feed.more:
        say(f"{feed.more} more are over max-items")
    out.print(table(("published", "title", "address", "text from", "in"), [tuple(row.values()) for row in rows]))


def _row(url: str, item: FeedItem, rules: FeedSource, scope: Scope) -> dict[str, Any]:
    decision = scope.decide(url)
    return {
        "published": item.published,
        "title": item.title,
        "url": url,
        "textFrom": "feed" if is_read_inline(item, rules.content) else "page",
        "reason": decision.reason,
    }


def _about(feed: Feed) -> dict[str, Any]:
    return {
        "url": feed.url,
        "title": feed.title,
        "version": feed.version,
        "language": feed.language,
        "damage": feed.damage,
        "incomplete": feed.incomplete,
        "more": feed.more,
    }
