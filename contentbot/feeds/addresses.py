"""Under which address each item of a feed goes: the page it links to, or one made of what it has."""

from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import quote

from contentbot.documents import FeedItem
from contentbot.feeds.feed import Feed
from contentbot.feeds.values import address
from contentbot.sources.urls import clean_url


def item_addresses(feed: Feed, is_known: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, FeedItem]]:
    """Yield each item with its address, cleaned; items without any are left out.

    That is its link; without one, an id that is an address, its first file, or at last the feed's own address with the
    item's id as a query. Where several items share a link, as the entries of a changelog do, the last of them (the
    oldest) has it for itself and the others get their id added.

    Args:
        is_known: whether an earlier run has met an address: an item keeps the one that it had.
    """
    links = {id(item): _link(item) for item in feed.items}
    sharing = Counter(links.values())
    for item in feed.items:
        link = links[id(item)]
        own = _with_id(link or feed.url, item.id)
        sharing[link] -= 1
        yield (own if not link or sharing[link] or (own != link and is_known(own)) else link), item


def _link(item: FeedItem) -> str:
    files = [one.url for one in item.enclosures]
    for candidate in (item.url, *files):
        if candidate and (cleaned := _cleaned(candidate)):
            return cleaned
    return _cleaned(address(item.id, "https://no.invalid/")) if "://" in item.id else ""


def _cleaned(url: str) -> str:
    try:
        return clean_url(url) if url else ""
    except ValueError:
        return ""


def _with_id(url: str, identity: str) -> str:
    joint = "&" if "?" in url else "?"
    return clean_url(f"{url}{joint}item={quote(identity, safe='')}")
