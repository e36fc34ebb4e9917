"""HTML elements to blocks: one walk over the tree, without recursion, so that no nesting is too deep for it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lxml.etree import _Element, iterwalk

from contentbot.extract.markdown import callouts, images, maths
from contentbot.extract.markdown.addresses import link_address, useful_title
from contentbot.extract.markdown.code import code_block, code_of_table, is_control
from contentbot.extract.markdown.elements import text_of, words
from contentbot.extract.markdown.escape import escape_label
from contentbot.extract.markdown.footnotes import Footnotes
from contentbot.extract.markdown.headings import LEVELS, is_permalink, read_heading
from contentbot.extract.markdown.model import (
    Block,
    Cell,
    Close,
    CodeBlock,
    Flow,
    Item,
    ListBlock,
    Mark,
    MathBlock,
    Note,
    Open,
    Paragraph,
    Quote,
    Raw,
    Row,
    Rule,
    Table,
    Text,
    Title,
    Token,
)
from contentbot.extract.markdown.paragraph import ParagraphReader
from contentbot.extract.markdown.tables import is_layout, rows_of

# lists in lists in quotes …: from here on only their text is read, because every level costs width on every line
_DEEPEST = 20

End: TypeAlias = Callable[[], None] | None


class Skip(Exception):
    """The element's inside is not walked."""


class Builder:
    """Reads elements into blocks. Use `read` once, then take `blocks` and `notes`."""

    def __init__(self, base_url: str, footnotes: Footnotes) -> None:
        self.blocks: list[Block] = []
        self.notes: list[Note] = []
        self._base_url, self._footnotes = base_url, footnotes
        self._paragraph = ParagraphReader()
        self._flows: list[Flow] = [Flow(self.blocks)]
        self._tables: list[Table | None] = []
        self._title: Title | None = None
        self._task: bool | None = None
        self._dropped, self._unwrapped = footnotes.dropped, footnotes.unwrapped

    def read(self, roots: Sequence[_Element]) -> None:
        """Read elements one after the other; what follows an element in its parent is not part of it."""
        for root in roots:
            self._walk(root)
            self._flush()

    def _walk(self, root: _Element) -> None:
        ends: list[End] = []
        walker = iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                try:
                    ends.append(self._start(element))
                except Skip:
                    ends.append(None)
                    walker.skip_subtree()
                    continue
                self._text(element.text)
                continue
            if event == "end" and (end := ends.pop()) is not None:
                end()
            if element is not root:
                self._text(element.tail)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if ("\\" in text or "$$" in text) and not self._paragraph.in_code:
            for part, display in maths.parts_of(text):
                if display is None:
                    self._paragraph.text(part)
                else:
                    self._formula(part, display)
        else:
            self._paragraph.text(text)

    def _start(self, element: _Element) -> End:
        if element in self._dropped:
            raise Skip
        if (label := self._footnotes.calls.get(element)) is not None:
            self._paragraph.inline(Raw(f"[^{label}]", f"[{label}]"))
            raise Skip
        if (label := self._footnotes.notes.get(element)) is not None:
            return self._note(label)
        if element.get("class") and (known := self._by_class(element)) is not None:
            return known
        handler = _HANDLERS.get(element.tag)
        return handler(self, element) if handler else self._other(element)

    def _by_class(self, element: _Element) -> End:
        if maths.may_hold_formula(element) and (found := maths.formula(element)) is not None:
            self._formula(*found)
            raise Skip
        if element.tag in _CALLOUTS and (callout := callouts.callout_of(element)) is not None:
            return self._callout(callout)
        if element.tag not in ("pre", "code") and is_control(element):
            raise Skip
        return None

    # blocks

    def _flush(self) -> None:
        if self._paragraph.is_empty:
            return
        if self._title is not None:
            self._paragraph.space()
            return
        tokens = self._paragraph.take()
        self._append(Paragraph(tokens, self._task))
        self._task = None

    def _append(self, block: Block) -> None:
        flow = self._flows[-1]
        if isinstance(flow, ListBlock) and not isinstance(block, Item):
            # a list right inside a list belongs to the item before it
            if not flow.blocks or not isinstance(block, ListBlock):
                flow.blocks.append(Item())
            flow = flow.blocks[-1]  # type: ignore[assignment]  # a list holds items only
        flow.blocks.append(block)

    def _push(self, flow: Flow) -> End:
        """Read into a new flow until its end; one level too deep, its content joins the flow around it."""
        self._flush()
        if len(self._flows) > _DEEPEST or self._title is not None:
            return self._flush
        self._flows.append(flow)

        def end() -> None:
            self._flush()
            self._flows.pop()
            if flow.blocks:
                self._append(flow)

        return end

    def _block(self, _: _Element) -> End:
        self._flush()
        return self._flush

    def _other(self, element: _Element) -> End:
        return self._block(element) if "-" in str(element.tag) and _stands_alone(element) else None

    def _heading(self, element: _Element) -> End:
        self._flush()
        if self._title is not None:
            return self._flush
        parts = read_heading(element)
        self._dropped |= parts.dropped
        self._unwrapped |= parts.unwrapped
        title = self._title = Title(LEVELS[str(element.tag)], [], parts.anchor)

        def end() -> None:
            self._title = None
            if not self._paragraph.is_empty:
                title.tokens = self._paragraph.take()
                self._append(title)

        return end

    def _rule(self, _: _Element) -> End:
        self._flush()
        if self._title is None:
            self._append(Rule())
        raise Skip

    def _quote(self, _: _Element) -> End:
        return self._push(Quote())

    def _callout(self, callout: callouts.Callout) -> End:
        quote = Quote(callout=callout.kind)
        end = self._push(quote)
        if callout.title_element is not None:
            self._dropped.add(callout.title_element)
        if callout.title:
            self._append(Paragraph(_strong(callout.title)))
        return end

    def _note(self, label: str) -> End:
        self._flush()
        note = Note(label=label)
        self._flows.append(note)

        def end() -> None:
            self._flush()
            self._flows.pop()
            self.notes.append(note)

        return end

    def _list(self, element: _Element) -> End:
        ordered = element.tag == "ol"
        start, step = _number(element.get("start"), 1), 1
        if ordered and element.get("reversed") is not None:
            step = -1
            start = _number(element.get("start"), sum(child.tag == "li" for child in element))
        return self._push(ListBlock(ordered=ordered, next_number=start, step=step))

    def _item(self, element: _Element) -> End:
        self._flush()
        if isinstance(self._flows[-1], ListBlock):
            return self._list_item(element, self._flows[-1])
        # an item without a list, as a selector may cut it out
        outer = self._push(ListBlock())
        if not isinstance(self._flows[-1], ListBlock):
            return outer
        inner = self._list_item(element, self._flows[-1])

        def end() -> None:
            for one in (inner, outer):
                if one is not None:
                    one()

        return end

    def _list_item(self, element: _Element, parent: ListBlock) -> End:
        number = _number(element.get("value"), parent.next_number)
        parent.next_number = number + parent.step
        end = self._push(Item(number=number))

        def end_item() -> None:
            if end is not None:
                end()
            self._task = None

        return end_item

    def _term(self, element: _Element) -> End:
        return self._strong_block(element)

    def _strong_block(self, _: _Element) -> End:
        self._flush()
        if not self._paragraph.enter(Mark("strong")):
            return self._flush

        def end() -> None:
            self._flush()
            self._paragraph.leave()

        return end

    def _pre(self, element: _Element) -> End:
        block = code_block(element)
        self._flush()
        if self._title is not None:
            return None
        if block.text:
            self._append(block)
        raise Skip

    def _formula(self, tex: str, display: bool) -> None:
        if not tex:
            return
        if display and self._title is None:
            self._flush()
            self._append(MathBlock(tex))
        else:
            self._paragraph.inline(Raw(f"${tex}$", tex))

    def _math(self, element: _Element) -> End:
        tex, display = maths.formula(element) or ("", False)
        self._formula(tex, display)
        raise Skip

    # tables

    def _table(self, element: _Element) -> End:
        self._flush()
        nested = len(self._tables) > _DEEPEST or any(isinstance(flow, Cell) for flow in self._flows)
        # looking into a table costs its size, so what is nested is not looked into at every level
        rows = [] if nested else rows_of(element)
        if (code := code_of_table(element, rows)) is not None:
            self._append(code)
            raise Skip
        flat = nested or self._title is not None or is_layout(element, rows)
        self._tables.append(None if flat else Table())
        return self._end_table

    def _end_table(self) -> None:
        self._flush()
        table = self._tables.pop()
        if table is not None:
            table.rows = [row for row in table.rows if any(cell.blocks for cell in row.cells)]
            if table.rows:
                self._append(table)

    def _row(self, element: _Element) -> End:
        self._flush()
        if self._tables and (table := self._tables[-1]) is not None:
            parent = element.getparent()
            table.rows.append(Row(head=parent is not None and parent.tag == "thead"))
        return self._flush

    def _cell(self, element: _Element) -> End:
        self._flush()
        table = self._tables[-1] if self._tables else None
        if table is None or not table.rows:
            return self._flush
        cell = Cell(
            header=element.tag == "th",
            colspan=max(1, _number(element.get("colspan"), 1)),
            rowspan=max(1, _number(element.get("rowspan"), 1)),
            align=_align(element),
        )
        table.rows[-1].cells.append(cell)
        self._flows.append(cell)

        def end() -> None:
            self._flush()
            self._flows.pop()

        return end

    # inline content

    def _marked(self, kind: str) -> End:
        return self._paragraph.leave if self._paragraph.enter(Mark(kind)) else None

    def _code(self, element: _Element) -> End:
        if (block := _code_in_lines(element)) is not None and self._title is None and self._paragraph.is_empty:
            self._append(block)
            raise Skip
        self._paragraph.enter_code()
        return self._paragraph.leave_code

    def _link(self, element: _Element) -> End:
        if element in self._unwrapped or element.get("href") is None:
            return None
        if is_permalink(element):
            raise Skip
        address = link_address(element.get("href") or "", self._base_url)
        if not address:
            return None
        title = useful_title(element.get("title") or "", text_of(element), address) if element.get("title") else ""
        return self._paragraph.leave if self._paragraph.enter(Mark("link", address, title)) else None

    def _superscript(self, element: _Element) -> End:
        return None if element in self._unwrapped else self._marked("sup")

    def _image(self, element: _Element) -> End:
        if tex := images.formula_image(element):
            self._formula(maths.bare(tex), display=False)
        elif (image := images.image(element, self._base_url)) is not None:
            self._paragraph.inline(image)
        raise Skip

    def _player(self, element: _Element) -> End:
        address, name = images.player(element, self._base_url)
        if not address and element.tag not in ("embed", "object"):
            raise Skip
        if not address:
            return None
        self._flush()
        self._paragraph.inline(Raw(f"[{escape_label(name)}]({address})"))
        self._flush()
        if element.tag == "embed":
            # libxml2 does not know that it has no inside, and puts what follows there
            return None
        raise Skip

    def _break(self, _: _Element) -> End:
        if not self._paragraph.pending_break or self._title is not None:
            self._paragraph.line_break()
        else:
            self._flush()
        raise Skip

    def _input(self, element: _Element) -> End:
        if (element.get("type") or "").lower() == "checkbox" and self._paragraph.is_empty:
            flow = self._flows[-1]
            if isinstance(flow, Item) and not flow.blocks:
                self._task = element.get("checked") is not None
        raise Skip

    def _quoted(self, _: _Element) -> End:
        self._paragraph.text('"')
        return lambda: self._paragraph.text('"')

    def _reading(self, element: _Element) -> End:
        parent = element.getparent()
        if parent is not None and parent.find("rp") is not None:
            return None
        self._paragraph.text("(")
        return lambda: self._paragraph.text(")")

    def _button(self, element: _Element) -> End:
        parent = element.getparent()
        in_title = self._title is not None or (parent is not None and parent.tag in ("summary", "dt"))
        if not in_title and element.get("aria-expanded") is None and element.get("aria-controls") is None:
            raise Skip
        return self._block(element)

    def _skip(self, _: _Element) -> End:
        raise Skip

    def _script(self, element: _Element) -> End:
        if (found := maths.formula(element)) is not None:
            self._formula(*found)
        raise Skip


def _strong(text: str) -> list[Token]:
    mark = Mark("strong")
    return [Open(mark), Text(text), Close(mark)]


def _number(value: str | None, default: int) -> int:
    try:
        return min(max(int((value or "").strip()), -999_999_999), 999_999_999)
    except ValueError:
        return default


def _align(cell: _Element) -> str:
    style = (cell.get("style") or "").replace(" ", "").lower()
    name = style.partition("text-align:")[2] or (cell.get("align") or "").lower()
    return next((side for side in ("left", "center", "right") if name.startswith(side)), "")


def _stands_alone(element: _Element) -> bool:
    """Tell whether a custom element has no words beside it: then it is most likely laid out as a block."""
    before, parent = element.getprevious(), element.getparent()
    text = before.tail if before is not None else parent.text if parent is not None else ""
    return not ((text or "").strip() or (element.tail or "").strip())


def _code_in_lines(element: _Element) -> CodeBlock | None:
    """Return a `code` that stands alone in its block and has lines of its own as a code block."""
    parent = element.getparent()
    if parent is None or len(parent) != 1 or (parent.text or "").strip() or (element.tail or "").strip():
        return None
    return code_block(element) if element.find(".//br") is not None else None


def _marks(kind: str) -> Callable[[Builder, _Element], End]:
    return lambda builder, _: builder._marked(kind)


_CALLOUTS = words("div aside blockquote section details p article")
_BLOCK_TAGS = words(
    """address article aside body center details dialog dd div dl fieldset figcaption figure footer form header
    hgroup html legend main nav p search section caption optgroup marquee"""
)
_SKIPPED_TAGS = words(
    """script style template noscript head title meta link base svg canvas select option datalist textarea
    area map colgroup col frameset frame progress meter clipboard-copy dialog"""
)

_HANDLERS: dict[object, Callable[[Builder, _Element], End]] = {
    **dict.fromkeys(_SKIPPED_TAGS, Builder._skip),
    **dict.fromkeys(_BLOCK_TAGS, Builder._block),
    **dict.fromkeys(LEVELS, Builder._heading),
    **dict.fromkeys(("b", "strong"), _marks("strong")),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), _marks("em")),
    **dict.fromkeys(("del", "s", "strike"), _marks("del")),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Builder._code),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), Builder._list),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), Builder._pre),
    **dict.fromkeys(("td", "th"), Builder._cell),
    **dict.fromkeys(("iframe", "video", "audio", "embed", "object", "lite-youtube"), Builder._player),
    "ins": _marks("ins"),
    "mark": _marks("mark"),
    "sub": _marks("sub"),
    "sup": Builder._superscript,
    "blockquote": Builder._quote,
    "li": Builder._item,
    "dt": Builder._term,
    "summary": Builder._strong_block,
    "hr": Builder._rule,
    "table": Builder._table,
    "tr": Builder._row,
    "a": Builder._link,
    "img": Builder._image,
    "br": Builder._break,
    "input": Builder._input,
    "q": Builder._quoted,
    "rt": Builder._reading,
    "button": Builder._button,
    "math": Builder._math,
    "script": Builder._script,
}
