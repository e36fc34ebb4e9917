"""One paragraph while it is being read: white space, marks and text as a browser would lay them out."""

from collections.abc import Iterable
from itertools import groupby

from contentbot.extract.markdown.model import Break, Close, Code, Mark, Open, Raw, Text, Token
from contentbot.extract.markdown.text import collapse


class ParagraphReader:
    """Collects inline content until a block ends.

    A space is held back until something visible follows, and then stands outside the marks that open after it; a mark
    is opened only by visible content. So no mark is empty, starts or ends with a space, and none has to be repaired.
    """

    def __init__(self) -> None:
        self._tokens: list[Token] = []
        self._marks: list[Mark] = []
        self._opened: list[Mark | None] = []
        self._pending = ""
        self._code: list[object] = []
        self._last_code: object = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing visible has been read since the last block."""
        return not self._tokens

    @property
    def pending_break(self) -> bool:
        """Whether the last thing read was a line break."""
        return self._pending == "\n"

    @property
    def in_code(self) -> bool:
        """Whether what is read now is code."""
        return bool(self._code)

    def text(self, raw: str) -> None:
        """Read text as it stands in the page."""
        value = collapse(raw)
        inner = value.strip(" ")
        if not inner:
            if value:
                self.space()
            return
        if value[0] == " ":
            self.space()
        self._visible(Code(inner) if self._code else Text(inner))
        if value[-1] == " ":
            self.space()

    def space(self) -> None:
        """Keep what comes next apart from what was read."""
        if self._tokens and not self._pending:
            self._pending = " "

    def line_break(self) -> None:
        """Start a new line of the same paragraph."""
        if self._tokens:
            self._pending = "\n"

    def inline(self, token: Raw | Text) -> None:
        """Read something finished, such as an image."""
        self._visible(token)

    def _visible(self, token: Token) -> None:
        if self._pending:
            inside_code = self._code and self._code[-1] is self._last_code and isinstance(self._tokens[-1], Code)
            self._tokens.append(Break() if self._pending == "\n" else Code(" ") if inside_code else Text(" "))
            self._pending = ""
        for mark in self._marks[len(self._opened) :]:
            self._opened.append(None if mark.spent else mark)
            if not mark.spent:
                self._tokens.append(Open(mark))
        self._last_code = self._code[-1] if self._code else None
        self._tokens.append(token)

    def enter(self, mark: Mark) -> bool:
        """Start a mark; False (and nothing to leave) when the same kind is open, or inside code."""
        if any(one.kind == mark.kind for one in self._marks) or (self._code and mark.kind != "link"):
            return False
        self._marks.append(mark)
        return True

    def leave(self) -> None:
        """End the mark that was entered last."""
        self._marks.pop()
        if len(self._opened) > len(self._marks):
            mark = self._opened.pop()
            if mark is not None:
                self._tokens.append(Close(mark))

    def enter_code(self) -> None:
        """Read what follows as code."""
        self._code.append(object())

    def leave_code(self) -> None:
        """End the code that was entered last."""
        self._code.pop()

    def take(self) -> list[Token]:
        """Return the paragraph and start a new one, in which the marks that are open go on; a link does not."""
        for mark in reversed(self._opened):
            if mark is not None:
                self._tokens.append(Close(mark))
                mark.spent = mark.kind == "link"
        tokens, self._tokens, self._opened, self._pending = self._tokens, [], [], ""
        return _joined(_without_seams(tokens))


def _without_seams(tokens: Iterable[Token]) -> list[Token]:
    """Make one mark of two that touch: `<b>a</b><b>b</b>` reads as one."""
    kept: list[Token] = []
    for token in tokens:
        seam = kept and isinstance(token, Open) and isinstance(kept[-1], Close) and token.mark.kind != "link"
        if seam and kept[-1].mark.kind == token.mark.kind:  # type: ignore[union-attr]  # both were just looked at
            kept.pop()
        else:
            kept.append(token)
    return kept


def _joined(tokens: Iterable[Token]) -> list[Token]:
    joined: list[Token] = []
    for kind, group in groupby(tokens, type):
        if kind is Text or kind is Code:
            joined.append(kind("".join(token.value for token in group if isinstance(token, Text | Code))))
        else:
            joined.extend(group)
    return joined
