"""Which kinds of pages a site has, going by the shapes of their paths."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LEAVES = 4
"""Pages beside each other from which their last segment is one of many, and no name of its own."""

FOLDERS = 8
"""Folders beside each other, mostly small ones, from which their name is one of many."""

_YEAR, _TWO, _NUMBER = re.compile(r"(?:19|20)\d\d"), re.compile(r"\d\d"), re.compile(r"\d+")
# folders that list what stands elsewhere
_LISTING = re.compile(
    r"/(?:tags?|topics?|categor(?:y|ies)|kategorien?|authors?|autor(?:en)?|users?|archives?|archiv|page|seite|search|suche|"
    r"feed|rss|login|cart|wp-json|comments?)(?:/|$)",
    re.IGNORECASE,
)
_RESERVED = re.compile(r"[*?#\[\]{}\\]")


@dataclass
class Cluster:
    """Pages whose paths have one shape: its Ant glob, and their addresses in the order they were listed."""

    pattern: str
    urls: list[str] = field(default_factory=list)

    @property
    def is_listing(self) -> bool:
        """Whether its folder is called as folders are that only list pages."""
        return bool(_LISTING.search(self.pattern))

    @property
    def listing(self) -> str:
        """The glob of all pages of such folders, wherever they are; empty for other kinds."""
        found = _LISTING.search(self.pattern)
        return f"/**/{found[0].strip('/')}/**" if found else ""

    @property
    def many(self) -> bool:
        """Whether it stands for a kind of page, and not for one page."""
        return "*" in self.pattern or "?" in self.pattern

    def sample(self, count: int) -> list[str]:
        """Return so many of its addresses, spread over the whole list."""
        if len(self.urls) <= count:
            return list(self.urls)
        return [self.urls[round(number * (len(self.urls) - 1) / max(1, count - 1))] for number in range(count)]


def clusters(urls: Iterable[str]) -> list[Cluster]:
    """Return the kinds of pages among these cleaned addresses, largest first."""
    paths = [(url, urlsplit(url).path.split("/")[1:]) for url in dict.fromkeys(urls)]
    found: dict[str, Cluster] = {}
    for pattern, url in _shaped(paths, ""):
        found.setdefault(pattern, Cluster(pattern)).urls.append(url)
    order = {url: number for number, (url, _) in enumerate(paths)}
    for cluster in found.values():
        cluster.urls.sort(key=order.__getitem__)
    return sorted(found.values(), key=lambda one: (-len(one.urls), one.pattern))


def shape(path: str) -> str:
    """Return the shape of one path whose numbers alone tell: `/2026/03/12/slug` is `/????/??/??/*`."""
    return "".join(f"/{_number(part) or '*'}" if part else "/" for part in path.split("/")[1:])


def _shaped(paths: Sequence[tuple[str, list[str]]], prefix: str) -> Iterable[tuple[str, str]]:
    leaves: dict[str, list[str]] = defaultdict(list)
    folders: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for url, parts in paths:
        if len(parts) == 1 or parts[1:] == [""]:
            leaves["/".join(parts)].append(url)
        else:
            folders[parts[0]].append((url, parts[1:]))
    yield from _shaped_leaves(leaves, folders, prefix)
    small = sum(len(below) <= 2 for below in folders.values())
    interchangeable = bool(prefix) and len(folders) > FOLDERS and small > len(folders) / 2
    grouped: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for name, below in folders.items():
        grouped[_number(name) or ("*" if interchangeable else _literal(name))] += below
    for name, below in grouped.items():
        yield from _shaped(below, f"{prefix}/{name}")


def _shaped_leaves(
    leaves: dict[str, list[str]], folders: dict[str, list[tuple[str, list[str]]]], prefix: str
) -> Iterable[tuple[str, str]]:
    # the page of a folder is its listing, not one of its neighbours
    own = {name for name in leaves if name.rstrip("/") in folders or not name}
    others = [name for name in leaves if name not in own]
    for name, urls in leaves.items():
        slash = "/" if name.endswith("/") and name != "/" else ""
        many = name not in own and len(others) >= LEAVES
        shaped = (_number(name.rstrip("/")) or ("*" if many else _literal(name.rstrip("/")))) + slash
        for url in urls:
            yield f"{prefix}/{shaped}", url


def _number(segment: str) -> str:
    if _YEAR.fullmatch(segment):
        return "????"
    if _TWO.fullmatch(segment):
        return "??"
    return "*" if _NUMBER.fullmatch(segment) else ""


def _literal(segment: str) -> str:
    return _RESERVED.sub(lambda sign: f"%{ord(sign[0]):02X}", segment)
