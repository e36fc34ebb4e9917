"""Cells of a table's row are one block: a reader takes or leaves a row of figures as a whole."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from contentbot.extract.blocks.vocabulary import CELLS, ROW
from contentbot.extract.blocks.walk import Blocks

# longer rows are layout
_LONGEST = 400


def join_rows(blocks: Blocks) -> Blocks:
    """Return the blocks with those of each simple row as one, its cells apart by ` | `."""
    rows = sorted(_simple_rows(blocks))
    if not rows:
        return blocks
    joined = Blocks(blocks.containers, pieces=blocks.pieces)
    place: list[int] = []
    for start, end, node in _spans(rows, len(blocks.text)):
        place += [len(joined.text)] * (end - start)
        _append(joined, blocks, start, end, node)
    place.append(len(joined.text))
    joined.owner = [place[owner] if owner >= 0 else -1 for owner in blocks.owner]
    nodes = blocks.containers
    nodes.first = [place[first] for first in nodes.first]
    nodes.end = [place[end] for end in nodes.end]
    for _, _, node in rows:
        # the cells' own ranges are empty now; the row and all around it hold the block
        nodes.end[node] = nodes.first[node] + 1
    return joined


def _simple_rows(blocks: Blocks) -> Iterator[tuple[int, int, int]]:
    """Yield the block range and the number of each row of plain cells."""
    nodes = blocks.containers
    cells = defaultdict(list)
    for node, parent in enumerate(nodes.parent):
        if parent >= 0 and nodes.tag[parent] == ROW:
            cells[parent].append(node)
    for row, children in cells.items():
        start, end = nodes.first[row], nodes.end[row]
        plain = all(nodes.tag[cell] in CELLS and nodes.end[cell] - nodes.first[cell] <= 1 for cell in children)
        if end - start > 1 and plain and sum(map(len, blocks.text[start:end])) < _LONGEST:
            yield start, end, row


def _spans(rows: list[tuple[int, int, int]], count: int) -> Iterator[tuple[int, int, int]]:
    """Yield every block's range in turn: rows as they are, the others one by one with -1 for a row."""
    position = 0
    for start, end, row in chain(rows, [(count, count, -1)]):
        yield from ((single, single + 1, -1) for single in range(position, start))
        if end > start:
            yield start, end, row
        position = end


def _append(joined: Blocks, blocks: Blocks, start: int, end: int, row: int) -> None:
    lengths = [len(text) for text in blocks.text[start:end]]
    whole = sum(lengths)

    def share(values: list[float]) -> float:
        return sum(length * value for length, value in zip(lengths, values[start:end], strict=True)) / whole

    joined.text.append(" | ".join(blocks.text[start:end]))
    joined.node.append(row if row >= 0 else blocks.node[start])
    joined.linked.append(share(blocks.linked))
    joined.local.append(share(blocks.local))
    joined.strong.append(share(blocks.strong))
    joined.images.append(blocks.images[start])
