"""What a page's own style sheets hide: the names of classes and ids that are never shown.

Only rules that hold on every screen and for a single name are believed (`.x`, `#x`, `p.x`); a name that another rule
shows again, on some screen or in some state, is one that a reader can get to see.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

_MAX_SHEET = 200_000  # characters of all sheets of a page
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_PIECE = re.compile(r"([^{}]*)([{}]|\Z)")
_SINGLE = re.compile(r"\s*(?:[a-z][a-z0-9]*)?([.#])(-?[_a-zA-Z][\w-]*)\s*")
_NAME = re.compile(r"[.#]-?[_a-zA-Z][\w-]*")
_HIDES = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!\s*important\s*)?(?:;|$)", re.I)
_SHOWS = re.compile(r"(?:^|;)\s*(?:display\s*:\s*(?!none)\w|visibility\s*:\s*visible)", re.I)


@dataclass(frozen=True, slots=True)
class HiddenNames:
    """Classes and ids, without their sign."""

    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.classes or self.ids)

    def __contains__(self, element: HtmlElement) -> bool:
        names = (element.get("class") or "").split()
        return (element.get("id") or "") in self.ids or not self.classes.isdisjoint(names)


def hidden_names(tree: HtmlElement) -> HiddenNames:
    """Read the `<style>` elements of a page."""
    css = "\n".join(
        style.text or "" for style in tree.iter("style") if (style.get("media") or "all") in ("all", "screen")
    )
    if "none" not in css.lower() and "hidden" not in css.lower():
        return HiddenNames()
    hidden, shown = set[str](), set[str]()
    for selectors, declarations, conditional in _rules(_COMMENT.sub(" ", css[:_MAX_SHEET])):
        if _HIDES.search(declarations) and not conditional:
            hidden.update(f"{one[1]}{one[2]}" for one in map(_SINGLE.fullmatch, selectors.split(",")) if one)
        elif _SHOWS.search(declarations):
            shown.update(_NAME.findall(selectors))
    never = hidden - shown
    return HiddenNames(
        frozenset(name[1:] for name in never if name[0] == "."), frozenset(name[1:] for name in never if name[0] == "#")
    )


def _rules(css: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the selectors and declarations of every rule, and whether it is inside of another block."""
    open_blocks: list[str] = []
    for piece in _PIECE.finditer(css):
        text, mark = piece[1], piece[2]
        if mark == "{":
            open_blocks.append(text.rpartition(";")[2].strip())
        elif mark == "}" and open_blocks:
            selectors = open_blocks.pop()
            if not selectors.startswith("@"):
                yield selectors, text.strip(), bool(open_blocks)
