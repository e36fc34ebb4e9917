"""Text from outside on its way to a model: visible, complete, and unable to pass for the server's own words.

An answer's text puts everything that was written elsewhere between two markers that carry a nonce drawn for that
answer, so nothing that was written before it can close them. Whatever merely looks like such a marker is spelled
differently inside (brackets become their full-width twins), character by character: lengths and offsets stay true.
"""

import re
import secrets
from dataclasses import dataclass, field

# Every repetition is bounded: a hostile page must not buy time here.
_LOOKALIKES = (
    # [END UNTRUSTED], <untrusted>, </untrusted-content>, <<<BEGIN EXTERNAL_UNTRUSTED TEXT>>>
    re.compile(
        r"[\[<{]{1,8}[ \t]{0,3}/?[ \t]{0,3}"
        r"(?:(?:begin|start|open|end|stop|close|of|external|data|content|text|web)[ \t_:-]{1,3}){0,4}"
        r"untrusted[^\n\[\]<>{}]{0,80}[\]>}]{0,8}",
        re.IGNORECASE,
    ),
    # [END DATA], <<<BEGIN PAGE>>>: shouted markers, whatever they are about
    re.compile(r"[\[<{]{1,8}[ \t]{0,3}/?(?:BEGIN|START|END|STOP)[ \t_:-][^\n\[\]<>{}]{0,80}[\]>}]{1,8}"),
    # control tokens of chat templates
    re.compile(r"<\|/?[\w-]{1,40}\|>|\[/?INST\]|<</?SYS>>"),
)
_UNBRACKETED = re.compile(
    r"\b(begin|start|end|stop|close)[ _-](?=(?:of[ _-])?(?:external[ _-])?untrusted)", re.IGNORECASE
)
_TWINS = str.maketrans("[]<>{}/|", "［］＜＞｛｝／｜")

# C0 and C1 controls other than tab and newline, bidirectional overrides, and the invisible tag characters
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")

# nearly every text has none of these, and is done after one look
_SUSPICIOUS = re.compile(r"[\[<{]|untrusted", re.IGNORECASE)


def defang(text: str) -> str:
    """Respell what looks like a marker of an answer or a control token of a chat; nothing is dropped.

    The result has the length of the input.
    """
    text = _INVISIBLE.sub("\N{REPLACEMENT CHARACTER}", text)
    if not _SUSPICIOUS.search(text):
        return text
    for lookalike in _LOOKALIKES:
        text = lookalike.sub(lambda match: match[0].translate(_TWINS), text)
    return _UNBRACKETED.sub(lambda match: match[1] + "·", text)


def one_line(text: str, limit: int = 0) -> str:
    """Return the text defanged and on one line, shortened to `limit` characters with an ellipsis where one is given."""
    line = defang(" ".join(text.split()))
    return line if not limit or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def quoted(text: str, limit: int = 200) -> str:
    """Return a short name from outside, ready to stand in a sentence of the server's own."""
    return "'" + one_line(text, limit).replace("'", "’") + "'"


@dataclass(frozen=True, slots=True)
class Boundary:
    """The markers of one answer. No two answers share a nonce."""

    nonce: str = field(default_factory=lambda: secrets.token_hex(6))

    def wrap(self, text: str) -> str:
        """Return the text between the markers; it is to be defanged already."""
        return f"<<untrusted {self.nonce}>>\n{text}\n<<end untrusted {self.nonce}>>"
