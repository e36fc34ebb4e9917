"""Footnotes: which links call one, and where its text stands.

Markdown processors, Sphinx, MediaWiki, WordPress, Asciidoctor and word processors all write a link to a fragment and,
elsewhere on the page, an element with that id which links back. That pair is what is looked for; the words in classes
and ids only say which pairs are footnotes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import unquote

from lxml.etree import _Element

from contentbot.extract.markdown.elements import classes_of, text_of, words

_CALL_CLASSES = words(
    "footnote-ref footnote-reference footnoteref footnote noteref fn-ref footnote-link fnref simple-footnote"
)
_CALL_FRAGMENT = re.compile(
    r"(?:user-content-)?(?:_?f(?:oot)?n(?:ote)?(?:def)?|_ftn|_edn|end-?note|cite_note|note|sdfootnote|easy-footnote"
    r"|easy-footnote-bottom)s?[-_:.]?.*",
    re.I,
)
_CALL_TEXT = re.compile(
    r"\s*[\[(]?\s*(?P<label>(?:note |nb |lower-alpha )?[\w.-]{1,16}|[*†‡§¶]{1,3})\s*[\])]?\s*", re.I
)
_BACK_CLASSES = words(
    """footnote-backref footnote-return footnote-back backref fn-backref reversefootnote footnote-back-link
    data-footnote-backref mw-cite-backlink"""
)
_BACK_TEXT = re.compile(
    r"[\s\[\]()↩↵⤴↑⏎⬆^←«\ufe0e\ufe0f\u200b]+|(?:jump|back|return|go back)(?: up)?(?: to.*)?|back to (?:text|content).*",
    re.I,
)
_LABEL_CLASSES = frozenset({"label", "fn-bracket", "backrefs", "mw-cite-backlink", "footnote-number", "footnote-label"})
_BLOCKS = words("li p div aside dd tr section td")
_CONTAINER = re.compile(
    r"footnotes?(?:-list|-group|-block|s)?|wp-block-footnotes|endnotes?|references|reflist|footnote-definitions|footnotes-sep",
    re.I,
)
_NOT_LABEL = re.compile(r"[^\w.-]+")


@dataclass(slots=True)
class Footnotes:
    """Where footnotes are.

    Attributes:
        calls: the elements that call a note, with its label.
        notes: the elements that hold one, with its label.
        dropped: what is no text: links back, repeated labels, the headline over the notes.
        unwrapped: elements around calls, of which only the inside counts.
        labels: all labels.
        places: the elements that a link back may lead to.
    """

    calls: dict[_Element, str] = field(default_factory=dict)
    notes: dict[_Element, str] = field(default_factory=dict)
    dropped: set[_Element] = field(default_factory=set)
    unwrapped: set[_Element] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    places: set[_Element] = field(default_factory=set)


@dataclass(slots=True)
class _Pair:
    call: _Element
    target: _Element
    note: _Element


def find_footnotes(roots: Sequence[_Element], base_url: str) -> Footnotes:
    """Find the footnotes of one piece of a page."""
    page = base_url.partition("#")[0]
    calls = [(link, fragment) for root in roots for link in root.iter("a") if (fragment := _called(link, page))]
    footnotes = Footnotes()
    if not calls:
        return footnotes
    wanted = {fragment for _, fragment in calls}
    targets = {name: element for root in roots for name, element in _named(root) if name in wanted}
    for link, fragment in calls:
        target = targets.get(fragment)
        if target is None or (target in footnotes.places and _inside_note(link, footnotes)):
            continue
        if (note := _note_of(target, link)) is not None:
            _add(footnotes, _Pair(link, target, note))
    _clean_notes(footnotes)
    return footnotes


def _inside_note(link: _Element, footnotes: Footnotes) -> bool:
    return any(parent in footnotes.notes for parent in link.iterancestors())


def _called(link: _Element, page: str) -> str:
    href = link.get("href") or ""
    address, hash_sign, fragment = href.partition("#")
    if not hash_sign or not fragment or (address and address != page) or _is_back(link):
        return ""
    return unquote(fragment) if _is_call(link, fragment) else ""


def _is_call(link: _Element, fragment: str) -> bool:
    classes = classes_of(link)
    if (
        link.get("role") == "doc-noteref"
        or link.get("data-footnote-ref") is not None
        or _CALL_CLASSES.intersection(classes)
    ):
        return True
    if not _CALL_TEXT.fullmatch(text_of(link)):
        return False
    parent = link.getparent()
    raised = parent is not None and (
        parent.tag == "sup" or link.find("sup") is not None or "footnote" in (parent.get("class") or "")
    )
    return raised or bool(_CALL_FRAGMENT.fullmatch(fragment))


def _is_back(link: _Element) -> bool:
    if link.get("role") == "doc-backlink" or link.get("data-footnote-backref") is not None:
        return True
    return bool(_BACK_CLASSES.intersection(classes_of(link))) or bool(
        _BACK_TEXT.fullmatch(text_of(link).strip() or " ")
    )


def _named(root: _Element) -> Iterator[tuple[str, _Element]]:
    for element in root.iter():
        if (name := element.get("id") if isinstance(element.tag, str) else None) or (
            element.tag == "a" and (name := element.get("name"))
        ):
            yield name, element


def _note_of(target: _Element, call: _Element) -> _Element | None:
    """Return the element with the text of a note; None when the target is no note."""
    note: _Element | None = target
    if target.tag == "dt":
        note = target.getnext()
        return note if note is not None and note.tag == "dd" else None
    while note is not None and note.tag not in _BLOCKS and note.tag != "table":
        note = note.getparent()
    if note is None or note.getparent() is None or any(one is note for one in call.iterancestors()):
        return None
    if note.tag == "td":
        note = note.getparent()
    return note if note is not None and _is_note(note, target) else None


def _is_note(note: _Element, target: _Element) -> bool:
    if note.tag in ("li", "aside", "tr", "table", "dd"):
        return True
    classes = (note.get("class") or "") + (target.get("class") or "")
    return (
        "foot" in classes
        or "note" in classes
        or any(_is_back(link) or (link.get("href") or "")[:1] == "#" for link in note.iter("a"))
    )


def _add(footnotes: Footnotes, pair: _Pair) -> None:
    label = footnotes.notes.get(pair.note) or _new_label(pair.call, footnotes.labels)
    footnotes.notes[pair.note] = label
    footnotes.labels.add(label)
    footnotes.places.update((pair.call, *pair.call.iter("sup", "span"), *islice(pair.call.iterancestors(), 2)))
    if pair.target.tag == "dt":
        footnotes.dropped.add(pair.target)
    call, parent = pair.call, pair.call.getparent()
    if parent is not None and parent.tag in ("sup", "span") and _CALL_TEXT.fullmatch(text_of(parent)):
        call = parent
    elif parent is not None and parent.tag == "sup":
        footnotes.unwrapped.add(parent)
    footnotes.calls[call] = label


def _new_label(call: _Element, taken: set[str]) -> str:
    match = _CALL_TEXT.fullmatch(text_of(call))
    label = _NOT_LABEL.sub("-", match["label"]).strip("-") if match else ""
    if label and label not in taken:
        return label
    return next(str(number) for number in range(len(taken) + 1, 2 * len(taken) + 2) if str(number) not in taken)


def _clean_notes(footnotes: Footnotes) -> None:
    near = (one for call in footnotes.calls for one in (call, *call.iter("a", "sup"), *_parents(call)))
    calls = {name for one in near if (name := one.get("id") or one.get("name"))}
    for note, label in footnotes.notes.items():
        for inner in note.iter("a", "span", "td", "sup", "th"):
            if _is_return(inner, calls) or _repeats_label(inner, note, label):
                footnotes.dropped.add(inner)
                # Asciidoctor: the number is the link back, a full stop follows
                if inner.tail and inner.tail.startswith(". ") and inner.getprevious() is None:
                    inner.tail = inner.tail[1:]
        _drop_decoration(note, footnotes)


def _parents(call: _Element) -> Iterator[_Element]:
    parent = call.getparent()
    if parent is not None and parent.tag in ("sup", "span"):
        yield parent


def _is_return(inner: _Element, calls: set[str]) -> bool:
    if inner.tag == "a":
        return (_is_back(inner) and bool(inner.get("href"))) or unquote(
            (inner.get("href") or "").partition("#")[2]
        ) in calls
    return bool(_LABEL_CLASSES.intersection(classes_of(inner)))


def _repeats_label(inner: _Element, note: _Element, label: str) -> bool:
    parent = inner.getparent()
    if inner.tag != "sup" or parent is None or inner.getprevious() is not None or (parent.text or "").strip():
        return False
    return (parent is note or parent.getparent() is note) and _NOT_LABEL.sub("", text_of(inner)) == label


def _drop_decoration(note: _Element, footnotes: Footnotes) -> None:
    """Drop the rule and the headline of a block that holds nothing but notes."""
    for level, container in enumerate(note.iterancestors()):
        if level > 3:
            return
        if _is_container(container):
            footnotes.dropped.update(one for one in container if one.tag in ("hr", "h2", "h3", "h4"))
            before = container.getprevious()
            if before is not None and before.tag == "hr":
                footnotes.dropped.add(before)


def _is_container(element: _Element) -> bool:
    if (
        element.get("role") == "doc-endnotes"
        or element.get("data-footnotes") is not None
        or element.get("id") == "footnotes"
    ):
        return True
    return any(_CONTAINER.fullmatch(word) for word in classes_of(element))
