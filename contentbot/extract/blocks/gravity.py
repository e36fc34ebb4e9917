"""Where a page's paragraphs lie: each votes for the containers around it, and the heaviest one is the likely body."""

import numpy as np

from contentbot.extract.blocks.columns import Columns
from contentbot.extract.blocks.layout import Layout

# the farther out a container is, the less a paragraph counts for it
_SHARES = ((1, 1.0), (2, 0.5), (3, 0.2))


def add_gravity(columns: Columns, layout: Layout) -> None:
    """Add where the heaviest container is, seen from each block, and how heavy those around the block are."""
    weight = _weigh(layout)
    best = int(weight.argmax())
    first, end = int(layout.node_first[best]), int(layout.node_end[best])
    index, heaviest = layout.index, max(float(weight[best]), 1e-6)
    columns.add("in_body", (index >= first) & (index < end))
    columns.add("from_body", np.minimum(index - first, 0) + np.maximum(index - end + 1, 0))
    one, two, three = (weight[layout.level[level]] / heaviest for level in (1, 2, 3))
    columns.add("pull_1", one)
    columns.add("pull_2", two)
    columns.add("pull_3", np.maximum(two, three))
    columns.add("body_weight", heaviest)
    columns.add("body_share", (layout.reached[end] - layout.reached[first]) / max(layout.total, 1))
    columns.add("rival", float(np.sort(weight)[-2:-1].sum()) / heaviest)


def _weigh(layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    commas = np.array([text.count(",") for text in layout.blocks.text], np.float32)
    vote = 1 + np.minimum(layout.length / 100, 3) + 0.3 * commas
    vote = np.where((layout.length > 60) & (layout.linked < 0.5), vote, 0)
    weight = np.zeros(len(layout.parent))
    for level, share in _SHARES:
        np.add.at(weight, layout.level[level], share * vote)
    nodes = np.arange(len(weight))
    return weight * (1 - layout.within(layout.linked, nodes))
