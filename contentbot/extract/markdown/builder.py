"""HTML elements to blocks: one walk over the tree, without recursion, so that no nesting is too deep for it."""

from collections.abc import Sequence

from lxml.etree import _Element, iterwalk

from contentbot.extract.markdown.blocks import BLOCKS, Handler, read_callout
from contentbot.extract.markdown.callouts import callout_of
from contentbot.extract.markdown.code import is_control
from contentbot.extract.markdown.elements import words
from contentbot.extract.markdown.footnotes import Footnotes
from contentbot.extract.markdown.inlines import INLINES, read_alone
from contentbot.extract.markdown.maths import formula, may_hold_formula
from contentbot.extract.markdown.model import Raw
from contentbot.extract.markdown.reader import End, Reader, Skip
from contentbot.extract.markdown.tables import TABLES


def read_blocks(roots: Sequence[_Element], base_url: str, footnotes: Footnotes) -> Reader:
    """Read elements one after the other; what follows an element in its parent is not part of it."""
    reader = Reader(base_url, footnotes)
    for root in roots:
        _walk(reader, root)
        reader.flush()
    return reader


def _walk(reader: Reader, root: _Element) -> None:
    ends: list[End] = []
    walker = iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            try:
                ends.append(_start(reader, element))
            except Skip:
                ends.append(None)
                walker.skip_subtree()
            else:
                reader.text(element.text)
            continue
        if event == "end" and (end := ends.pop()) is not None:
            end()
        if element is not root:
            reader.text(element.tail)


def _start(reader: Reader, element: _Element) -> End:
    """Start an element; return what is to be done at its end.

    Raises:
        Skip: there is nothing to read inside.
    """
    if element in reader.dropped:
        raise Skip
    if (label := reader.footnotes.calls.get(element)) is not None:
        reader.paragraph.inline(Raw(f"[^{label}]", f"[{label}]"))
        raise Skip
    if (label := reader.footnotes.notes.get(element)) is not None:
        return reader.note(label)
    if element.get("class") and (end := _by_class(reader, element)) is not None:
        return end
    handler = _HANDLERS.get(element.tag)
    if handler is not None:
        return handler(reader, element)
    return read_alone(reader, element) if "-" in str(element.tag) else None


def _by_class(reader: Reader, element: _Element) -> End:
    if may_hold_formula(element) and (found := formula(element)) is not None:
        reader.formula(found[0], display=found[1])
        raise Skip
    if element.tag in _CALLOUTS and (callout := callout_of(element)) is not None:
        return read_callout(reader, callout)
    if element.tag not in ("pre", "code") and is_control(element):
        raise Skip
    return None


def _skip(_: Reader, __: _Element) -> End:
    raise Skip


_CALLOUTS = words("div aside blockquote section details p article")
_SKIPPED = words(
    """style template noscript head title meta link base svg canvas select option datalist textarea
    area map colgroup col frameset frame progress meter clipboard-copy"""
)
_HANDLERS: dict[object, Handler] = {**dict.fromkeys(_SKIPPED, _skip), **BLOCKS, **INLINES, **TABLES}
