"""Callouts of documentation generators as the alerts that GitHub knows: note, tip, important, warning, caution."""

import re
from dataclasses import dataclass

from lxml.etree import _Element

from contentbot.extract.markdown.elements import classes_of, text_of, words

_KINDS = {
    "NOTE": """note info abstract summary tldr seealso example question faq help quote cite primary secondary default
        todo""",
    "TIP": "tip hint success check done",
    "IMPORTANT": "important attention",
    "WARNING": "warning warn deprecated versionchanged",
    "CAUTION": "caution danger error failure fail missing bug critical",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_MARKERS = words(
    """markdown-alert admonition theme-admonition admonitionblock custom-block callout alert book-hint hint
    starlight-aside notice notices hint-container callout-block doc-alert wp-block-alert"""
)
_JOINED = re.compile(
    r"(?:markdown-alert|theme-admonition|admonition|callout|alert|hint|starlight-aside|notice|aside)(?:--?|_)(?P<kind>[a-z]+)"
)
_TITLES = re.compile(
    r"(?:markdown-alert|admonition|callout|custom-block|alert|hint-container|hint|notice|starlight-aside)(?:-|__?)(?:title|heading|header)(?:-.*)?|admonitionHeading_.*",
    re.I,
)
_LOOKED_AT = 12
_LEARN = frozenset({"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"})


@dataclass(frozen=True, slots=True)
class Callout:
    """Kind of a callout in GitHub's words, the element with its title (None without one), and the title itself.

    The title is empty where it only repeats the kind.
    """

    kind: str
    title_element: _Element | None
    title: str


def callout_of(element: _Element) -> Callout | None:
    """Return what kind of callout an element is; None for anything else."""
    classes = classes_of(element)
    word = _kind_word(element, classes)
    if not word:
        return None
    kind = word if word in _LEARN else _KIND_OF[word]
    title = _title_of(element)
    text = " ".join(text_of(title).split()) if title is not None else ""
    return Callout(kind, title, "" if text.casefold() in (word.casefold(), kind.casefold()) else text)


def _kind_word(element: _Element, classes: list[str]) -> str:
    if learned := _LEARN.intersection(classes):
        return next(iter(learned))
    if (data := (element.get("data-callout") or "").lower()) in _KIND_OF:
        return data
    joined = [match["kind"] for word in classes if (match := _JOINED.fullmatch(word))]
    # MkDocs folds a callout by making it <details class="note">
    if not joined and not _MARKERS.intersection(classes) and element.tag != "details":
        return ""
    return next((word for word in (*joined, *map(str.lower, classes)) if word in _KIND_OF), _fallback(classes))


def _fallback(classes: list[str]) -> str:
    return "note" if "admonition" in classes or "callout" in classes else ""


def _title_of(element: _Element) -> _Element | None:
    for count, inner in enumerate(element.iter("p", "div", "span", "summary", "td", "strong", "h4", "h5")):
        if count > _LOOKED_AT:
            break
        if _is_title(inner, element):
            return inner
    first = element[0] if len(element) else None
    if first is not None and first.tag == "p" and _LEARN.intersection(classes_of(element)):
        # Microsoft Learn: the first paragraph is the kind in the page's language
        return first if len(text_of(first)) < 16 else None
    return None


def _is_title(inner: _Element, callout: _Element) -> bool:
    classes = classes_of(inner)
    if inner.tag == "summary":
        return inner.getparent() is callout
    # Asciidoctor sets callouts as a table of two cells
    return (inner.tag == "td" and "icon" in classes) or any(_TITLES.fullmatch(word) for word in classes)
