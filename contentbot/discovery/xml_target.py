"""From parser events to entries: the state between two tags of an XML list of pages."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from contentbot.discovery.entries import MAX_URL_LENGTH, Entry, PageEntry, Rejected, SitemapEntry, rejected, resolve

# the elements that are an entry, by the list that holds them
_ENTRIES = {
    "urlset": frozenset({"url", "sitemap"}),
    "sitemapindex": frozenset({"url", "sitemap"}),
    "rss": frozenset({"item"}),
    "rdf": frozenset({"item"}),
    "feed": frozenset({"entry"}),
}
# what an entry's address and date stand in, best first
_LISTED = (("loc",), ("lastmod",))
_FED = (
    ("origlink", "link", "guid"),  # `origLink` is the address behind a feed service's counter
    ("modified", "updated", "date", "pubdate", "published"),  # a change says more than a publication
)
_FIELDS = {"url": _LISTED, "sitemap": _LISTED, "item": _FED, "entry": _FED}
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


@lru_cache(maxsize=512)
def _split(tag: str) -> tuple[str, str]:
    """Return the namespace and the local name in lower case; an undeclared prefix is no part of the name."""
    namespace, _, name = tag.rpartition("}")
    return namespace, name.rpartition(":")[2].lower()


def _joined(base: str, value: str) -> str:
    found = resolve(value, base)
    return found if isinstance(found, str) else base


class ListTarget:
    """Receives lxml's parser events. `drain` hands out the entries that were finished since the last call."""

    def __init__(self, url: str) -> None:
        self._bases = [url]
        self._entries: list[Entry] = []
        self._names: frozenset[str] = frozenset()
        self._lists: list[int] = []
        self._depth = 0
        self._entry: _OpenEntry | None = None

    @property
    def complete(self) -> bool:
        """Whether there was a list, and every list that began has ended."""
        return bool(self._names) and not self._lists and self._entry is None

    def drain(self) -> list[Entry]:
        """Return the entries finished since the last call."""
        ready, self._entries = self._entries, []
        return ready

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        self._depth += 1
        namespace, name = _split(tag)
        base = self._bases[-1]
        self._bases.append(_joined(base, attributes[_XML_BASE]) if _XML_BASE in attributes else base)
        if name in _ENTRIES and self._entry is None:
            self._names = _ENTRIES[name]
            self._lists.append(self._depth)
        elif name in self._names:
            self._finish()  # its end tag was forgotten
            self._entry = _OpenEntry(name, self._depth)
        elif self._entry is not None:
            self._entry.start(name, namespace, attributes, self._depth, self._bases[-1])

    def data(self, text: str) -> None:
        """Take text, in as many parts as the parser likes."""
        if self._entry is not None:
            self._entry.data(text)

    def end(self, _tag: str) -> None:
        """Close an element."""
        if self._entry is not None:
            if self._depth == self._entry.depth:
                self._finish()
            else:
                self._entry.end(self._depth)
        if self._lists and self._depth <= self._lists[-1]:
            self._lists.pop()
        self._depth -= 1
        self._bases.pop()

    def close(self) -> None:
        """End the document; lxml wants it."""

    def _finish(self) -> None:
        if self._entry is not None:
            self._entries.extend(self._entry.read(self._bases[0]))
            self._entry = None


class _OpenEntry:
    """One `url`, `sitemap`, `item` or `entry` between its two tags."""

    def __init__(self, name: str, depth: int) -> None:
        self.name, self.depth = name, depth
        self._addresses, self._dates = _FIELDS[name]
        self._texts: dict[str, str] = {}
        self._alternates: dict[str, str] = {}
        self._field, self._length = "", 0
        self._parts: list[str] = []
        self._markup = False

    @property
    def address(self) -> str:
        """The best address, as it stands there."""
        return self._best(self._addresses)

    def start(self, name: str, namespace: str, attributes: Mapping[str, str], depth: int, base: str) -> None:
        if depth != self.depth + 1:
            self._markup = self._markup or self._field in self._addresses
        elif name == "link" and attributes.get("href"):
            self._link(attributes, base)
        elif (name in self._addresses or name in self._dates) and self._wants(name, namespace, attributes):
            self._field, self._parts, self._length = name, [], 0

    def data(self, text: str) -> None:
        if self._field and self._length <= MAX_URL_LENGTH:
            self._parts.append(text)
            self._length += len(text)

    def end(self, depth: int) -> None:
        if self._field and depth == self.depth + 1:
            if text := "".join(self._parts).strip():
                self._texts[self._field] = text
            self._field, self._parts = "", []

    def read(self, base: str) -> Iterator[Entry]:
        """Yield the entry, or why it is none; before it what its alternates have wrong."""
        if self._markup:
            yield rejected(self.address, "markup")
            return
        url = resolve(self.address, base)
        if isinstance(url, Rejected):
            yield url
        elif self.name == "sitemap":
            yield SitemapEntry(url, self._lastmod)
        else:
            alternates = {language: resolve(href, base) for language, href in self._alternates.items()}
            yield from (one for one in alternates.values() if isinstance(one, Rejected))
            good = {language: one for language, one in alternates.items() if isinstance(one, str)}
            yield PageEntry(url, self._lastmod, good) if good else PageEntry(url, self._lastmod)

    @property
    def _lastmod(self) -> str:
        return " ".join(self._best(self._dates).split())

    def _best(self, names: tuple[str, ...]) -> str:
        return next((text for name in names if (text := self._texts.get(name, ""))), "")

    def _wants(self, name: str, namespace: str, attributes: Mapping[str, str]) -> bool:
        if name in self._texts:
            return False
        if name == "guid":
            return attributes.get("isPermaLink", "true").strip().lower() == "true"
        # Google's image, video and news schemas are the ones with `sitemap-`: their `loc` is no page
        return "sitemap-" not in namespace

    def _link(self, attributes: Mapping[str, str], base: str) -> None:
        if "alternate" not in attributes.get("rel", "alternate").lower().split():
            return
        if self._addresses is _FED[0]:
            self._texts.setdefault("link", _joined(base, attributes["href"]))
        elif language := attributes.get("hreflang", "").strip():
            self._alternates.setdefault(language, attributes["href"])
