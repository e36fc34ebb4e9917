"""RSS 0.9x to 2.0 and Atom, through feedparser."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from typing import Any, cast

import feedparser

from contentbot.documents import Enclosure, FeedItem
from contentbot.feeds.feed import Feed
from contentbot.feeds.mending import mended
from contentbot.feeds.values import address, as_html, as_text, author_names, distinct, iso_date, number, seconds

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})


def read_xml_feed(text: str, url: str, max_items: int) -> Feed:
    """Read a feed in XML; raises `NotAFeed` for other XML."""
    sound = mended(text, max_items)
    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    # addresses in texts are resolved, and scripts dropped, where the texts are read
    parsed = feedparser.parse(
        BytesIO(sound.xml), response_headers=headers, resolve_relative_uris=False, sanitize_html=False
    )
    feed, entries = parsed["feed"], parsed["entries"]
    reader = _Reader(url, feed, str(parsed.get("version") or ""))
    return Feed(
        url=url,
        title=reader.title,
        version=reader.version,
        site=reader.site,
        language=reader.language,
        items=tuple(reader.item(entry) for entry in entries),
        more=sound.more,
        damage=sound.damage,
        incomplete=sound.truncated,
    )


class _Reader:
    """Reads the entries of one feed.

    feedparser's dictionaries answer for missing keys with related ones and warn about it, so that `dict.get` is used.
    """

    def __init__(self, url: str, feed: Mapping[str, Any], version: str) -> None:
        self._url, self.version = url, version
        self.title = _text(feed, "title")
        self.language = str(_get(feed, "language") or "")
        self.site = address(str(_get(feed, "link") or ""), url)
        # RSS means its editor there; Atom (RFC 4287, 4.2.1) and podcasts whoever wrote what does not name anyone
        shared = version.startswith("atom") or _get(feed, "itunes_type") or _get(feed, "itunes_explicit") is not None
        self._authors = tuple(_authors(feed)) if shared else ()

    def item(self, entry: Mapping[str, Any]) -> FeedItem:
        """Return one entry as an item."""
        link = self._link(entry)
        content, summary, base, language = self._texts(entry, link)
        published, created, updated = (
            self._date(entry, name, language) for name in ("published", "created", "updated")
        )
        enclosures = tuple(self._enclosures(entry))
        title = _text(entry, "title")
        return FeedItem(
            feed=self._url,
            id=_identity(entry, link, title, published),
            url=link,
            title=title,
            content=content,
            summary=summary,
            authors=author_names(_authors(entry)) or author_names(self._authors),
            categories=distinct(_categories(entry)),
            # a dated entry of RSS 1.0 or an Atom entry without `published` has this one date
            published=published or created or updated,
            updated=updated,
            language=language,
            image=self._image(entry, enclosures),
            enclosures=tuple(one for one in enclosures if not one.media_type.startswith("image/")),
            base=base,
            site_name=self.title,
        )

    def _texts(self, entry: Mapping[str, Any], link: str) -> tuple[str, str, str, str]:
        """Return the whole text, the summary, what their addresses start from, and their language."""
        bodies = [body for body in _get(entry, "content") or () if _is_text(body)]
        best = max(bodies, key=lambda body: len(str(body.get("value") or "")), default=None)
        detail = _get(entry, "summary_detail") or {}
        summary = str(_get(entry, "summary") or "")
        whole = str(best.get("value") or "") if best else ""
        told = best or detail or _get(entry, "title_detail") or {}
        base = address(str(told.get("base") or ""), self._url) or self._url
        # without xml:base, texts are those of the page, with its relative addresses
        base = link or base if base == self._url else base
        language = str(told.get("language") or "") or self.language
        return (
            as_html(whole, _kind(best or {})) if whole.strip() else "",
            as_html(summary, _kind(detail)) if summary.strip() and summary != whole else "",
            base,
            language,
        )

    def _date(self, entry: Mapping[str, Any], name: str, language: str) -> str:
        value = str(_get(entry, name) or "")
        return iso_date(value, language, _get(entry, f"{name}_parsed")) if value.strip() else ""

    def _link(self, entry: Mapping[str, Any]) -> str:
        alternates = [
            link for link in _get(entry, "links") or () if link.get("rel") == "alternate" and link.get("href")
        ]
        alternates.sort(key=lambda link: link.get("type") not in _HTML_TYPES)
        candidates = [_get(entry, "feedburner_origlink"), *(link["href"] for link in alternates), _get(entry, "link")]
        return next((found for one in candidates if one and (found := address(str(one), self._url))), "")

    def _enclosures(self, entry: Mapping[str, Any]) -> Iterator[Enclosure]:
        lasts, seen = seconds(str(_get(entry, "itunes_duration") or "")), set[str]()
        linked = [link for link in _get(entry, "links") or () if link.get("rel") == "enclosure"]
        media = [one for one in _get(entry, "media_content") or () if one.get("url") and not _is_picture(one)]
        for one in (*linked, *media):
            url = address(str(one.get("href") or one.get("url") or ""), self._url)
            if not url or url in seen:
                continue
            seen.add(url)
            yield Enclosure(
                url,
                str(one.get("type") or "").partition(";")[0].strip().lower(),
                number(one.get("length") or one.get("filesize") or 0),
                seconds(str(one.get("duration") or "")) or lasts,
                as_text(str(one.get("title") or "")),
            )

    def _image(self, entry: Mapping[str, Any], enclosures: Iterable[Enclosure]) -> str:
        pictured = [one.url for one in enclosures if one.media_type.startswith("image/")]
        media = [one.get("url") for one in _get(entry, "media_content") or () if _is_picture(one)]
        thumbnails = [one.get("url") for one in _get(entry, "media_thumbnail") or ()]
        named = (_get(entry, "image") or {}).get("href")
        candidates = (named, *media, *thumbnails, *pictured)
        return next((found for one in candidates if one and (found := address(str(one), self._url))), "")


def _get(entry: Mapping[str, Any], name: str) -> Any:
    return dict.get(cast("dict[str, Any]", entry), name)


def _text(entry: Mapping[str, Any], name: str) -> str:
    return as_text(str(_get(entry, name) or ""), _kind(_get(entry, f"{name}_detail") or {"type": "text/plain"}))


def _kind(detail: Mapping[str, Any]) -> str:
    return "text/plain" if detail.get("type") == "text/plain" else "text/html"


def _is_text(body: Mapping[str, Any]) -> bool:
    # what stands elsewhere, or in base64, is no text of the feed
    return str(body.get("type") or "text/html") in {"text/plain", *_HTML_TYPES} and not body.get("src")


def _is_picture(media: Mapping[str, Any]) -> bool:
    return media.get("medium") == "image" or str(media.get("type") or "").startswith("image/")


def _authors(entry: Mapping[str, Any]) -> Iterator[str]:
    people, written = [one for one in _get(entry, "authors") or () if one], str(_get(entry, "author") or "")
    if len(people) <= 1 and ("@" in written or not people):
        # feedparser cuts addresses out of it, and not all of them whole
        yield written
    else:
        yield from (str(one.get("name") or "") for one in people)


def _categories(entry: Mapping[str, Any]) -> Iterator[str]:
    for tag in _get(entry, "tags") or ():
        yield str(tag.get("label") or tag.get("term") or "")


def _identity(entry: Mapping[str, Any], link: str, title: str, published: str) -> str:
    named = " ".join(str(_get(entry, "id") or link).split())
    return named or sha256(f"{title}\n{published}\n{_get(entry, 'summary') or ''}".encode()).hexdigest()[:16]
