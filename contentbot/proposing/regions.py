"""Where the content of a site's pages is: what differs from page to page, and is no link.

Text that stands on two pages of a kind is part of their frame. Of the elements that hold most of the other text, the
deepest that a short selector finds on all pages is the content.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from contentbot.extract.region import compiled
from contentbot.extract.tree import find

ENOUGH = 0.8
"""The part of the text of its own that an element has to hold to be the content of a page."""

_BLOCKS = frozenset({
    "p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "pre", "blockquote", "dt", "dd", "figcaption", "div",
    "section", "article", "main", "aside", "header", "footer", "nav", "ul", "ol", "dl", "table", "tr", "body", "form",
    "details", "summary", "figure", "button", "label",
})  # fmt: skip
_NEVER_CONTENT = ("nav", "aside", "footer", "form", "button", "dialog")
_BOXES = frozenset({"div", "section", "ul", "ol", "header", "figure", "table", "details"})
# names that style and do not mean, or that a build made up
_STYLE = re.compile(
    r"[:\[\]/!@%]|^-?(?:flex|grid|block|inline|hidden|relative|absolute|sticky|container|row|col|wrapper|w|h|m[trblxy]?|"
    r"p[trblxy]?|text|bg|font|border|rounded|shadow|max|min|gap|items|justify|space|leading|z|order|overflow|dark|sm|md|lg|"
    r"is|has|js|no|transition|animate|opacity|cursor|tracking|align|float|clearfix|active|dropcap)(?:-|$)|"
    r"^(?:css|sc|jsx|svelte|astro|emotion|styles?)-|__\w{5,}$|^_|\d{3,}|^(?=\w*\d)(?=\w*[a-z])\w{6,}$",
)
_MEANT = re.compile(r"content|prose|article|post|entry|body|text|markdown|story|document|rst", re.IGNORECASE)
_NUMBERED = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Found:
    """The content of a kind of page.

    Attributes:
        selector: what finds it; empty where nothing does on all pages.
        excludes: what inside of it is frame.
        share: the part of the pages' own text that it holds, from 0 to 1.
    """

    selector: str = ""
    excludes: tuple[str, ...] = ()
    share: float = 0.0


@dataclass
class _Weights:
    """Words of each element of a page, those below it included: of its own, and of the frame."""

    tree: HtmlElement
    own: Counter[HtmlElement] = field(default_factory=Counter)
    frame: Counter[HtmlElement] = field(default_factory=Counter)


def find_content(trees: Sequence[HtmlElement]) -> Found:
    """Return where the content is of pages of one kind, whose invisible parts are gone; three and more tell."""
    pages = _weighed(trees)
    pages = [page for page in pages if _body(page.tree) is not None and page.own[_body(page.tree)] >= 30]
    if len(pages) < 2:
        return Found()
    candidates = Counter(selector for page in pages for selector in set(_candidates(page)))
    likely = [selector for selector, count in candidates.items() if count >= 0.7 * len(pages)]
    scored = sorted(((_score(selector, pages), selector) for selector in likely), key=lambda one: -one[0])
    if not scored or scored[0][0] < ENOUGH / 2:
        return Found()
    best = [selector for score, selector in scored if score >= scored[0][0] - 0.015]
    chosen = min(best, key=_preference)
    return Found(chosen, tuple(_excludes(chosen, pages)), _share(chosen, pages))


def _weighed(trees: Sequence[HtmlElement]) -> list[_Weights]:
    blocks = [[(element, text, linked) for element, text, linked in _texts(tree)] for tree in trees]
    seen = Counter(text for page in blocks for text in {text for _, text, _ in page})
    found = []
    for tree, page in zip(trees, blocks, strict=True):
        weights = _Weights(tree)
        for element, text, linked in page:
            words = len(text.split())
            counted = weights.frame if seen[text] > 1 or linked * 2 > words else weights.own
            for holder in (element, *element.iterancestors()):
                counted[holder] += words
        found.append(weights)
    return found


def _texts(tree: HtmlElement) -> Iterator[tuple[HtmlElement, str, int]]:
    """Yield each block with the words that are its own and not those of a block inside, and how many are linked."""
    words: dict[HtmlElement, list[str]] = {}
    linked: Counter[HtmlElement] = Counter()
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        for text, place in ((element.text, element), (element.tail, element.getparent())):
            if text and text.strip() and place is not None:
                block = next((one for one in (place, *place.iterancestors()) if one.tag in _BLOCKS), place)
                words.setdefault(block, []).append(text)
                if any(one.tag == "a" for one in (place, *place.iterancestors())):
                    linked[block] += len(text.split())
    for block, texts in words.items():
        if text := " ".join(" ".join(texts).split()):
            yield block, text, linked[block]


def _body(tree: HtmlElement) -> HtmlElement | None:
    found = tree.find("body")
    return found if found is not None else None


def _candidates(page: _Weights) -> Iterator[str]:
    """Yield selectors of the elements that hold most of a page's own text."""
    body = _body(page.tree)
    whole = page.own[body]
    for element in page.own:
        if element.tag in {"html", "body"} or page.own[element] < ENOUGH * whole:
            continue
        for simple in _simple(element):
            yield simple
            for holder in ("main", "article"):
                around = [one for one in element.iterancestors() if one.tag == holder]
                for depth in range(1, len(around) + 1):
                    yield " ".join([*[holder] * depth, simple])


def _simple(element: HtmlElement) -> Iterator[str]:
    tag = str(element.tag)
    name = element.get("id") or ""
    if re.fullmatch(r"[A-Za-z][\w-]*", name) and not _NUMBERED.search(name):
        yield f"#{name}"
    for each in (element.get("class") or "").split():
        if re.fullmatch(r"[A-Za-z][\w-]*", each) and not _STYLE.search(each):
            yield f"{tag}.{each}"
    if tag in {"main", "article", "section"}:
        yield tag
    if element.get("role") == "main":
        yield "[role=main]"


def _score(selector: str, pages: Iterable[_Weights]) -> float:
    """Return how well a selector finds the content: none of it missed, and little of the frame taken."""
    scores = []
    for page in pages:
        matched = _matched(selector, page)
        own, frame = sum(page.own[one] for one in matched), sum(page.frame[one] for one in matched)
        recall = own / page.own[_body(page.tree)]
        purity = own / (own + frame) if own else 0.0
        scores.append(purity * min(1.0, recall / (ENOUGH + 0.1)) * (1.0 if len(matched) == 1 else 0.9))
    return sum(scores) / len(scores)


def _share(selector: str, pages: Sequence[_Weights]) -> float:
    shares = [sum(page.own[one] for one in _matched(selector, page)) / page.own[_body(page.tree)] for page in pages]
    return sum(shares) / len(shares)


def _matched(selector: str, page: _Weights) -> list[HtmlElement]:
    found = find(compiled(selector), page.tree)
    inside = set(found)
    return [one for one in found if not any(holder in inside for holder in one.iterancestors())]


def _preference(selector: str) -> tuple[bool, int, bool, int, str]:
    """Order selectors that find the same: a name that means content, then the shorter one."""
    parts = selector.split()
    return (
        not _MEANT.search(parts[-1]),
        len(parts),
        "." not in parts[-1] and "#" not in parts[-1],
        len(selector),
        selector,
    )


def _excludes(selector: str, pages: Sequence[_Weights]) -> Iterator[str]:
    """Yield what is frame inside of the content: by its tag, or by a name that holds nothing of the pages' own."""
    regions = [(page, one) for page in pages for one in _matched(selector, page)]
    yield from (tag for tag in _NEVER_CONTENT if any(region.find(f".//{tag}") is not None for _, region in regions))
    frames: Counter[str] = Counter()
    spoilt: set[str] = set()
    for page, region in regions:
        names: set[str] = set()
        for element in region.iterdescendants():
            # a heading or a paragraph of the same class is content elsewhere
            if element.tag not in _BOXES:
                continue
            for name in _named(element):
                if page.own[element]:
                    spoilt.add(name)
                elif page.frame[element] >= 2 and page.own[element.getparent()]:
                    names.add(name)
        frames.update(names)
    often = [name for name, count in frames.most_common() if count > len(pages) / 2 and name not in spoilt]
    yield from often[:4]


def _named(element: HtmlElement) -> Iterator[str]:
    return (one for one in _simple(element) if "." in one or one.startswith("#"))
