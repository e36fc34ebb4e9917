"""Forests by lightgbm, in the form that the package evaluates."""

from collections.abc import Iterator
from typing import Any

import lightgbm
import numpy as np

from contentbot.extract.blocks.forest import LEAVES, Forest
from contentbot.extract.blocks.layout import Floats

# one thread: the same trees on every machine
_ALWAYS: dict[str, Any] = {
    "bagging_freq": 1,
    "max_bin": 63,
    "lambda_l2": 5,
    "num_threads": 1,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}


def grow(rows: Floats, targets: Floats, weights: Floats, rounds: int, **parameters: Any) -> Forest:
    """Return a forest of `rounds` trees (times the number of classes)."""
    data = lightgbm.Dataset(rows, targets, weight=weights / weights.mean())
    return convert(lightgbm.train({"seed": 1} | _ALWAYS | parameters, data, rounds))


def convert(booster: lightgbm.Booster) -> Forest:
    """Return a booster as the package's forest."""
    trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    nodes = LEAVES - 1
    forest = Forest(
        np.zeros((len(trees), nodes), np.intp),
        np.full((len(trees), nodes), np.inf, np.float32),
        np.full((len(trees), nodes), 0xFFFF, np.uint16),
        np.zeros((len(trees), LEAVES), np.float32),
    )
    for number, tree in enumerate(trees):
        _Tree(forest, number).fill(tree)
    return forest


def average(forests: list[Forest]) -> Forest:
    """Return one forest that gives the mean of several."""
    parts = zip(*((one.feature, one.threshold, one.mask, one.leaf / len(forests)) for one in forests), strict=True)
    feature, threshold, mask, leaf = (np.concatenate(part) for part in parts)
    return Forest(feature, threshold, mask, leaf)


class _Tree:
    """One tree while its nodes and leaves are numbered from left to right."""

    def __init__(self, forest: Forest, number: int) -> None:
        self.forest, self.number = forest, number
        self.nodes = self.leaves = 0

    def fill(self, node: dict[str, Any]) -> list[int]:
        """Write a node and all below it; return its leaves."""
        return list(self._leaf(node) if "leaf_value" in node else self._inner(node))

    def _leaf(self, node: dict[str, Any]) -> Iterator[int]:
        self.forest.leaf[self.number, self.leaves] = node["leaf_value"]
        self.leaves += 1
        yield self.leaves - 1

    def _inner(self, node: dict[str, Any]) -> list[int]:
        place = self.number, self.nodes
        self.nodes += 1
        self.forest.feature[place] = node["split_feature"]
        self.forest.threshold[place] = _not_above(node["threshold"])
        left = self.fill(node["left_child"])
        self.forest.mask[place] = 0xFFFF & ~sum(1 << leaf for leaf in left)
        return left + self.fill(node["right_child"])


def _not_above(threshold: float) -> np.float32:
    """Return the nearest float32 that is not over a threshold: features are float32, so no test changes."""
    near = np.float32(threshold)
    return near if float(near) <= threshold else np.nextafter(near, np.float32(-np.inf))
