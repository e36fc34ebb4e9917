"""The words of HTML that the classifier of blocks knows, as numbers."""

from contentbot.extract.tree import BLOCKS

# a text ends where one of these begins or ends
BREAKING = BLOCKS | {"button", "label"}
# no text for a reader, or text of another kind
SKIPPED = frozenset(
    [
        *["head", "script", "style", "template", "svg", "math", "canvas", "object", "audio", "video", "iframe"],
        *["select", "textarea", "input", "noscript", "link", "meta"],
    ]
)
STRONG = frozenset(["b", "strong", "em", "i", "code"])

# a tag is the number of its place; every other one is -1
_TAGS = (
    *["div", "p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dd", "dt", "blockquote", "pre", "figcaption"],
    *["button", "label", "summary", "section", "article", "header", "footer", "aside", "nav", "main", "form"],
    *["address", "body", "tr", "figure", "ul", "ol", "table"],
)
TAG = {name: number for number, name in enumerate(_TAGS)}
HEADINGS = range(TAG["h1"], TAG["h6"] + 1)
PARAGRAPH, LIST_ITEM, PREFORMATTED = TAG["p"], TAG["li"], TAG["pre"]
ROW, CELLS = TAG["tr"], (TAG["td"], TAG["th"])

# what a block is inside of: one bit for each family of tags
_FAMILIES = (
    *[("nav",), ("footer",), ("aside", "dialog"), ("header",), ("article",), ("main",), ("form",), ("table", "td")],
    *[("li", "ol", "ul"), ("section",), ("figure",), ("blockquote",), ("details", "summary"), ("button",)],
    *[("h1", "h2", "h3", "h4", "h5", "h6"), ("pre",), ("dl",), ("label",)],
)
FAMILY = {tag: 1 << bit for bit, family in enumerate(_FAMILIES) for tag in family}
FAMILY_NAMES = tuple(family[0] for family in _FAMILIES)
# https://www.w3.org/TR/html-aria/: what says the same without the element
ROLE = {
    "navigation": FAMILY["nav"],
    "contentinfo": FAMILY["footer"],
    "complementary": FAMILY["aside"],
    "banner": FAMILY["header"],
    "main": FAMILY["main"],
    "article": FAMILY["article"],
    "dialog": FAMILY["aside"],
    "search": FAMILY["form"],
}
# parts of a page that do not tell two lists of the same make apart
NEUTRAL = frozenset(["section", "article", "main"])
