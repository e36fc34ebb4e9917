"""What is proposed for a site, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from contentbot.documents import ContentDocument


@dataclass
class Proposal:
    """A source file to be, with the reason for each key.

    Attributes:
        why: by key, a comment that says what the proposal goes by.
        left_out: kinds of pages that were found and are not proposed, with their number.
        expected: how many documents a crawl is expected to give.
        listed: how many addresses were found.
        looked_at: how many pages were read.
        feeds: the site's feeds: an alternative, or what tells first of new pages.
        example: one of the pages that were read, as its document would be.
    """

    id: str
    title: str = ""
    base_url: str = ""
    sitemaps: Sequence[str] | None = None
    include: Sequence[str] = ("/**",)
    exclude: Sequence[str] = ()
    match_redirects: bool = True
    selector: str = ""
    content_exclude: Sequence[str] = ()
    locale: str = ""
    prefixes: dict[str, str] = field(default_factory=dict)
    lastmod: str = "ignore"
    why: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    expected: int = 0
    listed: int = 0
    looked_at: int = 0
    feeds: Sequence[str] = ()
    example: ContentDocument | None = None

    def keys(self) -> dict[str, object]:
        """Return the keys of the source file."""
        locale: object = self.locale
        if self.prefixes:
            locale = {**({"default": self.locale} if self.locale else {}), "prefixes": dict(self.prefixes)}
        told: dict[str, object] = {
            "id": self.id,
            "type": "website",
            "title": self.title,
            "base-url": self.base_url,
            "sitemaps": list(self.sitemaps) if self.sitemaps is not None else None,
            "url-include": list(self.include),
            "url-exclude": list(self.exclude),
            "match-redirects": None if self.match_redirects else False,
            "content-selector": self.selector,
            "content-exclude": list(self.content_exclude),
            "locale": locale,
            "lastmod": self.lastmod if self.sitemaps != [] else None,
        }
        return {name: value for name, value in told.items() if value or value is False or _says(name, value)}


def _says(name: str, value: object) -> bool:
    # that there are no sitemaps is something to say
    return name == "sitemaps" and value == []
