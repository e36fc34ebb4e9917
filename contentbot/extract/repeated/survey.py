"""Reading the blocks of a tree: where they stand and what they say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.repeated.blocks import Block, PageBlocks, Trait, shortened
from contentbot.extract.repeated.fingerprints import BODY, place_print, text_print
from contentbot.extract.tree import BLOCKS

Side = Literal["text", "tail"]
Piece = tuple[HtmlElement, Side]

_EDGES = (BLOCKS - {"br"}) | {"caption", "legend", "menu"}
_NOT_READ = frozenset(["script", "style", "template", "noscript", "head", "svg", "select", "textarea", "iframe"])
_LEVELS = {f"h{level}": level for level in range(1, 7)}
# a list of lines and a table of data are one block each: what may be in them
_LINES = frozenset(["li", "ul", "ol", "p", "hr"])
_CELLS = frozenset(["caption", "thead", "tbody", "tfoot", "tr", "td", "th"])
_ONE_BLOCK = {
    "ul": _LINES,
    "ol": _LINES,
    "menu": _LINES,
    "table": _CELLS,
    "dl": frozenset(["dt", "dd", "p"]),
    "pre": _EDGES,
}
_HEAVIEST = 0xFFFF
_NEARLY_ALL = 0.8


@dataclass(slots=True)
class Run:
    """A block while its page is at hand.

    Attributes:
        place: the fingerprint of where it stands.
        holder: the block-level element around it.
        pieces: where its text is; empty for a block that is its holder as a whole.
    """

    place: int
    holder: HtmlElement
    text: int
    weight: int
    traits: int
    pieces: Sequence[Piece] = ()


@dataclass(slots=True)
class Places:
    """The places of a page as they are met, each after the one around it; the first is the body itself."""

    numbers: dict[int, int] = field(default_factory=lambda: {BODY: 0})
    parents: list[int] = field(default_factory=lambda: [-1])

    def add(self, place: int, parent: int) -> None:
        """Note a place, and the one around it."""
        if place not in self.numbers:
            self.numbers[place] = len(self.parents)
            self.parents.append(self.numbers[parent])


@dataclass(slots=True)
class _Open:
    """A block-level element that is being read."""

    element: HtmlElement
    place: int
    level: int = 0


class Surveyor:
    """Reads runs of text out of trees of one page.

    Args:
        url: the page's address: links to its host are links to other pages of the site.
    """

    def __init__(self, url: str) -> None:
        self.places = Places()
        self._host = urlsplit(url).netloc.lower()
        self._known: dict[tuple[int, str, str, str], int] = {}

    def runs(self, root: HtmlElement) -> list[Run]:
        """Return the runs of an element, which may be inside of a tree, in document order."""
        return _Walk(self, root).runs

    def is_inside(self, element: HtmlElement, places: frozenset[int]) -> bool:
        """Say whether an element is in one of these places."""
        return any(opened.place in places for opened in self.way_to(element))

    def way_to(self, element: HtmlElement) -> list[_Open]:
        """Return the block-level elements from the body down to an element, itself included."""
        way = [_Open(element, BODY)]
        for one in [*reversed(list(element.iterancestors())), element]:
            if one.tag in _EDGES and one.tag not in ("html", "body"):
                way.append(self.below(way[-1], one))
        return way

    def below(self, around: _Open, element: HtmlElement) -> _Open:
        """Return an element as the one that is read next inside of another."""
        key = (around.place, str(element.tag), element.get("class") or "", element.get("id") or "")
        place = self._known.get(key)
        if place is None:
            place = self._known[key] = place_print(*key)
            self.places.add(place, around.place)
        return _Open(element, place, _LEVELS.get(key[1], around.level))

    def is_within(self, href: str | None) -> bool:
        """Say whether a link leads to another page of the site."""
        if not href or href.startswith("#"):
            return False
        try:
            parts = urlsplit(href.strip())
        except ValueError:
            return False
        return parts.scheme in ("", "http", "https") and parts.netloc.lower() in ("", self._host)


class _Walk:
    """One walk over an element: what is open, and the text since the last edge of a block."""

    def __init__(self, surveyor: Surveyor, root: HtmlElement) -> None:
        self.runs: list[Run] = []
        self._surveyor, self._root = surveyor, root
        self._open = [surveyor.way_to(root)[-1]]
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._linked, self._in_link, self._broken = 0, False, False
        if _is_one_block(root):
            self._add_whole(root)
            return
        self._take(root, "text")
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if element is root:
                continue
            if event == "end":
                self._end(element)
            elif self._is_read(element):
                self._take(element, "text")
            else:
                walker.skip_subtree()
        self._flush()

    def _is_read(self, element: HtmlElement) -> bool:
        """Start an element; say whether its inside is to be walked."""
        tag = element.tag
        if tag in _EDGES:
            self._flush()
            self._open.append(self._surveyor.below(self._open[-1], element))
            if _is_one_block(element):
                self._add_whole(element)
                return False
        elif tag == "br":
            self._break()
        elif tag == "a":
            self._in_link = self._surveyor.is_within(element.get("href"))
        return tag not in _NOT_READ

    def _end(self, element: HtmlElement) -> None:
        if element.tag in _EDGES:
            self._flush()
            self._open.pop()
        elif element.tag == "a":
            self._in_link = False
        self._take(element, "tail")

    def _take(self, element: HtmlElement, side: Side) -> None:
        text = element.text if side == "text" else element.tail
        if not text:
            return
        self._texts.append(text)
        self._pieces.append((element, side))
        self._broken = self._broken and text.isspace()
        if self._in_link:
            self._linked += len("".join(text.split()))

    def _break(self) -> None:
        """Note a line break; the second in a row parts two blocks."""
        if self._broken:
            self._flush()
        else:
            self._texts.append("\n")
            self._broken = True

    def _flush(self) -> None:
        if not self._texts:
            return
        text, pieces, linked = "".join(self._texts), self._pieces, self._linked
        self._texts, self._pieces, self._linked, self._broken = [], [], 0, False
        if not text.isspace():
            self._add(text, linked, pieces)

    def _add_whole(self, element: HtmlElement) -> None:
        links = [link for link in element.iter("a") if self._surveyor.is_within(link.get("href"))]
        linked = sum(len("".join("".join(link.itertext()).split())) for link in links)
        self._add(" ".join(element.itertext()), linked, (), Trait.CODE if element.tag == "pre" else Trait.NONE)

    def _add(self, text: str, linked: int, pieces: Sequence[Piece], traits: int = 0) -> None:
        # the numbers of a table or a list are what it says
        number, weight, folded = text_print(text, fold=bool(pieces))
        if not weight:
            return
        around = self._open[-1]
        if linked and linked >= _NEARLY_ALL * len("".join(text.split())):
            traits |= Trait.LINKS
        traits |= around.level | (Trait.FOLDED if folded else 0)
        self.runs.append(Run(around.place, around.element, number, min(weight, _HEAVIEST), int(traits), pieces))


def _is_one_block(element: HtmlElement) -> bool:
    parts = _ONE_BLOCK.get(str(element.tag))
    if parts is None:
        return False
    return all(one.tag in parts or one.tag not in _EDGES for one in element.iterdescendants("*"))


def survey(around: Iterable[Run], kept: Iterable[Run], places: Places, title: str) -> PageBlocks:
    """Return what is remembered of a page.

    Args:
        around: the runs of its whole body.
        kept: those of the region that was chosen; what they say may differ where only a part of it was taken.
        places: the places of both.
        title: the document's title.
    """
    chosen = {(run.place, run.text): run for run in kept}
    found: dict[tuple[int, int], Block] = {}
    for run in (*around, *chosen.values()):
        if (key := (run.place, run.text)) not in found:
            traits = run.traits | (Trait.KEPT if key in chosen else 0)
            found[key] = Block(places.numbers[run.place], run.text, run.weight, traits)
    return PageBlocks(list(places.numbers), list(places.parents), shortened(list(found.values())), text_print(title)[0])
