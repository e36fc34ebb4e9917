"""Trees as masks give what trees as branches give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from contentbot.extract.blocks.forest import LEAVES, Forest


def made(seed: int, trees: int, nodes: int) -> tuple[Forest, list[dict]]:
    """A forest, and the same trees as nested branches."""
    random = np.random.RandomState(seed)
    forest = Forest(
        np.zeros((trees, LEAVES - 1), np.intp),
        np.full((trees, LEAVES - 1), np.inf, np.float32),
        np.full((trees, LEAVES - 1), 0xFFFF, np.uint16),
        np.zeros((trees, LEAVES), np.float32),
    )
    return forest, [_grow(forest, number, random, nodes) for number in range(trees)]


def _grow(forest: Forest, number: int, random: np.random.RandomState, budget: int) -> dict:
    used = {"nodes": 0, "leaves": 0}

    def branch(left: int) -> tuple[dict, list[int]]:
        if left == 0:
            leaf = used["leaves"]
            used["leaves"] += 1
            forest.leaf[number, leaf] = random.randn()
            return {"value": forest.leaf[number, leaf]}, [leaf]
        place = used["nodes"]
        used["nodes"] += 1
        feature, threshold = random.randint(4), np.float32(random.randint(-2, 3))
        forest.feature[number, place], forest.threshold[number, place] = feature, threshold
        share = random.randint(left)
        low, leaves = branch(share)
        forest.mask[number, place] = 0xFFFF & ~sum(1 << leaf for leaf in leaves)
        high, more = branch(left - 1 - share)
        return {"feature": feature, "threshold": threshold, "low": low, "high": high}, leaves + more

    return branch(budget)[0]


def walked(tree: dict, row: np.ndarray) -> float:
    while "value" not in tree:
        tree = tree["high"] if row[tree["feature"]] > tree["threshold"] else tree["low"]
    return float(tree["value"])


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, LEAVES - 1), st.integers(1, 300))
def test_masks_find_the_leaf_that_the_branches_lead_to(seed: int, trees: int, nodes: int, rows: int):
    forest, branches = made(seed, trees, nodes)
    table = np.random.RandomState(seed).randint(-3, 4, (rows, 4)).astype(np.float32)
    wanted = [sum(walked(tree, row) for tree in branches) for row in table]
    np.testing.assert_allclose(forest.sums(table)[:, 0], wanted, rtol=1e-4, atol=1e-4)


def test_classes_take_turns_and_their_shares_sum_to_one():
    forest, branches = made(7, 6, 5)
    row = np.array([[1, -1, 0, 2]], np.float32)
    wanted = [sum(walked(tree, row[0]) for tree in branches[number::3]) for number in range(3)]
    np.testing.assert_allclose(forest.sums(row, 3)[0], wanted, rtol=1e-5)
    np.testing.assert_allclose(forest.shares(row, 3).sum(), 1, rtol=1e-5)


def test_a_forest_is_read_back_as_it_was_written():
    forest, _ = made(3, 4, 9)
    again = Forest.from_arrays(forest.arrays("f"), "f")
    table = np.random.RandomState(1).randn(50, 4).astype(np.float32)
    np.testing.assert_array_equal(forest.sums(table), again.sums(table))
