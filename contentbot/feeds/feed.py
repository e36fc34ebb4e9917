"""What reading a feed gives."""

from dataclasses import dataclass

from contentbot.documents import FeedItem


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed.

    Attributes:
        url: where it stands.
        version: what it is written in, such as `rss20`, `atom10` or `json`; empty when it does not say.
        items: in the feed's order, which mostly is newest first.
        more: items beyond the limit that were left out.
        damage: what was wrong with it and could be mended; empty for a sound one.
        incomplete: it ends in the middle, so that items may be missing.
    """

    url: str
    title: str = ""
    version: str = ""
    site: str = ""
    language: str = ""
    items: tuple[FeedItem, ...] = ()
    more: int = 0
    damage: str = ""
    incomplete: bool = False
