"""Elements that stand on their own: how each kind is read."""

from collections.abc import Callable
from typing import TypeAlias

from lxml.etree import _Element

from contentbot.extract.markdown.callouts import Callout
from contentbot.extract.markdown.code import code_block
from contentbot.extract.markdown.elements import words
from contentbot.extract.markdown.headings import LEVELS, read_heading
from contentbot.extract.markdown.model import Close, Item, ListBlock, Mark, Open, Paragraph, Quote, Rule, Text, Title
from contentbot.extract.markdown.reader import End, Reader, Skip

Handler: TypeAlias = Callable[[Reader, _Element], End]


def number(value: str | None, default: int) -> int:
    """Return an attribute's whole number, as long as Markdown may write it; the default when it holds none."""
    try:
        return min(max(int((value or "").strip()), -999_999_999), 999_999_999)
    except ValueError:
        return default


def _plain_block(reader: Reader, _: _Element) -> End:
    return reader.block()


def _heading(reader: Reader, element: _Element) -> End:
    reader.flush()
    if reader.title is not None:
        return reader.flush
    parts = read_heading(element)
    reader.dropped |= parts.dropped
    reader.unwrapped |= parts.unwrapped
    title = reader.title = Title(LEVELS[str(element.tag)], [], parts.anchor)

    def end() -> None:
        reader.title = None
        if not reader.paragraph.is_empty:
            title.tokens = reader.paragraph.take()
            reader.append(title)

    return end


def _rule(reader: Reader, _: _Element) -> End:
    reader.flush()
    if reader.title is None:
        reader.append(Rule())
    raise Skip


def _pre(reader: Reader, element: _Element) -> End:
    reader.flush()
    if reader.title is not None:
        return None
    if (block := code_block(element)).text:
        reader.append(block)
    raise Skip


def _quote(reader: Reader, _: _Element) -> End:
    return reader.push(Quote())


def read_callout(reader: Reader, callout: Callout) -> End:
    """Read a callout; its title stands first unless it only repeats the kind."""
    end = reader.push(Quote(callout=callout.kind))
    if callout.title_element is not None:
        reader.dropped.add(callout.title_element)
    if callout.title:
        append_strong(reader, callout.title)
    return end


def append_strong(reader: Reader, text: str) -> None:
    """Add a paragraph of strong text."""
    mark = Mark("strong")
    reader.append(Paragraph([Open(mark), Text(text), Close(mark)]))


def _list(reader: Reader, element: _Element) -> End:
    ordered, backwards = element.tag == "ol", element.get("reversed") is not None
    first = sum(child.tag == "li" for child in element) if backwards else 1
    start = number(element.get("start"), first)
    return reader.push(ListBlock(ordered=ordered, next_number=start, step=-1 if backwards else 1))


def _item(reader: Reader, element: _Element) -> End:
    reader.flush()
    if isinstance(reader.flow, ListBlock):
        return _list_item(reader, element, reader.flow)
    # an item without a list, as a selector may cut it out
    outer = reader.push(ListBlock())
    if not isinstance(reader.flow, ListBlock):
        return outer
    inner = _list_item(reader, element, reader.flow)

    def end() -> None:
        for one in (inner, outer):
            if one is not None:
                one()

    return end


def _list_item(reader: Reader, element: _Element, parent: ListBlock) -> End:
    own = number(element.get("value"), parent.next_number)
    parent.next_number = own + parent.step
    end = reader.push(Item(number=own))

    def end_item() -> None:
        if end is not None:
            end()
        reader.task = None

    return end_item


def _strong_block(reader: Reader, _: _Element) -> End:
    return reader.strong_block()


_PLAIN = words(
    """address article aside body center details dialog dd div dl fieldset figcaption figure footer form header
    hgroup html legend main nav p search section caption optgroup marquee"""
)

BLOCKS: dict[object, Handler] = {
    **dict.fromkeys(_PLAIN, _plain_block),
    **dict.fromkeys(LEVELS, _heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), _list),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), _pre),
    **dict.fromkeys(("dt", "summary"), _strong_block),
    "blockquote": _quote,
    "li": _item,
    "hr": _rule,
}
