"""Headings: the link that leads to them, and the signs that sites put beside them to copy it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml.etree import _Element

from contentbot.extract.markdown.elements import classes_of, text_of

LEVELS = {f"h{level}": level for level in range(1, 7)}
_PERMALINK_CLASS = re.compile(
    r"anchor|headerlink|header-?anchor|heading-?anchor|anchor-?(?:link|icon|js)?|anchorjs-link|hash-link|heading-?link"
    r"|headinglink|perma-?link|direct-link|toc-anchor|section-link|td-heading-self-link|sl-anchor-link|deep-?link"
    r"|copy-link|octicon-link|selflink",
    re.I,
)
_PERMALINK_TEXT = re.compile(
    r"\W*(?:(?:perma|direct |deep|copy |anchor |section )?links?(?: (?:to|for) .*)?|anchor"
    r"|copy(?: (?:link|anchor|url).*)?|edit|top)?\W*",
    re.I | re.S,
)
_WORD = re.compile(r"[^\W_]")
_LOOKED_AT = 300


@dataclass(slots=True)
class HeadingParts:
    """What a heading is made of: its anchor, the elements that are no part of its title, and links around the title."""

    anchor: str = ""
    dropped: set[_Element] = field(default_factory=set)
    unwrapped: set[_Element] = field(default_factory=set)


def read_heading(heading: _Element) -> HeadingParts:
    """Look at a heading's links and buttons."""
    parts = HeadingParts(anchor=heading.get("id") or "")
    for count, inner in enumerate(heading.iter("a", "button", "span")):
        if count > _LOOKED_AT:
            break
        if inner.tag == "span":
            _read_span(inner, parts)
        elif inner.tag == "button" and _is_extra(heading, inner):
            parts.dropped.add(inner)
        elif inner.tag == "a":
            _read_link(heading, inner, parts)
    parts.anchor = parts.anchor or _nearby_anchor(heading)
    return parts


def _read_span(span: _Element, parts: HeadingParts) -> None:
    if "mw-editsection" in (span.get("class") or ""):
        parts.dropped.add(span)
    parts.anchor = parts.anchor or span.get("id") or ""


def _read_link(heading: _Element, link: _Element, parts: HeadingParts) -> None:
    href = link.get("href") or ""
    fragment = unquote(href.partition("#")[2])
    if not href:
        parts.anchor = parts.anchor or link.get("id") or link.get("name") or ""
        return
    if not fragment:
        return
    if is_permalink(link) and _is_extra(heading, link):
        parts.dropped.add(link)
        parts.anchor = parts.anchor or fragment
    elif href[0] == "#" and (_has_permalink_class(link) or not _is_extra(heading, link)):
        parts.unwrapped.add(link)
        parts.anchor = parts.anchor or fragment


def _is_extra(heading: _Element, part: _Element) -> bool:
    """Tell whether a heading still has words without this part of it."""
    inside = len(_WORD.findall(text_of(part)))
    return len(_WORD.findall(text_of(heading))) > inside


def _has_permalink_class(link: _Element) -> bool:
    return any(_PERMALINK_CLASS.fullmatch(word) for word in classes_of(link))


def is_permalink(link: _Element) -> bool:
    """Tell whether a link is only the sign beside a heading that leads to the heading itself."""
    if "#" not in (link.get("href") or "") or link.find(".//img") is not None:
        return False
    text = text_of(link)
    if not _WORD.search(text):
        return _has_permalink_class(link) or ((link.get("href") or "")[0] == "#" and len(text.strip()) <= 2)
    return bool(_PERMALINK_TEXT.fullmatch(text)) and (_has_permalink_class(link) or (link.get("href") or "")[0] == "#")


def _nearby_anchor(heading: _Element) -> str:
    """Return the id of an empty anchor before the heading, or of the section that the heading starts."""
    before = heading.getprevious()
    if (
        before is not None
        and before.tag in ("a", "span")
        and not text_of(before).strip()
        and not (before.tail or "").strip()
    ):
        return before.get("id") or before.get("name") or ""
    after = heading.getnext()
    if after is not None and after.tag == "a" and is_permalink(after):
        return unquote((after.get("href") or "").partition("#")[2])
    return next(_sections(heading), "")


def _sections(heading: _Element) -> Iterator[str]:
    element = heading
    for _ in range(3):
        parent = element.getparent()
        if parent is None or parent[0] is not element or (parent.text or "").strip():
            return
        if parent.tag in ("section", "div", "article") and (found := parent.get("id")):
            yield found
        element = parent
