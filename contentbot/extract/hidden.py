"""Removal of what a page holds and no reader sees: machinery, hidden text, form controls.

Text that a reader cannot see is no content, and it is where instructions to agents are hidden. The reader is one with
a desktop screen who may press a button: closed `<details>` and panels that a visible control opens stay. Judged are
attributes, inline styles, the page's own `<style>` elements and the class names of common style sheets; linked style
sheets are not read.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.pictures import amp_to_html, restore_lazy_images
from contentbot.extract.stylesheets import HiddenNames, hidden_names
from contentbot.extract.tree import find, remove, text_length

_MACHINERY = ("script", "style", "template", "svg", "canvas", "object", "embed", "datalist", "progress", "meter", "rp")
_CONTROLS = ("button", "input", "select", "textarea", "option")
# a button in one of these is the way to write a heading that opens its section
_LABELLED = ("h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt")
_MATH_SCRIPT = re.compile(r"^\s*math/", re.IGNORECASE)

# a first look, cheap enough for every element; in lower case
_SUSPECT_NAME = re.compile(r"hid|none|sr-|reader|invisible|visible-")
_SUSPECT_STYLE = re.compile(r"display|visib|left|right|top|bottom|clip|font-size|indent|color|height")
_STYLE_HIDES = re.compile(
    r"display\s*:\s*none"
    r"|visibility\s*:\s*(?:hidden|collapse)"
    r"|(?:^|;)\s*(?:left|right|top|bottom|text-indent)\s*:\s*-\s*\d{3,}(?!\d*\s*%)"
    # a part that is drawn over what is above it or beside it is seen, and so are the slides of a show, moved by widths
    r"|(?:^|;)\s*margin-(?:top|left)\s*:\s*-\s*(?:\d{4,}|999)"
    r"|clip\s*:\s*rect\(\s*(?:[01](?:px)?[\s,]+){3}[01](?:px)?\s*\)"
    r"|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)"
    r"|(?:^|;)\s*color\s*:\s*transparent(?!.*(?:background-clip|text-shadow))",
    re.IGNORECASE,
)
_KEYWORDS = frozenset(["inherit", "initial", "unset", "revert"])
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# these hide the element's own text only as far as nothing inside asks for a size of its own
_STYLE_SHRINKS = re.compile(
    r"(?:^|;)\s*(?:font-size\s*:\s*0*(?:\.0+|[01](?:\.\d+)?px|0(?:em|rem|pt|%)?)\s*(?:;|$|!)"
    r"|(?:max-)?height\s*:\s*[01](?:px)?\s*(?:;|$|!)(?=.*overflow\s*:\s*hidden)"
    r"|overflow\s*:\s*hidden.*?(?:max-)?height\s*:\s*[01](?:px)?\s*(?:;|$|!))",
    re.IGNORECASE,
)
# for readers of screen readers only: "Skip to content", "opens in a new window", labels of icons
_SCREEN_READER = re.compile(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|show-for-sr|a11y-hidden|element-invisible|"
    r"[us]-(?:visually-)?hidden|hidden-visually)(?:\s|$)",
    re.IGNORECASE,
)
_SHOWN_AGAIN = re.compile(r"(?:^|\s)(?:sm|md|lg|xl):not-sr-only(?:\s|$)")
_HIDDEN_NAME = re.compile(
    r"(?:^|\s)(?:hide|is-hidden|display-none|hidden-(?:md|lg|desktop)|is-hidden-(?:desktop|tablet))(?:\s|$)"
)
_MOBILE_NAME = re.compile(r"(?:^|\s)visible-(?:xs|sm|mobile)(?:-\w+)*(?:\s|$)")
_WIDE_NAME = re.compile(r"(?:^|\s)visible-(?:md|lg|xl|desktop)(?:-\w+)*(?:\s|$)")
# `hidden lg:block` (Tailwind) and `d-none d-lg-block` (Bootstrap): what holds on a wide screen counts
_DISPLAY = re.compile(
    r"(?:^|\s)(?:(?P<screen>sm|md|lg|xl):|d-(?:(?P<size>sm|md|lg|xl)-)?)?"
    r"(?P<value>hidden|none|block|inline|flex|grid|inline-block|inline-flex|inline-grid|table|table-row|table-cell|contents|flow-root)"
    r"(?=\s|$)"
)
# https://react.dev/reference/react-dom/server/renderToPipeableStream
_STREAMED = re.compile(r"S:[0-9a-f]+")
# a hidden part is the page itself, that a script reveals, when it has so much of the text and the only main part
_THE_PAGE = 0.75
_MAIN = ("h1", "main", "article")
# the longest text of a `<noscript>` that says no more than that a script is needed
_PLEA = 200
_WIDTHS = ("", "sm", "md", "lg", "xl")
# parts that are folded away, one of several, until a reader presses what stands before them or beside them
_PANEL = re.compile(
    r"(?:^|[\s_-])(?:tab-?(?:pane|panel|content)s?|accordion\w*|expander\w*|expandable\w*|collaps(?:e|ible)\w*|faq\w*)"
    r"(?=[\s_-]|$)",
    re.IGNORECASE,
)
_NO_PANEL = re.compile(r"nav|menu|drawer|modal|dialog|popup|overlay|mobile|header|footer|cookie|consent", re.IGNORECASE)
# the longest text of what opens a panel
_LABEL = 200
# what opens another part of the page
_CONTROL = etree.XPath("//*[@aria-controls or @data-target or @data-bs-target or @role='tab' and @href]")
_SITE_PARTS = ("nav", "header", "footer", "dialog", "menu")
_NEVER_A_PANEL = frozenset(["nav", "dialog", "menu", "form"])
_POPUPS = frozenset(["dialog", "alertdialog", "menu", "navigation", "search", "listbox", "tooltip"])


def remove_invisible(tree: HtmlElement) -> Counter[str]:
    """Remove from a tree, in place, what no reader sees; return how many elements went, by reason."""
    removed: Counter[str] = Counter()
    never_shown = hidden_names(tree)
    _deliver_streamed(tree)
    amp_to_html(tree)
    removed["machinery"] = _remove_machinery(tree)
    restore_lazy_images(tree)
    removed["hidden"] = _remove_hidden(tree, never_shown)
    removed["form"] = _remove_forms(tree)
    removed["noscript"] = _remove_noscript(tree)
    return removed


def _deliver_streamed(tree: HtmlElement) -> None:
    """Move what React streamed to its place: it comes last and hidden, as `S:1` for a template `B:1` or `P:1`."""
    places = {place.get("id", ""): place for place in tree.iter("template")}
    for part in [part for part in tree.iter("div") if _STREAMED.fullmatch(part.get("id") or "")]:
        number = part.get("id", "")[1:]
        place = places.pop(f"B{number}", None)
        if place is None:
            place = places.pop(f"P{number}", None)
        if place is None or place.getparent() is None or part in place.iterancestors():
            continue
        part.attrib.pop("hidden", None)
        behind, place.tail = place.tail, None
        part.drop_tree()
        part.tail = behind
        place.getparent().replace(place, part)


def _remove_machinery(tree: HtmlElement) -> int:
    count = 0
    for element in list(tree.iter(*_MACHINERY)):
        if element.tag == "script" and _MATH_SCRIPT.match(element.get("type") or ""):
            continue
        if element.tag == "embed":
            # it has no inside, which libxml2 does not know: what it puts there follows
            element.drop_tag()
            count += 1
            continue
        remove(element)
        count += 1
    # the text inside is for browsers that know no such element
    for element in tree.iter("audio", "video", "iframe"):
        element.text = None
        for child in list(element.iterchildren("p", "a", "div", "span")):
            remove(child)
    return count


def _remove_noscript(tree: HtmlElement) -> int:
    """Drop `<noscript>`, except where it holds most of a page's text and is more than a plea to enable scripts."""
    fallbacks = list(tree.iter("noscript", "noframes"))
    length = sum(map(text_length, fallbacks))
    if length > _PLEA and 2 * length > text_length(_body(tree)):
        for element in fallbacks:
            element.tag = "div"
        return 0
    for element in fallbacks:
        remove(element)
    return len(fallbacks)


def _remove_hidden(tree: HtmlElement, never_shown: HiddenNames) -> int:
    suspects = [
        element for element in tree.iter("*") if _is_suspect(element) or (never_shown and element in never_shown)
    ]
    if not suspects:
        return 0
    reachable = set(_reachable(tree))
    # decided before anything is removed: some elements are judged by their neighbours
    candidates = [element for element in suspects if _is_removable(element, reachable, never_shown)]
    whole = text_length(_body(tree)) - sum(map(text_length, tree.iter("noscript")))
    doomed = [element for element in candidates if not _holds_the_page(element, whole)]
    for element in doomed:
        remove(element)
    return len(doomed)


def _is_suspect(element: HtmlElement) -> bool:
    get = element.get
    return bool(
        ((names := get("class")) and _is_suspect_name(names))
        or ((style := get("style")) and _SUSPECT_STYLE.search(style.lower()))
        or get("hidden") is not None
        or get("aria-hidden")
        or get("popover") is not None
        or element.tag == "dialog"
    )


@lru_cache(maxsize=20_000)
def _is_suspect_name(names: str) -> bool:
    return _SUSPECT_NAME.search(names.lower()) is not None


def _is_removable(element: HtmlElement, reachable: set[str], never_shown: HiddenNames) -> bool:
    if element.tag in {"html", "body", "head"} or not (_hides(element) or element in never_shown):
        return False
    if element.get("id") in reachable:
        return _is_popup(element)
    return not _is_panel(element)


def _is_panel(element: HtmlElement) -> bool:
    """Say whether an element is by its name a tab or a fold that a reader can open, with what opens it before it."""
    names = f"{element.get('class', '')} {element.get('id', '')}"
    if element.get("role") != "tabpanel" and not _PANEL.search(names):
        return False
    if _NO_PANEL.search(names) or _is_popup(element) or next(element.iterancestors(*_SITE_PARTS), None) is not None:
        return False
    return _follows_a_label(element) or _stands_beside_a_shown_one(element)


def _follows_a_label(element: HtmlElement) -> bool:
    before = element.getprevious()
    return before is not None and not _hides(before) and 0 < text_length(before) <= _LABEL


def _stands_beside_a_shown_one(element: HtmlElement) -> bool:
    parent, kind = element.getparent(), (element.tag, (element.get("class") or "").split()[:1], element.get("role"))
    return parent is not None and any(
        (other.tag, (other.get("class") or "").split()[:1], other.get("role")) == kind and not _hides(other)
        for other in parent.iterchildren("*")
        if other is not element
    )


def _hides(element: HtmlElement) -> bool:
    attributes = element.attrib
    if attributes.get("hidden", "until-found").lower() != "until-found":
        return True
    if "popover" in attributes or (element.tag == "dialog" and "open" not in attributes):
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    style = _CSS_COMMENT.sub("", attributes.get("style", ""))
    if "color" in style.lower() and _is_of_one_colour(style):
        return True
    if style and (_STYLE_HIDES.search(style) or (_STYLE_SHRINKS.search(style) and not _sets_size(element))):
        return next(element.iter("math"), None) is None
    return _class_hides(element, attributes.get("class", ""))


def _is_of_one_colour(style: str) -> bool:
    """Say whether the text has the colour of its own ground."""
    pairs = (declaration.partition(":") for declaration in style.lower().split(";"))
    said = {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}
    ground = said.get("background-color") or said.get("background")
    return bool(ground) and ground == said.get("color") and ground not in _KEYWORDS


def _sets_size(element: HtmlElement) -> bool:
    return any(child.get("style") or child.get("class") for child in element.iterdescendants("*"))


def _class_hides(element: HtmlElement, names: str) -> bool:
    if not names:
        return False
    if _SCREEN_READER.search(names):
        return not _SHOWN_AGAIN.search(names) and not _speaks_for_a_neighbour(element)
    if _HIDDEN_NAME.search(names) or (_MOBILE_NAME.search(names) and not _WIDE_NAME.search(names)):
        return True
    return _display_on_wide_screens(names) in {"hidden", "none"}


def _display_on_wide_screens(names: str) -> str:
    if "hidden" not in names and "none" not in names:
        return ""
    by_width: dict[str, str] = {}
    for match in _DISPLAY.finditer(names):
        # a bare `none` is nobody's class; `d-none` is
        if match["value"] != "none" or match[0].strip().startswith("d-"):
            by_width[match["screen"] or match["size"] or ""] = match["value"]
    return next((by_width[width] for width in reversed(_WIDTHS) if width in by_width), "")


def _speaks_for_a_neighbour(element: HtmlElement) -> bool:
    """Say whether the text stands for one beside it that is cut into pieces and hidden from screen readers."""
    parent = element.getparent()
    return parent is not None and any(
        child.get("aria-hidden") == "true" and text_length(child) > 0 for child in parent if child is not element
    )


def _reachable(tree: HtmlElement) -> Iterator[str]:
    """Yield the ids of parts that a visible control opens: tabs, accordions."""
    for control in find(_CONTROL, tree):
        if _hides(control) or not (text_length(control) or control.get("aria-label")):
            continue
        for name in ("aria-controls", "data-target", "data-bs-target", "href"):
            yield from control.get(name, "").replace("#", " ").split()


def _is_popup(element: HtmlElement) -> bool:
    return (
        element.tag in _NEVER_A_PANEL
        or element.get("role") in _POPUPS
        or "popover" in element.attrib
        or next(element.iter("nav"), None) is not None
    )


def _holds_the_page(element: HtmlElement, whole: int) -> bool:
    """Say whether hiding the element would leave nothing: pages that a script reveals, or that lie under a dialog.

    `aria-hidden` hides from screen readers only, so there half of the text is enough; elsewhere it has to be all.
    """
    length = text_length(element)
    if length == 0:
        return False
    if element.get("aria-hidden") and not element.get("style"):
        return 2 * length > whole
    return length == whole or (length >= _THE_PAGE * whole and _is_the_main_part(element))


def _is_the_main_part(element: HtmlElement) -> bool:
    body = next(element.iterancestors("body"), element)
    inside = sum(1 for _ in element.iter(*_MAIN))
    return 0 < inside == sum(1 for _ in body.iter(*_MAIN))


def _remove_forms(tree: HtmlElement) -> int:
    """Remove forms and controls; a form that wraps the page, and a heading's button, keep their text."""
    count = 0
    forms = [form for form in tree.iter("form") if next(form.iter(*_CONTROLS), None) is not None]
    whole = text_length(_body(tree)) if forms else 0
    for form in forms:
        if not _wraps(form, whole):
            remove(form)
            count += 1
    for control in list(tree.iter(*_CONTROLS)):
        if control.getparent() is None or _is_task(control):
            continue
        if control.tag == "button" and (_is_label(control) or _is_unclosed(control)):
            control.drop_tag()
        else:
            remove(control, separate=True)
    return count


def _is_label(button: HtmlElement) -> bool:
    return next(button.iterancestors(*_LABELLED), None) is not None


def _is_unclosed(button: HtmlElement) -> bool:
    """Say whether a button has swallowed what follows it, because its end tag is missing."""
    return next(button.iter(*_MAIN), None) is not None


def _is_task(control: HtmlElement) -> bool:
    """Say whether a control is the tick box of a task list."""
    return control.get("type") == "checkbox" and next(control.iterancestors("li"), None) is not None


def _wraps(form: HtmlElement, whole: int) -> bool:
    return next(form.iter("h1", "article", "main"), None) is not None or 2 * text_length(form) > whole


def _body(tree: HtmlElement) -> HtmlElement:
    body = tree.find("body")
    return tree if body is None else body
