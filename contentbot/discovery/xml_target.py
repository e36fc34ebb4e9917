"""From parser events to entries: the state between two tags of an XML list of pages."""

from collections.abc import Mapping
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
# what an entry's address, last change and publication stand in, best first
_LISTED = (("loc",), ("lastmod",), ())
_FED = (
    ("origlink", "link", "guid"),  # `origLink` is the address behind a feed service's counter
    ("modified", "updated", "date", "pubdate", "published", "issued"),
    ("pubdate", "published", "issued", "date", "updated", "modified"),
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
    """Receives lxml's parser events. `drain` hands out the entries that were finished since the last call.

    Called some fifteen times for an entry: what happens here is most of the cost of a long sitemap.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._bases = [(0, url)]  # with the depth of the element that set it
        self._ready: list[Entry] = []
        self._names: frozenset[str] = frozenset()
        self._lists: list[int] = []
        self._depth = 0
        self._entry: _OpenEntry | None = None
        self._field, self._length = "", 0
        self._parts: list[str] | None = None

    @property
    def complete(self) -> bool:
        """Whether there was a list, and every list that began has ended."""
        return bool(self._names) and not self._lists and self._entry is None

    def drain(self) -> list[Entry]:
        """Return the entries finished since the last call."""
        ready, self._ready = self._ready, []
        return ready

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        self._depth += 1
        namespace, name = _split(tag)
        if _XML_BASE in attributes:
            self._bases.append((self._depth, _joined(self._bases[-1][1], attributes[_XML_BASE])))
        entry = self._entry
        if name in self._names:
            self._finish()  # the end tag of the one before may have been forgotten
            self._entry = _OpenEntry(name, self._depth)
        elif entry is None:
            self._start_list(name)
        elif self._depth != entry.depth + 1:
            entry.markup |= self._field in entry.addresses
        elif name == "link" and "href" in attributes:
            entry.link(attributes, self._bases[-1][1])
        elif entry.wants(name, namespace, attributes):
            self._field, self._parts, self._length = name, [], 0

    def data(self, text: str) -> None:
        """Take text, in as many parts as the parser likes."""
        if self._parts is not None and self._length <= MAX_URL_LENGTH:
            self._parts.append(text)
            self._length += len(text)

    def end(self, _tag: str) -> None:
        """Close an element."""
        depth, entry = self._depth, self._entry
        if entry is not None:
            if depth == entry.depth:
                self._finish()
            elif self._parts is not None and depth == entry.depth + 1:
                self._keep_text(entry)
        elif self._lists and depth <= self._lists[-1]:
            self._lists.pop()
        if depth == self._bases[-1][0]:
            self._bases.pop()
        self._depth = depth - 1

    def close(self) -> None:
        """End the document; lxml wants it."""

    def _start_list(self, name: str) -> None:
        if name in _ENTRIES:
            self._names = _ENTRIES[name]
            self._lists.append(self._depth)

    def _keep_text(self, entry: "_OpenEntry") -> None:
        if text := "".join(self._parts or ()).strip():
            entry.texts[self._field] = text
        self._field, self._parts = "", None

    def _finish(self) -> None:
        if self._entry is not None:
            self._ready.extend(self._entry.read(self._url))
            self._entry, self._field, self._parts = None, "", None


class _OpenEntry:
    """What was read of one `url`, `sitemap`, `item` or `entry`."""

    __slots__ = ("addresses", "alternates", "changes", "depth", "markup", "name", "publications", "texts")

    def __init__(self, name: str, depth: int) -> None:
        self.name, self.depth, self.markup = name, depth, False
        self.addresses, self.changes, self.publications = _FIELDS[name]
        self.texts: dict[str, str] = {}
        self.alternates: dict[str, str] = {}

    def wants(self, name: str, namespace: str, attributes: Mapping[str, str]) -> bool:
        """Say whether the text of this child is an address or a date of the entry."""
        if name in self.texts or not (name in self.addresses or name in self.changes):
            return False
        if name == "guid":
            return attributes.get("isPermaLink", "true").strip().lower() == "true"
        # Google's image, video and news schemas are the ones with `sitemap-`: their `loc` is no page
        return "sitemap-" not in namespace

    def link(self, attributes: Mapping[str, str], base: str) -> None:
        """Take a `link` element: a feed's entry has its address there, a sitemap's its translations."""
        if "alternate" not in attributes.get("rel", "alternate").lower().split():
            return
        if "link" in self.addresses:
            self.texts.setdefault("link", _joined(base, attributes["href"]))
        elif language := attributes.get("hreflang", "").strip():
            self.alternates.setdefault(language, attributes["href"])

    def read(self, base: str) -> list[Entry]:
        """Return the entry, or why it is none; before it what its alternates have wrong."""
        address = _best(self.texts, self.addresses)
        url = rejected(address, "markup") if self.markup else resolve(address, base)
        if isinstance(url, Rejected):
            return [url]
        lastmod, published = _line(_best(self.texts, self.changes)), _line(_best(self.texts, self.publications))
        if self.name == "sitemap":
            return [SitemapEntry(url, lastmod)]
        if not self.alternates:
            return [PageEntry(url, lastmod, published=published)]
        alternates = {language: resolve(href, base) for language, href in self.alternates.items()}
        good = {language: found for language, found in alternates.items() if isinstance(found, str)}
        page = PageEntry(url, lastmod, good, published)
        return [*(found for found in alternates.values() if isinstance(found, Rejected)), page]


def _line(text: str) -> str:
    return " ".join(text.split())


def _best(texts: Mapping[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in texts:
            return texts[name]
    return ""
