"""Sitemap bytes to text, piece by piece.

What decides: the byte-order mark, the shape of the first bytes, the XML declaration, and without any of them UTF-8.
"""

import codecs
import re
from collections.abc import Iterator

from w3lib.encoding import read_bom, resolve_encoding

_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
# how the first `<` or `h` looks in the wide encodings without a mark (XML 1.0, appendix F); the longer ones first
_SHAPES = (
    (re.compile(rb"\0\0\0[\t\n\r -~]"), "utf-32-be"),
    (re.compile(rb"[\t\n\r -~]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0[\t\n\r -~]"), "utf-16-be"),
    (re.compile(rb"[\t\n\r -~]\0"), "utf-16-le"),
)
# Python knows them as encodings of text; no server sends them, and some of them fail on ordinary text
_NO_CHARSETS = ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "undefined", "utf-16", "utf-32")


def charset_of(head: bytes) -> str:
    """Return the name of the Python codec for data that begins with `head`."""
    marked, _ = read_bom(head)
    if marked:
        return marked
    for shape, name in _SHAPES:
        if shape.match(head):
            return name
    declared = _DECLARED.search(head)
    return _usable(declared[1].decode("ascii")) if declared else "utf-8"


def decoded(pieces: Iterator[bytes], charset: str) -> Iterator[str]:
    """Decode piece by piece and drop a byte-order mark.

    In what should be UTF-8, bytes that are none are read as Windows-1252; in other encodings they are replaced.
    """
    decoder = codecs.getincrementaldecoder(charset)("contentbot.windows1252" if charset == "utf-8" else "replace")
    first = True
    for piece in pieces:
        text = decoder.decode(piece)
        yield text.removeprefix("\ufeff") if first else text
        first = first and not text
    yield decoder.decode(b"", final=True)


def _usable(label: str) -> str:
    # a declaration that can be read as ASCII is no UTF-16, whatever it says
    name = resolve_encoding(label)
    if name is None or name.startswith(_NO_CHARSETS):
        return "utf-8"
    try:
        codecs.getincrementaldecoder(name)
        b"<".decode(name)
    except LookupError:  # unknown here, or a codec from bytes to bytes
        return "utf-8"
    return name


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("contentbot.windows1252", _as_windows_1252)
