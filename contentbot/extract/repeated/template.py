"""What was learned of a source."""

import struct
from dataclasses import dataclass

_VERSION = 2
_HEAD = struct.Struct("<BIIIIII")


@dataclass(frozen=True, slots=True)
class Template:
    """Where and what repeats on the pages of a source.

    Attributes:
        frame: places that most pages of the source have, and whose text repeats.
        boxes: places that some pages have, and whose text repeats.
        texts: texts that stand on at least half of the pages, wherever they stand.
        headings: headings that repeat; they go with what stands below them.
        titles: places where pages repeat their own titles.
        endings: texts that content ends with on several pages: thanks, calls to action, who the author is.
    """

    frame: frozenset[int] = frozenset()
    boxes: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()
    headings: frozenset[int] = frozenset()
    titles: frozenset[int] = frozenset()
    endings: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.frame or self.boxes or self.texts or self.titles or self.endings)

    def pack(self) -> bytes:
        """Return it as bytes, the same for equal templates."""
        parts = [
            sorted(part) for part in (self.frame, self.boxes, self.texts, self.headings, self.titles, self.endings)
        ]
        numbers = [number for part in parts for number in part]
        return _HEAD.pack(_VERSION, *map(len, parts)) + struct.pack(f"<{len(numbers)}Q", *numbers)

    @staticmethod
    def is_readable(data: bytes) -> bool:
        """Say whether bytes are of this version."""
        return bool(data) and data[0] == _VERSION

    @classmethod
    def unpack(cls, data: bytes) -> "Template":
        """Undo `pack`; bytes of another version give an empty template."""
        if not cls.is_readable(data):
            return cls()
        _, *lengths = _HEAD.unpack_from(data)
        numbers = struct.unpack_from(f"<{sum(lengths)}Q", data, _HEAD.size)
        parts, start = [], 0
        for length in lengths:
            parts.append(frozenset(numbers[start : start + length]))
            start += length
        return cls(*parts)
