"""Boosted decision trees, evaluated with numpy.

A tree of at most 16 leaves is one 16-bit mask for each of its inner nodes: the leaves that stay reachable when the
node's test sends a row to the right. The lowest bit of all these masks together is the leaf the row comes to
(QuickScorer, Lucchese et al., SIGIR 2015), so that a forest needs comparisons and one table, no branches.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contentbot.extract.blocks.layout import Floats

LEAVES = 16
_ROWS_AT_ONCE = 256


def _lowest_bits() -> NDArray[np.uint8]:
    lowest = np.zeros(1 << LEAVES, np.uint8)
    for bit in range(LEAVES - 1, -1, -1):
        lowest[1 << bit :: 1 << (bit + 1)] = bit
    return lowest


_LOWEST = _lowest_bits()


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees of the same number of inner nodes; a node that no row passes has the threshold infinity.

    Attributes:
        feature, threshold, mask: tree by inner node; a row goes to the right where its feature is over the threshold.
        leaf: tree by leaf, what is added to the sum.
    """

    feature: NDArray[np.intp]
    threshold: Floats
    mask: NDArray[np.uint16]
    leaf: Floats

    @property
    def width(self) -> int:
        """How many features a row needs at least."""
        return int(self.feature.max()) + 1

    def sums(self, rows: Floats, classes: int = 1) -> Floats:
        """Return the sums of the trees for each row, by class; tree number n is of class n modulo `classes`."""
        trees, nodes = self.feature.shape
        # nodes before trees: what is put together then stands in long rows
        found = np.zeros((len(rows), classes), np.float32)
        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        feature, threshold = self.feature.T.ravel(), self.threshold.T.ravel()[:, None]
        lost, leaf = ~self.mask.T.ravel()[:, None], self.leaf.ravel()
        first_leaf = np.arange(trees)[:, None] * self.leaf.shape[1]
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            right = columns[:, start : start + _ROWS_AT_ONCE][feature] > threshold
            # a product, for numpy chooses many times slower than it multiplies
            out_of_reach = np.bitwise_or.reduce((right * lost).reshape(nodes, trees, -1), axis=0)
            values = leaf[first_leaf + _LOWEST[~out_of_reach]]
            for number in range(classes):
                found[start : start + _ROWS_AT_ONCE, number] = values[number::classes].sum(0)
        return found

    def probabilities(self, rows: Floats) -> Floats:
        """Return the probability of each row."""
        return np.asarray(1 / (1 + np.exp(-self.sums(rows)[:, 0])), np.float32)

    def shares(self, rows: Floats, classes: int) -> Floats:
        """Return the probability of each class, by row."""
        sums = self.sums(rows, classes)
        powers = np.exp(sums - sums.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return what `from_arrays` reads, small and without code."""
        return {
            f"{name}.feature": self.feature.astype(np.uint16),
            f"{name}.threshold": self.threshold,
            f"{name}.mask": self.mask,
            f"{name}.leaf": self.leaf,
        }

    @classmethod
    def from_arrays(cls, stored: Mapping[str, NDArray[np.generic]], name: str) -> "Forest":
        """Read a forest back; KeyError when it is not there."""
        return cls(
            np.asarray(stored[f"{name}.feature"], np.intp),
            np.asarray(stored[f"{name}.threshold"], np.float32),
            np.asarray(stored[f"{name}.mask"], np.uint16),
            np.asarray(stored[f"{name}.leaf"], np.float32),
        )
