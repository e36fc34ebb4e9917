"""Characters: which are white, which are invisible."""

import re

_WHITE = re.compile(r"[ \t\n\r\f\v\x1c-\x1f\x85\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f]+")
# zero-width spaces, soft hyphens, byte order marks, noncharacters, and the tag characters that only emoji flags need
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)
_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x85\v\f\x1c-\x1e]")
_NO_BREAK = re.compile("[\u00a0\u202f]")

# a line end between two letters of a script that puts no spaces between words; Korean does put them
_WIDE = (
    "\u3001-\u3003\u3005-\u301f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003134f"
)
_WRAPPED = re.compile(rf"(?<=[{_WIDE}])[ \t\r]*\n[ \t\r\n]*(?=[{_WIDE}])")


def collapse(text: str) -> str:
    """Return text as a browser lays it out: every run of white space is one space, what has no width is gone.

    Lines that were wrapped inside of Chinese or Japanese are joined without a space (CSS Text Level 3, section 4.1.3).
    """
    if text.isprintable():  # the space is the only white or invisible character that is
        return _WHITE.sub(" ", text) if "  " in text else text
    text = _INVISIBLE.sub("", text)
    if "\n" in text and not text.isascii():
        text = _WRAPPED.sub("", text)
    return _WHITE.sub(" ", text)


def verbatim(text: str) -> str:
    """Return code with its white space, lines ended by a newline only."""
    if not text.isascii() or "\r" in text or not text.replace("\n", "").replace("\t", "").isprintable():
        text = _NO_BREAK.sub(" ", _LINE_ENDS.sub("\n", _INVISIBLE.sub("", text)))
    return text
