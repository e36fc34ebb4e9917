"""What is kept of a page to compare it with others: fingerprints, no text."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag

MOST_BLOCKS = 1_000
"""Blocks that are kept of a page; of a longer one the first seven tenths of them and the last three."""

_VERSION = 1
_HEAD = struct.Struct("<BQHH")
_HEADING_LEVEL = 0x7


class Trait(IntFlag):
    """What a block is, beside its text. The three lowest bits hold a heading's level."""

    NONE = 0
    KEPT = 1 << 3
    """It is in the region that extraction chose."""
    CODE = 1 << 4
    FOLDED = 1 << 5
    """It is short and has digits; they do not count in its fingerprint: `5 min read`, `March 3, 2026`."""
    LINKS = 1 << 6
    """Nearly all of it are links to other pages of the site."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text between the edges of block-level elements; a table, a list of lines or a piece of code is one.

    Attributes:
        slot: the number of the place where it stands, among the places of its page.
        text: 64 bits of what it says.
        weight: letters and digits, at most 65,535.
        traits: `Trait`, and a heading's level.
    """

    slot: int
    text: int
    weight: int
    traits: int

    @property
    def level(self) -> int:
        """The level of a heading, 0 for any other block."""
        return self.traits & _HEADING_LEVEL

    @property
    def kept(self) -> bool:
        """Whether extraction chose it."""
        return bool(self.traits & Trait.KEPT)


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of one page, each text of a place once, in document order.

    Attributes:
        slots: 64 bits for each place, its ancestors among them.
        parents: the number of the place around each place, -1 at the top; always lower than its own.
        title: the fingerprint of the document's title.
    """

    slots: Sequence[int]
    parents: Sequence[int]
    blocks: Sequence[Block]
    title: int = 0

    def pack(self) -> bytes:
        """Return it as bytes: about 10 for each place and 13 for each block."""
        blocks = self.blocks
        return b"".join(
            [
                _HEAD.pack(_VERSION, self.title, len(self.slots), len(blocks)),
                struct.pack(f"<{len(self.slots)}Q", *self.slots),
                struct.pack(f"<{len(self.parents)}h", *self.parents),
                struct.pack(f"<{len(blocks)}H", *(block.slot for block in blocks)),
                struct.pack(f"<{len(blocks)}Q", *(block.text for block in blocks)),
                struct.pack(f"<{len(blocks)}H", *(block.weight for block in blocks)),
                struct.pack(f"<{len(blocks)}B", *(block.traits for block in blocks)),
            ]
        )

    @classmethod
    def unpack(cls, data: bytes) -> "PageBlocks":
        """Undo `pack`; bytes of another version give a page without blocks."""
        if not data or data[0] != _VERSION:
            return cls((), (), ())
        _, title, places, blocks = _HEAD.unpack_from(data)
        start, columns = _HEAD.size, []
        for count, kind in ((places, "Q"), (places, "h"), (blocks, "H"), (blocks, "Q"), (blocks, "H"), (blocks, "B")):
            columns.append(struct.unpack_from(f"<{count}{kind}", data, start))
            start += struct.calcsize(f"<{count}{kind}")
        return cls(columns[0], columns[1], [Block(*row) for row in zip(*columns[2:], strict=True)], title)


def shortened(blocks: Sequence[Block]) -> Sequence[Block]:
    """Leave out the middle of a page that has more blocks than are kept."""
    if len(blocks) <= MOST_BLOCKS:
        return blocks
    head = MOST_BLOCKS * 7 // 10
    return [*blocks[:head], *blocks[head - MOST_BLOCKS :]]
