"""Features for the second stage: what the first one thinks of a block's neighbours, containers, kind and section."""

import numpy as np

from contentbot.extract.blocks.columns import Columns
from contentbot.extract.blocks.layout import Floats, Layout, shift


def add_second_look(columns: Columns, layout: Layout, likely: Floats) -> None:
    """Add what the probabilities of the first stage say about the surroundings of each block."""
    columns.add("likely", likely)
    for by in (1, 2, 3, 4, -1, -2, -3, -4):
        columns.add(f"likely_{by}", shift(likely, by))
    for radius in (2, 5, 12, 30):
        columns.add(f"likely_near_{radius}", layout.window(likely, radius))
    for level, node in enumerate(layout.level):
        columns.add(f"likely_level_{level}", layout.within(likely, node))
    expected = float((layout.length * likely).sum())
    sums = layout.sums(likely)
    for level in (1, 2, 3, 5):
        node = layout.level[level]
        inside = sums[layout.node_end[node]] - sums[layout.node_first[node]]
        columns.add(f"expected_level_{level}", inside / max(expected, 1))
    columns.add("likely_kind", layout.by_kind(likely))
    columns.add("likely_kind_plain", (np.bincount(layout.kind, likely) / layout.kind_size)[layout.kind])
    _add_extent(columns, layout, likely, expected)
    _add_sections(columns, layout, likely)
    columns.add("rank", np.argsort(np.argsort(-likely, kind="stable"), kind="stable") / layout.count)


def _add_extent(columns: Columns, layout: Layout, likely: Floats, expected: float) -> None:
    sure = np.flatnonzero((likely > 0.6) & (layout.length > 60))
    first, last = (sure[0], sure[-1]) if len(sure) else (0, layout.count - 1)
    columns.add("from_first_sure", layout.index - first)
    columns.add("from_last_sure", layout.index - last)
    columns.add("expected_share", expected / max(layout.total, 1))
    columns.add("log_expected", float(np.log1p(expected)))
    columns.add("doubt", float((layout.length * likely * (1 - likely)).sum()) / max(expected, 1))
    reached = np.cumsum(layout.length * likely)
    columns.add("expected_reached", reached / max(expected, 1))
    columns.add("log_expected_before", np.log1p(reached))
    columns.add("log_expected_behind", np.log1p(np.maximum(expected - reached, 0)))


def _add_sections(columns: Columns, layout: Layout, likely: Floats) -> None:
    section = layout.section
    count = int(section[-1]) + 1
    whole = np.bincount(section, layout.length, count)
    mean = np.bincount(section, layout.length * likely, count) / np.maximum(whole, 1)
    columns.add("likely_heading", likely[layout.heading])
    columns.add("from_heading", layout.index - layout.heading)
    columns.add("likely_section", mean[section])
    columns.add("likely_section_before", np.where(section > 0, mean[section - 1], -1))
    columns.add("likely_section_behind", np.append(mean, -1)[section + 1])
