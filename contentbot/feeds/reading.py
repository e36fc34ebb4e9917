"""From the bytes at a feed's address to its items, whatever kind of feed it is."""

from contentbot.discovery.feedlinks import feed_links
from contentbot.discovery.inflate import inflated
from contentbot.errors import NotAFeed
from contentbot.feeds.feed import Feed
from contentbot.feeds.jsonfeed import is_json, read_json_feed
from contentbot.feeds.mending import is_web_page, to_text
from contentbot.feeds.xmlfeed import read_xml_feed

__all__ = ["Feed", "read_feed"]


def read_feed(
    body: bytes, url: str, content_type: str = "", *, max_bytes: int = 10 << 20, max_items: int = 1_000
) -> Feed:
    """Read a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed; decided by its content, not by its Content-Type.

    What is damaged is mended as far as it can be; `Feed.damage` says what was wrong.

    Args:
        body: what was downloaded; gzip that nobody announced is removed.
        url: where it came from after redirects: what relative addresses start from.
        content_type: the Content-Type header.
        max_bytes: how much is read after inflating.
        max_items: how many of its items are taken, the first ones; `Feed.more` counts the others.

    Raises:
        NotAFeed: `not_a_feed`, with the feeds that a web page names; `empty_feed` for no bytes.
    """
    body = b"".join(inflated(body, max_bytes=max_bytes, report=lambda _: None))
    text = to_text(body, content_type)
    if not text.strip():
        raise NotAFeed("empty_feed", "nothing stands there")
    if is_json(text):
        return read_json_feed(text, url, max_items)
    if is_web_page(text):
        raise NotAFeed("not_a_feed", "a web page stands there", tuple(feed_links(body, url, content_type)))
    return read_xml_feed(text, url, max_items)
