"""Blocks while they are being read: where in the document the walk stands, and what is open there."""

from collections.abc import Callable
from typing import TypeAlias

from lxml.etree import _Element

from contentbot.extract.markdown import maths
from contentbot.extract.markdown.footnotes import Footnotes
from contentbot.extract.markdown.model import (
    Block,
    Flow,
    Item,
    ListBlock,
    Mark,
    MathBlock,
    Note,
    Paragraph,
    Raw,
    Table,
    Title,
)
from contentbot.extract.markdown.paragraph import ParagraphReader

# lists in lists in quotes …: from here on only their text is read, because every level costs width on every line
DEEPEST = 20

End: TypeAlias = Callable[[], None] | None


class Skip(Exception):
    """The element's inside is not walked."""


class Reader:
    """What has been read so far, and the operations that the handlers of elements share.

    Attributes:
        blocks: the document.
        notes: the texts of its footnotes, in the order they stand.
        base_url: the page's address.
        paragraph: the inline content since the last block.
        title: the heading that is open, if one is.
        tables: the tables that are open; None for one that is read as if it were none.
        task: the state of a checkbox that waits for its item's text.
        dropped: elements that are no text.
        unwrapped: elements of which only the inside counts.
    """

    def __init__(self, base_url: str, footnotes: Footnotes) -> None:
        self.blocks: list[Block] = []
        self.notes: list[Note] = []
        self.base_url = base_url
        self.footnotes = footnotes
        self.paragraph = ParagraphReader()
        self.title: Title | None = None
        self.tables: list[Table | None] = []
        self.task: bool | None = None
        self.dropped: set[_Element] = footnotes.dropped
        self.unwrapped: set[_Element] = footnotes.unwrapped
        self._flows: list[Flow] = [Flow(self.blocks)]

    @property
    def flow(self) -> Flow:
        """The flow that blocks are added to."""
        return self._flows[-1]

    def is_inside(self, kind: type[Flow]) -> bool:
        """Tell whether a flow of this kind is open."""
        return any(isinstance(flow, kind) for flow in self._flows)

    def flush(self) -> None:
        """End the paragraph that is open, if one is; inside a heading a block only keeps words apart."""
        if self.paragraph.is_empty:
            return
        if self.title is not None:
            self.paragraph.space()
            return
        self.append(Paragraph(self.paragraph.take(), self.task))
        self.task = None

    def append(self, block: Block) -> None:
        """Add a finished block."""
        flow = self.flow
        if isinstance(flow, ListBlock) and not isinstance(block, Item):
            # a list right inside a list belongs to the item before it
            if not flow.blocks or not isinstance(block, ListBlock):
                flow.blocks.append(Item())
            flow = flow.blocks[-1]  # type: ignore[assignment]  # a list holds items only
        flow.blocks.append(block)

    def block(self) -> End:
        """Read an element that stands on its own and that Markdown has no sign for."""
        self.flush()
        return self.flush

    def push(self, flow: Flow) -> End:
        """Read into a new flow until its end; one level too deep, its content joins the flow around it."""
        self.flush()
        if len(self._flows) > DEEPEST or self.title is not None:
            return self.flush

        def keep() -> None:
            if flow.blocks:
                self.append(flow)

        return self.into(flow, keep)

    def into(self, flow: Flow, then: Callable[[], None] | None = None) -> Callable[[], None]:
        """Read into a flow that has its place already, or gets it from `then`; return what ends it."""
        self.flush()
        self._flows.append(flow)

        def end() -> None:
            self.flush()
            self._flows.pop()
            if then is not None:
                then()

        return end

    def note(self, label: str) -> End:
        """Read the text of a footnote."""
        note = Note(label=label)
        return self.into(note, lambda: self.notes.append(note))

    def mark(self, kind: str) -> End:
        """Read inside a mark, unless it changes nothing here."""
        return self.paragraph.leave if self.paragraph.enter(Mark(kind)) else None

    def strong_block(self) -> End:
        """Read a block whose text is strong, such as a term."""
        self.flush()
        if not self.paragraph.enter(Mark("strong")):
            return self.flush

        def end() -> None:
            self.flush()
            self.paragraph.leave()

        return end

    def text(self, text: str | None) -> None:
        """Read text as it stands in the page; formulas between TeX's delimiters are formulas."""
        if not text:
            return
        if ("\\" not in text and "$$" not in text) or self.paragraph.in_code:
            self.paragraph.text(text)
            return
        for part, display in maths.parts_of(text):
            if display is None:
                self.paragraph.text(part)
            else:
                self.formula(part, display=display)

    def formula(self, tex: str, *, display: bool) -> None:
        """Add a formula in TeX; an empty one is none."""
        if not tex:
            return
        if display and self.title is None:
            self.flush()
            self.append(MathBlock(tex))
        else:
            self.paragraph.inline(Raw(f"${tex}$", tex))
