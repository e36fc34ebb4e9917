"""Words in quotation marks, and whether the article has them letter by letter.

Kinds of quotation marks and dashes, white space, ligatures and the case of letters are not compared; neither is a stop
or comma before the closing mark. `...` and words in square brackets stand for what the summary leaves out, and the
parts beside them have to come in their order.
"""

import re
from collections.abc import Iterator

from contentbot.summaries.text import plain

_PAIRS = re.compile(
    r"“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|«\s?([^«»]{1,2000}?)\s?»|»([^«»]{1,2000})«|「([^「」]{1,2000})」|"
    r"『([^『』]{1,2000})』|(?<!\w)‘([^‘’]{3,2000})’(?!\w)|(?<![\w\"])\"([^\"\n]{1,2000})\"(?!\w)"
)
_GAP = re.compile(r"\s*(?:\[[^\]]{0,60}\]|\(\.\.\.\)|\.\.\.)\s*")


def quoted(text: str) -> Iterator[str]:
    """Yield what stands in quotation marks, inches and single letters left out."""
    for match in _PAIRS.finditer(text):
        words = next(group for group in match.groups() if group is not None)
        if sum(map(str.isalnum, words)) > 1:
            yield words


class Quotations:
    """The text of an article, ready to be searched for quotes."""

    def __init__(self, text: str) -> None:
        self._text = plain(text).casefold()

    def carry(self, quote: str) -> bool:
        """Say whether the article has these words, in this order."""
        at = 0
        parts = [part for part in _GAP.split(_bare(quote)) if part.strip(" \"'.,;:!?-")]
        for part in parts:
            found = self._text.find(part.strip(), at)
            if found < 0:
                return False
            at = found + len(part)
        return bool(parts)


def _bare(quote: str) -> str:
    text = plain(quote).casefold().strip()
    text = text.strip('"').strip()
    return re.sub(r"[.,;:!?]+$", "", text) if not text.endswith("...") else text
