"""Reading a query as a person types it: words, `"phrases"`, `-excluded`, and the last word as a beginning."""

import re
import unicodedata
from dataclasses import dataclass

MAX_CHARACTERS = 2_000
MAX_WORDS = 32

_PARTS = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query in parts. Every part is text as it was typed, still to be split into the engine's words.

    `open_ended` says that the last word was being typed: it also matches as a beginning.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    open_ended: bool = False
    notices: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Nothing to look for or to leave out."""
        return not (self.words or self.phrases or self.excluded)


def parse(text: str) -> ParsedQuery:
    """Read a query of any length; what is past the limits is left out and a notice says so."""
    notices = []
    if len(text) > MAX_CHARACTERS:
        notices.append(f"only the first {MAX_CHARACTERS} characters of the query were read")
        text = text[:MAX_CHARACTERS]
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    words: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    ignored = 0
    for part in _PARTS.finditer(text):
        content = part["phrase"] if part["word"] is None else part["word"]
        if not any(character.isalnum() for character in content):
            continue
        if len(words) + len(phrases) + len(excluded) >= MAX_WORDS:
            ignored += 1
        elif part["minus"]:
            excluded.append(content)
        elif part["word"] is None:
            phrases.append(content)
        else:
            words.append(content)
    if ignored:
        notices.append(f"only the first {MAX_WORDS} words of the query were used, {ignored} were ignored")
    open_ended = bool(words) and not ignored and text.endswith(words[-1]) and words[-1][-1:].isalnum()
    return ParsedQuery(tuple(words), tuple(phrases), tuple(excluded), open_ended, tuple(notices))
