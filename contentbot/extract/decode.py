"""Bytes to text, the way browsers do it, and a little better where browsers show mojibake.

The order is that of the WHATWG Encoding and HTML standards: byte-order mark, Content-Type header, `<meta>` prescan
(HTML only) or XML declaration, then detection. Two rules go beyond it, because a crawler has no reader who would
change the encoding by hand: bytes that are valid UTF-8 are UTF-8 whatever was declared, and a declared UTF-8 that
most of the bytes contradict is not believed.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from charset_normalizer import from_bytes
from w3lib.encoding import read_bom, resolve_encoding, to_unicode

from contentbot.errors import UnsupportedMedia


class Media(StrEnum):
    """What a body is read as."""

    HTML = "text/html"
    TEXT = "text/plain"
    MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as text.

    Attributes:
        encoding: the name of Python's codec, such as `utf-8` or `cp1252`.
        evidence: what decided: `bom`, `header`, `meta`, `xml declaration`, `valid utf-8` or `detected`.
        replaced: how many U+FFFD stand for bytes that mean nothing in that encoding.
    """

    text: str
    encoding: str
    evidence: str
    replaced: int = 0


HTML_TYPES = {"text/html", "application/xhtml+xml"}
MARKDOWN_TYPES = {"text/markdown", "text/x-markdown", "application/markdown"}
# what servers send for "I do not know"; https://mimesniff.spec.whatwg.org/#supplied-mime-type-detection-algorithm
UNKNOWN_TYPES = {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"}
XML_TYPES = {"text/xml", "application/xml"}

# https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern and its neighbours
MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"RIFF", "audio, video or webp"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"OggS", "application/ogg"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x7fELF", "an executable"),
    (b"\x00\x00\x00", "a binary file"),
)
SNIFFED = 4096
_HTML_START = re.compile(
    rb"(?>\s+|<!--.*?-->|<\?xml[^>]*>)*+<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|h1|div|p|main|"
    rb"article|section|table|a|br|iframe|font)\b",
    re.IGNORECASE | re.DOTALL,
)
_XHTML_START = re.compile(
    rb"(?>\s+|<!--.*?-->|<\?.*?\?>|<!doctype[^>]*>)*+<(?:html|\w+:html)\b", re.IGNORECASE | re.DOTALL
)

# labels of https://encoding.spec.whatwg.org/#names-and-labels that Python and w3lib do not know
EXTRA_LABELS = {
    "unicode-1-1-utf-8": "utf-8",
    "unicode11utf8": "utf-8",
    "unicode20utf8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "unicode": "utf-16-le",
    "unicodefeff": "utf-16-le",
    "unicodefffe": "utf-16-be",
    "ucs-2": "utf-16-le",
    "iso-10646-ucs-2": "utf-16-le",
    "csunicode": "utf-16-le",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "sun_eu_greek": "iso8859-7",
    "dos-874": "cp874",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-ukrainian": "mac-cyrillic",
    "x-gbk": "gb18030",
    "iso-ir-58": "gb18030",
    "cn-big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "korean": "cp949",
    "windows-949": "cp949",
    "x-user-defined": "cp1252",
    **{f"x-cp{page}": f"cp{page}" for page in range(1250, 1259)},
}
# legacy multi-byte encodings: their text can be valid UTF-8 by accident, as a handful of characters
MULTI_BYTE = {"gb18030", "big5hkscs", "euc_jp", "euc-jp", "cp932", "cp949", "iso2022_jp", "iso-2022-jp"}
ENOUGH_UTF8 = 6
# what undeclared pages are written in; others, such as the code pages of DOS, are only ever guessed by mistake
DETECTED = [
    *(f"cp{page}" for page in range(1250, 1259)),
    *(f"iso8859_{part}" for part in (2, 5, 7, 15)),
    *("koi8_r", "koi8_u", "cp874", "gb18030", "big5hkscs", "euc_jp", "cp932", "cp949", "iso2022_jp", "utf_8"),
]
# letters beyond ASCII below which statistics say nothing, and Western Europe is the best guess
ENOUGH_TO_DETECT = 8
_HIGH = re.compile(rb"[\x80-\xff]")
_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")
_NOT_MARKUP = re.compile(
    # to run up to the next sign that may end it is many times faster than to try the end at every character
    rb"<!--(?:[^-]++|-(?!->))*+(?:-->|\Z)|<(script|style|title|textarea)\b(?:[^<]++|<(?!/\1\s*>))*+(?:</\1\s*>|\Z)",
    re.IGNORECASE,
)
_PRESCANNED = 64 << 10
_XML_ENCODING = re.compile(r"""\s*<\?xml\s[^<>]*?encoding\s*=\s*["']([^"'<>]+)""")
_META = re.compile(r"""<meta[\s/]((?:"[^"]*"|'[^']*'|[^'"<>])*)""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+)""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)


def media_type(content_type: str, body: bytes) -> Media:
    """Say what to read a body as, by its Content-Type header and, where that says nothing, by its first bytes.

    Raises:
        UnsupportedMedia: the header names another type, or the bytes are those of a binary file.
    """
    essence = content_type.partition(";")[0].partition(",")[0].strip().lower()
    if binary := _binary_kind(body):
        raise UnsupportedMedia("unsupported_media", f"{binary} sent as {essence or 'no type at all'}")
    if essence in HTML_TYPES:
        return Media.HTML
    if essence in MARKDOWN_TYPES:
        return Media.MARKDOWN
    if essence == "text/plain":
        return Media.TEXT
    if essence in XML_TYPES and _XHTML_START.match(body[:SNIFFED]):
        return Media.HTML
    if essence in UNKNOWN_TYPES or "/" not in essence:
        return Media.HTML if _HTML_START.match(_without_bom(body)[:SNIFFED]) else Media.TEXT
    raise UnsupportedMedia("unsupported_media", f"{essence}; read are HTML, plain text and Markdown")


def is_xhtml(content_type: str) -> bool:
    """Say whether the header makes a browser use its XML parser."""
    return content_type.partition(";")[0].strip().lower() in {"application/xhtml+xml", *XML_TYPES}


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode a body. Never fails: what means nothing in the encoding becomes U+FFFD; NULs are dropped."""
    encoding, evidence = choose_encoding(body, content_type)
    _, mark = read_bom(body)
    text = to_unicode(body[len(mark) :] if mark else body, encoding)
    return Decoded(text.replace("\x00", ""), encoding, evidence, text.count("\ufffd"))


def choose_encoding(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the name of the codec and the evidence for it (see `Decoded`)."""
    marked, _ = read_bom(body)
    if marked:
        return marked, "bom"
    for encoding, evidence in _declared(body, content_type):
        if _plausible(encoding, body):
            return encoding, evidence
    if _is_utf8(body):
        return "utf-8", "valid utf-8"
    return _detect(body), "detected"


def lookup(label: str) -> str | None:
    """Return Python's codec for an encoding label of the web, None where there is none.

    Labels of UTF-7 and of the encodings that the standard replaces (ISO-2022-KR, HZ) have none: they hide markup.
    """
    label = label.strip().strip("\"'").lower()
    if label in {
        "utf-7",
        "unicode-1-1-utf-7",
        "hz-gb-2312",
        "iso-2022-kr",
        "csiso2022kr",
        "iso-2022-cn",
        "replacement",
    }:
        return None
    codec = EXTRA_LABELS.get(label) or resolve_encoding(label)
    return codec if codec and _decodes_text(codec) else None


def _decodes_text(codec: str) -> bool:
    try:
        return isinstance(b"a".decode(codec, "replace"), str)
    except (LookupError, UnicodeError):  # rot13, base64 … are codecs, but none for text
        return False


def _declared(body: bytes, content_type: str) -> list[tuple[str, str]]:
    found = []
    if (match := _CHARSET.search(content_type)) and (encoding := lookup(match[1])):
        found.append((encoding, "header"))
    if _may_declare_itself(content_type) and (declared := _prescan(body)):
        found.append(declared)
    return found


def _may_declare_itself(content_type: str) -> bool:
    essence = content_type.partition(";")[0].strip().lower()
    return essence in HTML_TYPES | XML_TYPES | UNKNOWN_TYPES or "/" not in essence


def _prescan(body: bytes) -> tuple[str, str] | None:
    """Read the encoding that markup declares, past comments and scripts of whatever size."""
    head = _NOT_MARKUP.sub(b" ", body[:_PRESCANNED]).decode("latin-1")
    declared = _XML_ENCODING.match(head)
    label, evidence = (declared[1], "xml declaration") if declared else (_meta_label(head), "meta")
    codec = lookup(label)
    if not codec:
        return None
    # a declaration that could be read as ASCII proves that the page is not UTF-16
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) else codec, evidence


def _meta_label(head: str) -> str:
    for meta in _META.finditer(head):
        attributes = {name.lower(): value.strip("\"'") for name, value in _ATTRIBUTE.findall(meta[1])}
        if label := attributes.get("charset", ""):
            return str(label)
        if "content-type" in attributes.get("http-equiv", "").lower():
            match = _CHARSET.search(attributes.get("content", ""))
            return match[1] if match else ""
    return ""


def _plausible(encoding: str, body: bytes) -> bool:
    """Say whether a declared encoding can be believed."""
    if encoding == "utf-8":
        return _is_utf8(body) or _mostly_utf8(body)
    if encoding.startswith(("utf-16", "utf-32")):
        return b"\x00" in body[:1024]
    return not _rather_utf8(encoding, body)


def _rather_utf8(encoding: str, body: bytes) -> bool:
    if body.isascii() or not _is_utf8(body):
        return False
    needed = ENOUGH_UTF8 if encoding in MULTI_BYTE else 1
    return len(_UTF8_SEQUENCE.findall(body)) >= needed


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # a body that was cut off in the middle of its last character
        return error.reason == "unexpected end of data"
    return True


def _mostly_utf8(body: bytes) -> bool:
    # a text in a one-byte encoding next to never holds a valid sequence: in a tie the declaration is right
    valid = len(_UTF8_SEQUENCE.findall(body))
    return valid > 0 and valid >= body.decode("utf-8", "replace").count("\ufffd")


def _detect(body: bytes) -> str:
    if wide := _without_mark(body):
        return wide
    # detection looks at samples; markup is ASCII and tells nothing
    sample = re.sub(rb"<[^<>]*>|[\x00-\x7f]{80,}", b" ", body[: 1 << 20])[: 64 << 10]
    if _mostly_utf8(sample):
        return "utf-8"
    best = from_bytes(sample, cp_isolation=DETECTED).best() if len(_HIGH.findall(sample)) >= ENOUGH_TO_DETECT else None
    return (best and lookup(best.encoding)) or "cp1252"


def _without_mark(body: bytes) -> str:
    """Recognise UTF-16 that came without its byte-order mark, by the zeros beside the ASCII of markup."""
    head = body[:512]
    if len(head) < 4 or head.count(0) < len(head) // 3:
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16-be"


def _without_bom(body: bytes) -> bytes:
    encoding, mark = read_bom(body)
    if not encoding or not mark:
        return body
    return body[len(mark) : SNIFFED].decode(encoding, "replace").encode()


def _binary_kind(body: bytes) -> str:
    if read_bom(body)[1]:
        return ""
    return next((kind for magic, kind in MAGIC if body.startswith(magic)), "")
