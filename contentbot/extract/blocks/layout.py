"""Blocks and containers as arrays, and the sums over them that features are made of."""

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from contentbot.extract.blocks.vocabulary import HEADINGS
from contentbot.extract.blocks.walk import Blocks

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.number[Any] | np.bool_]

LEVELS = 7


class Layout:
    """Where the blocks of a page stand. Arrays are over blocks, unless they say otherwise; a page has at least one.

    Attributes:
        count: how many blocks there are.
        length: their characters.
        total: the sum of `length`.
        node, tag: the container of each block, and that one's tag.
        node_first, node_end, node_tag: of every container, its range of blocks and its tag.
        level: for each block the containers around it from the inside out, those left out that hold nothing more.
        kind: the same number for blocks in containers of the same signature; `kind_size` counts them, by number.
        heading: the last heading before each block; `has_heading` says whether there is one.
        section: how many headings there are up to each block.
    """

    def __init__(self, blocks: Blocks) -> None:
        nodes = blocks.containers
        self.blocks = blocks
        self.length: Floats = np.array([len(text) for text in blocks.text], np.float32)
        self.count = len(self.length)
        self.total = float(self.length.sum())
        self.index: Ints = np.arange(self.count)
        self.node: Ints = np.array(blocks.node, np.intp)
        self.parent: Ints = np.maximum(np.array(nodes.parent, np.intp), 0)
        self.node_first: Ints = np.array(nodes.first, np.intp)
        self.node_end: Ints = np.array(nodes.end, np.intp)
        self.node_tag: Ints = np.array(nodes.tag, np.intp)
        self.tag: Ints = self.node_tag[self.node]
        self.linked: Floats = np.array(blocks.linked, np.float32)
        self.level = self._levels()
        signatures = np.array(nodes.signature, np.int64)[self.node]
        _, self.kind, self.kind_size = np.unique(signatures, return_inverse=True, return_counts=True)
        self.reached = np.concatenate([[0.0], np.cumsum(self.length, dtype=np.float64)])
        self._find_headings()

    def _levels(self) -> list[Ints]:
        nodes = self.blocks.containers
        first, end, up = nodes.first, nodes.end, list(nodes.parent)
        for node, parent in enumerate(nodes.parent):
            if parent >= 0 and first[parent] == first[node] and end[parent] == end[node]:
                up[node] = up[parent]
        above: Ints = np.maximum(np.array(up, np.intp), 0)
        levels = [self.node]
        for _ in range(LEVELS - 1):
            levels.append(above[levels[-1]])
        return levels

    def _find_headings(self) -> None:
        is_heading = (self.tag >= HEADINGS.start) & (self.tag < HEADINGS.stop)
        last = np.maximum.accumulate(np.where(is_heading, self.index, -1))
        before = np.concatenate([[-1], last[:-1]])
        self.is_heading: Bools = is_heading
        self.has_heading: Bools = before >= 0
        self.heading: Ints = np.maximum(before, 0)
        self.section: Ints = np.cumsum(is_heading)

    @cached_property
    def long(self) -> Bools:
        """Blocks that look like a paragraph of prose."""
        return (self.length > 140) & (self.linked < 0.3)

    def sums(self, values: Numbers) -> NDArray[np.float64]:
        """Return the sums of `values`, weighted by length, over the blocks before each one; one more than blocks."""
        return np.concatenate([[0.0], np.cumsum(self.length * values, dtype=np.float64)])

    def window(self, values: Numbers, radius: int) -> Floats:
        """Return the mean of `values`, weighted by length, over `radius` blocks on both sides."""
        sums = self.sums(values)
        low, high = np.maximum(self.index - radius, 0), np.minimum(self.index + radius + 1, self.count)
        return np.asarray((sums[high] - sums[low]) / np.maximum(self.reached[high] - self.reached[low], 1), np.float32)

    def within(self, values: Numbers, nodes: Ints) -> Floats:
        """Return the mean of `values`, weighted by length, over the blocks of each container in `nodes`."""
        sums = self.sums(values)
        low, high = self.node_first[nodes], self.node_end[nodes]
        return np.asarray((sums[high] - sums[low]) / np.maximum(self.reached[high] - self.reached[low], 1), np.float32)

    def counted(self, values: Numbers, nodes: Ints) -> Floats:
        """Return the plain sum of `values` over the blocks of each container in `nodes`."""
        sums = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
        return np.asarray(sums[self.node_end[nodes]] - sums[self.node_first[nodes]], np.float32)

    def by_kind(self, values: Numbers) -> Floats:
        """Return the mean of `values`, weighted by length, over the blocks of each block's kind."""
        whole = np.bincount(self.kind, self.length)
        means = np.bincount(self.kind, self.length * values) / np.maximum(whole, 1)
        return np.asarray(means[self.kind], np.float32)


def shift(values: Numbers, by: int, fill: float = -1.0) -> Floats:
    """Return what stands `by` blocks before each one, behind it for a negative number, `fill` past the edges."""
    moved = np.full(len(values), fill, np.float32)
    if 0 < by < len(values):
        moved[by:] = values[:-by]
    elif 0 < -by < len(values):
        moved[:by] = values[-by:]
    return moved
