"""Which set of blocks is kept."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from contentbot.extract.blocks.choice import choose_blocks

SHARES = st.lists(st.tuples(st.floats(0.015625, 0.984375, width=32), st.integers(1, 50)), min_size=1, max_size=8)


def value(keep: tuple[bool, ...], likely: list[float], length: list[int]) -> float:
    """The F1 of a set by the expected numbers of characters."""
    hits = sum(p * n for kept, p, n in zip(keep, likely, length, strict=True) if kept)
    size = sum(n for kept, n in zip(keep, length, strict=True) if kept)
    return 2 * hits / (size + sum(p * n for p, n in zip(likely, length, strict=True)))


@given(SHARES)
def test_no_other_set_has_a_higher_expected_f1(blocks: list[tuple[float, int]]):
    likely, length = [p for p, _ in blocks], [n for _, n in blocks]
    kept = choose_blocks(np.array(likely, np.float32), np.array(length, np.float32), article=0.0)
    best = max(value(keep, likely, length) for keep in product([False, True], repeat=len(blocks)))
    assert value(tuple(kept.tolist()), likely, length) >= best - 1e-4


def test_an_article_is_read_strictly_and_never_left_empty():
    likely, length = np.array([0.9, 0.42, 0.4], np.float32), np.full(3, 100, np.float32)
    assert choose_blocks(likely, length, article=0.0).tolist() == [True, True, True]
    assert choose_blocks(likely, length, article=1.0).tolist() == [True, False, False]
    assert choose_blocks(np.array([0.1, 0.2], np.float32), length[:2], article=1.0).any()
