"""Bylines that a reader sees: elements marked as the author, links to a person's page, lines such as "by Ada Muster".

A byline is read piece by piece, a piece being the text between two tags: what stands behind the name in a piece of
its own (a role, a date, a share button) is no part of it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from lxml.html import HtmlElement

from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.elements import names_of, pieces_of
from contentbot.extract.metadata.names import MAX_BYLINE, clean_byline
from contentbot.extract.metadata.survey import Block, Mark, Survey

# how many blocks before the title a byline may stand, how far the parts of one may be apart, how far it may be away
_BEFORE, _TOGETHER, _FAR = 4, 3, 40

_BY = (
    rf"(?:(?:this |dieser? )?(?:{vocabulary.BYLINE_VERB}\s+)?(?:(?:was|wurde) written )?(?:by|von)\b|"
    rf"{vocabulary.AUTHOR_LABEL}\s*(?:[:：]|$)|{vocabulary.UNCASED_BY}(?=[\s:：/／]|$)|"
    rf"{vocabulary.FOREIGN_BY}\b(?=\s+(?-i:[A-ZÀ-ÝŁŚŻА-ЯІЇЄΑ-ΩĐ][\w'’.-]+(?:\s[A-ZÀ-ÝŁŚŻА-ЯІЇЄΑ-ΩĐ][\w'’.-]+){{1,3}})\s*(?:$|[,|•·–—-])|$))"
    r"\s*[:：/／]?\s*"
)
_THIS_TEXT = re.compile(r"^(?:this|dieser?) (?:post|article|entry|artikel|beitrag|eintrag)\b", re.IGNORECASE)
_SIGNED = re.compile(
    rf"^(?:(?:(?:this|dieser?) )?{vocabulary.BYLINE_VERB}\s+(?:(?:was|wurde) )?(?:written )?(?:by|von)\b|by:)",
    re.IGNORECASE,
)
_LEAD = re.compile(rf"^{_BY}(?P<name>.*)$", re.IGNORECASE)
_INSIDE = re.compile(rf"(?:[|•·,–—]\s*|\d\s+){_BY}(?P<name>(?-i:[A-ZÀ-Ý]).+)$", re.IGNORECASE)
_CONTINUES = re.compile(r"^(?:[,;&]|and\b|und\b|et\b|y\b)", re.IGNORECASE)
_EXPECTS_MORE = re.compile(r"(?:[,;&]|\band|\bund|\bet|\by)$", re.IGNORECASE)
# a sentence is no byline, unless what ends it is an initial or a degree: "Ann Low, M.D."
_SENTENCE = re.compile(r"[a-z]{3}[.!?:]\s*$")
_OTHER_PERSON = re.compile(
    r"\b(?:reviewed|edited|updated|fact[- ]checked|medically|photos?|photograph(?:y|s)?|illustrat\w+|translated|"
    r"fotos?)\b",
    re.IGNORECASE,
)
# 홍길동 기자
_BEFORE_TITLE = re.compile(r"^(?P<name>[가-힣]{2,4})\s?기자(?=\s|$)")
_AUTHOR_NAME = re.compile(rf"(?<![a-z]){vocabulary.AUTHOR_NAME}(?![a-z])")
_NO_AUTHOR_NAME = re.compile(vocabulary.OTHER_AUTHOR_NAME)


def marked(survey: Survey, title: Block | None, accepts: Callable[[HtmlElement], bool]) -> Iterator[str]:
    """Yield the names in marked elements: those that stand together behind the title, not those of the whole page."""
    first: Mark | None = None
    for mark in _by_distance(survey, title, accepts):
        parts = pieces_of(mark.element)
        name = "" if _OTHER_PERSON.search(" ".join(parts)[:60]) else name_in(parts)
        if not name:
            continue
        first = first or mark
        if abs(mark.position - first.position) <= _TOGETHER:
            yield name


def _by_distance(survey: Survey, title: Block | None, accepts: Callable[[HtmlElement], bool]) -> Sequence[Mark]:
    found = [mark for mark in survey.marks if not mark.foreign and accepts(mark.element)]
    if title is None:
        return found
    after = [mark for mark in found if mark.position >= title.position - _BEFORE]
    # behind the title in the page's order; before it only when there is nothing behind it
    return after or sorted(found, key=lambda mark: -mark.position)


def is_author_link(element: HtmlElement) -> bool:
    """Say whether a link is declared to lead to the author."""
    return "author" in (element.get("rel") or "").lower().split()


def is_author_property(element: HtmlElement) -> bool:
    """Say whether an element is the microdata property `author`."""
    return "author" in (element.get("itemprop") or "").lower().split()


def is_person_link(element: HtmlElement, host: str) -> bool:
    """Say whether a link leads to a page of this host about a person, by its address."""
    address = element.get("href") or "" if element.tag == "a" else ""
    is_own = "//" not in address or address.split("/")[2].removeprefix("www.") == host
    return is_own and bool(vocabulary.PERSON_PATH.search(address))


def is_byline_class(element: HtmlElement) -> bool:
    """Say whether class or id name a byline; `author` on the body says what kind of page it is."""
    if element.tag in ("html", "body", "main", "article", "section"):
        return False
    listed = names_of(element).split()[:10]
    return any(
        _AUTHOR_NAME.search(name) and (name.endswith(_CERTAIN_ENDINGS) or not _NO_AUTHOR_NAME.search(name))
        for name in listed
    )


# `author-box-name` is no box
_CERTAIN_ENDINGS = ("author-name", "author-box-name", "author-box--name", "author-info-name", "byline-name")


def near(survey: Survey, title: Block | None, accepts: Callable[[HtmlElement], bool]) -> Iterator[str]:
    """Yield the names in marked elements beside the title."""
    if title is None:
        return
    end = survey.end_of_top(title)
    for mark in survey.marks:
        if not mark.foreign and title.position - _BEFORE <= mark.position < end and accepts(mark.element):
            yield name_in(pieces_of(mark.element))


def written(survey: Survey, title: Block | None) -> Iterator[str]:
    """Yield the name of the first line that says by whom the page is: around the title, else under the text."""
    yield from islice(chain(at_top(survey, title), _names_after_lead(survey, filter(_is_signature, survey.blocks))), 1)


def at_top(survey: Survey, title: Block | None) -> Iterator[str]:
    """Yield the name of the first line around the title that says by whom the page is."""
    if title is not None:
        yield from islice(_names_after_lead(survey, survey.near(title, before=_BEFORE)), 1)


def _names_after_lead(survey: Survey, blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        is_sentence = _SENTENCE.search(block.text) and not (_THIS_TEXT.match(block.text) or _SIGNED.match(block.text))
        if len(block.text) <= MAX_BYLINE and not is_sentence and (name := _after_lead(survey, block)):
            yield name


def _is_signature(block: Block) -> bool:
    """Say whether a block is what stands under a text: `Posted by Ada Muster at …`."""
    return not block.foreign and bool(_SIGNED.match(block.text))


def _after_lead(survey: Survey, block: Block) -> str:
    parts = block.pieces
    for index, piece in enumerate(parts):
        if reporter := _BEFORE_TITLE.match(piece):
            return reporter["name"]
        match = _LEAD.match(piece) or _INSIDE.search(piece)
        if match is None or _OTHER_PERSON.search(piece[: match.start("name")]) or _is_other(parts[:index]):
            continue
        rest = [match["name"], *parts[index + 1 :]] if match["name"] else parts[index + 1 :]
        if not rest and block.position + 1 < len(survey.blocks):
            rest = survey.blocks[block.position + 1].pieces
        name = name_in(rest)
        # "by using this site", "von der Stadt": a name has a capital, or is a single word such as a handle
        if name and (not name[0].islower() or " " not in name):
            return name
    return ""


def _is_other(before: Sequence[str]) -> bool:
    # "Medically reviewed" and "by Ada Muster" may stand in elements of their own
    return bool(before) and bool(re.search(rf"{_OTHER_PERSON.pattern}$", before[-1], re.IGNORECASE))


def name_in(parts: Sequence[str]) -> str:
    """Return the first name in the pieces of a byline, with the names that are joined to it."""
    name = ""
    for position, part in enumerate(parts):
        if name and not (_CONTINUES.match(part) or _EXPECTS_MORE.search(name)):
            break
        if name:
            name = f"{name}{'' if part[0] in ',;' else ' '}{part}"
        elif clean_byline(part) and not _is_monogram(part, parts[position + 1 :]):
            name = part
    return clean_byline(name)


def _is_monogram(part: str, others: Sequence[str]) -> bool:
    # the initials that stand for a missing portrait
    return part.isupper() and len(part) <= 3 and bool(others)
