"""Taking off a page what every page of its site carries: navigation, header, footer, cookie notices, asides.

Needed where a whole `<body>` is the region: pages that are no article, such as landing pages, keep all of their text.
"""

import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.tree import find, has_text, outermost, remove, text_length

# https://www.w3.org/TR/html-aam-1.0/#el-footer: a header or footer in one of these is that part's own, not the page's
_SECTIONING = ("article", "aside", "main", "nav", "section")
_EDGES = frozenset(["header", "footer", "aside"])
_ROLES = frozenset(
    [
        *["navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar"],
        *["dialog", "alertdialog"],
    ]
)

# what consent tools and hand-made cookie notices call themselves, in lower case: looking for both cases is far slower
_CONSENT = re.compile(
    r"onetrust|cookiebot|cybotcookie|usercentrics|didomi|klaro|borlabs|cmplz|iubenda|truste|quantcast|"
    r"cc[-_](?:window|banner|revoke)|(?:cookie|consent|gdpr|dsgvo)s?[-_]?"
    r"(?:law|bar|banner|box|consent|container|dialog|disclaimer|hint|info|layer|manager|message|modal|notice|notification|"
    r"overlay|panel|popup|prompt|root|settings|toast|wall|wrapper)"
)
_CHROME = re.compile(
    r"(?:^|[\s_-])(?:bread-?crumbs?|site-?(?:header|footer|nav\w*)|page-?(?:header|footer)|global-?(?:header|footer|nav\w*)|"
    r"main-?(?:nav\w*|menu)|nav(?:bar|igation|-?menu)?|off-?canvas|mega-?menu|side-?bar|footer|skip-?(?:links?|to-?content|nav)|"
    r"pagination|pager|share(?:-?(?:buttons?|bar|links?))?|social(?:-?(?:links?|media|share|icons?|buttons?))?|"
    r"newsletter(?:-?\w+)?|related-?(?:posts?|articles?|content|stories)|back-?to-?top|scroll-?to-?top)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAMED = etree.XPath("//*[@id or @class][not(self::html or self::body or self::main or self::article)]")
# what is boilerplate by its meaning in HTML, however much of the page's text it has
_BY_MEANING = frozenset(["nav", "footer"])


def remove_consent(tree: HtmlElement) -> None:
    """Remove cookie notices and consent dialogs."""
    named = find(_NAMED, tree)
    names = [_name(element).lower() for element in named]
    # one look at all of them is cheaper than a look at each, and most pages have none
    if not _CONSENT.search("\n".join(dict.fromkeys(names))):
        return
    suspects = [element for element, name in zip(named, names, strict=True) if _CONSENT.search(name)]
    whole = text_length(tree) if suspects else 0
    for element in outermost([suspect for suspect in suspects if not _is_content(suspect, whole)]):
        remove(element)


def content_of(tree: HtmlElement) -> HtmlElement:
    """Return the body, or its one `<main>`, without what belongs to the site and not to the page."""
    remove_consent(tree)
    body = tree.find("body")
    root = tree if body is None else body
    whole = text_length(root)
    has_main = any(has_text(part) for part in root.iter("main", "article"))
    for element in outermost(
        [part for part in _boilerplate(root) if (has_main and _outside(part)) or not _is_content(part, whole)]
    ):
        remove(element)
    main = _only_main(root)
    return root if main is None else main


def _boilerplate(root: HtmlElement) -> Iterator[HtmlElement]:
    for element in root.iterdescendants("*"):
        is_edge = element.tag in _EDGES and not _inside(element, _SECTIONING)
        if is_edge or element.tag == "nav" or element.get("role") in _ROLES or _CHROME.search(_name(element)):
            yield element


def _outside(element: HtmlElement) -> bool:
    """Say whether an element is navigation or a footer that has nothing to do with the page's main part."""
    return element.tag in _BY_MEANING and next(element.iter("main", "article", "h1"), None) is None


def _inside(element: HtmlElement, tags: tuple[str, ...]) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _name(element: HtmlElement) -> str:
    return f"{element.get('id', '')} {element.get('class', '')}"


def _is_content(element: HtmlElement, whole: int) -> bool:
    """Say whether an element is too much of the page to be boilerplate, whatever it is called."""
    return element.tag in {"main", "article"} or element.find(".//main") is not None or 2 * text_length(element) > whole


def _only_main(root: HtmlElement) -> HtmlElement | None:
    mains = [main for main in root.iter("main") if not _inside(main, ("main",))]
    if len(mains) == 1 and 2 * text_length(mains[0]) > text_length(root):
        return mains[0]
    return None
