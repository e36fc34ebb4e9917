"""From the probabilities of blocks to the set of them that is kept."""

import numpy as np

from contentbot.extract.blocks.layout import Bools, Floats

# what readers of articles find worse than a paragraph less: a stray line; the higher, the stricter
ARTICLE_FLOOR = 0.45


def choose_blocks(likely: Floats, length: Floats, article: float) -> Bools:
    """Return which blocks to keep: the set of the highest expected F1 of characters.

    For a set in the order of falling probabilities that is those over half of the best F1. As far as the page is an
    `article` (a probability), no block under `ARTICLE_FLOOR` is kept.
    """
    order = np.argsort(-likely, kind="stable")
    kept, hits = np.cumsum(length[order]), np.cumsum((length * likely)[order])
    threshold = float((2 * hits / (kept + hits[-1] + 1e-9)).max()) / 2
    strict = article**4
    threshold = (1 - strict) * threshold + strict * max(threshold, ARTICLE_FLOOR)
    return np.asarray(likely >= min(threshold, float(likely.max())))
