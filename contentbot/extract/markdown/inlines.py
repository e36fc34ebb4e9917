"""Elements inside a line of text, and pictures and players: how each kind is read."""

from lxml.etree import _Element

from contentbot.extract.markdown import images, maths
from contentbot.extract.markdown.addresses import link_address, useful_title
from contentbot.extract.markdown.blocks import Handler
from contentbot.extract.markdown.code import code_block
from contentbot.extract.markdown.elements import text_of
from contentbot.extract.markdown.escape import escape_label
from contentbot.extract.markdown.headings import is_permalink
from contentbot.extract.markdown.model import CodeBlock, Item, Mark, Raw
from contentbot.extract.markdown.reader import End, Reader, Skip


def _mark(kind: str) -> Handler:
    return lambda reader, _: reader.mark(kind)


def _superscript(reader: Reader, element: _Element) -> End:
    return None if element in reader.unwrapped else reader.mark("sup")


def _code(reader: Reader, element: _Element) -> End:
    block = _code_in_lines(element)
    if block is not None and block.text and reader.title is None and reader.paragraph.is_empty:
        reader.append(block)
        raise Skip
    reader.paragraph.enter_code()
    return reader.paragraph.leave_code


def _code_in_lines(element: _Element) -> CodeBlock | None:
    """Return a `code` that stands alone in its block and has lines of its own as a code block."""
    parent = element.getparent()
    if parent is None or len(parent) != 1 or (parent.text or "").strip() or (element.tail or "").strip():
        return None
    return code_block(element) if element.find(".//br") is not None else None


def _link(reader: Reader, element: _Element) -> End:
    if element in reader.unwrapped or element.get("href") is None:
        return None
    if is_permalink(element):
        raise Skip
    address = link_address(element.get("href") or "", reader.base_url)
    if not address:
        return None
    title = useful_title(element.get("title") or "", text_of(element), address) if element.get("title") else ""
    return reader.paragraph.leave if reader.paragraph.enter(Mark("link", address, title)) else None


def _image(reader: Reader, element: _Element) -> End:
    if tex := images.formula_image(element):
        reader.formula(maths.bare(tex), display=False)
    elif (image := images.image(element, reader.base_url)) is not None:
        reader.paragraph.inline(image)
    raise Skip


def _player(reader: Reader, element: _Element) -> End:
    address, name = images.player(element, reader.base_url)
    if address:
        reader.flush()
        reader.paragraph.inline(Raw(f"[{escape_label(name)}]({address})"))
        reader.flush()
    # libxml2 does not know that <embed> has no inside, and puts what follows there; an <object> that shows nothing
    # shows its inside
    if element.tag == "embed" or (element.tag == "object" and not address):
        return None
    raise Skip


def _break(reader: Reader, _: _Element) -> End:
    if not reader.paragraph.pending_break or reader.title is not None:
        reader.paragraph.line_break()
    else:
        reader.flush()
    raise Skip


def _input(reader: Reader, element: _Element) -> End:
    starts_item = isinstance(reader.flow, Item) and not reader.flow.blocks and reader.paragraph.is_empty
    if starts_item and (element.get("type") or "").lower() == "checkbox":
        reader.task = element.get("checked") is not None
    raise Skip


def _quoted(reader: Reader, _: _Element) -> End:
    reader.paragraph.text('"')
    return lambda: reader.paragraph.text('"')


def _reading(reader: Reader, element: _Element) -> End:
    """Read the annotation of a ruby; without `rp` elements it would run into the word it explains."""
    parent = element.getparent()
    if parent is not None and parent.find("rp") is not None:
        return None
    reader.paragraph.text("(")
    return lambda: reader.paragraph.text(")")


def _button(reader: Reader, element: _Element) -> End:
    """Skip a button, unless it is the headline of a part that folds."""
    parent = element.getparent()
    in_title = reader.title is not None or (parent is not None and parent.tag in ("summary", "dt"))
    if not in_title and element.get("aria-expanded") is None and element.get("aria-controls") is None:
        raise Skip
    return reader.block()


def _formula(reader: Reader, element: _Element) -> End:
    if (found := maths.formula(element)) is not None:
        reader.formula(found[0], display=found[1])
    raise Skip


def read_alone(reader: Reader, element: _Element) -> End:
    """Read an element as a block when no words stand beside it, as inline content else."""
    before, parent = element.getprevious(), element.getparent()
    text = before.tail if before is not None else parent.text if parent is not None else ""
    return None if ((text or "") + (element.tail or "")).strip() else reader.block()


INLINES: dict[object, Handler] = {
    **dict.fromkeys(("b", "strong"), _mark("strong")),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), _mark("em")),
    **dict.fromkeys(("del", "s", "strike"), _mark("del")),
    **{kind: _mark(kind) for kind in ("ins", "mark", "sub")},
    **dict.fromkeys(("code", "kbd", "samp", "tt"), _code),
    **dict.fromkeys(("iframe", "video", "audio", "embed", "object", "lite-youtube"), _player),
    **dict.fromkeys(("math", "script"), _formula),
    "sup": _superscript,
    "a": _link,
    "img": _image,
    "br": _break,
    "input": _input,
    "label": read_alone,
    "q": _quoted,
    "rt": _reading,
    "button": _button,
}
