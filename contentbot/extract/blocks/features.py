"""Features of blocks for the first stage: what they say, where they stand, and what stands around them."""

from collections import Counter

import numpy as np

from contentbot.extract.blocks import wording
from contentbot.extract.blocks.columns import Columns
from contentbot.extract.blocks.hints import Hints
from contentbot.extract.blocks.layout import Floats, Layout, shift
from contentbot.extract.blocks.lexicon import Lexicon, NameScores, score_names
from contentbot.extract.blocks.vocabulary import FAMILY_NAMES, PARAGRAPH, TAG

_FAR = 99


def read_features(layout: Layout, hints: Hints, lexicon: Lexicon) -> Columns:
    """Return the features of each block that need nothing but the page."""
    columns = Columns(layout.count)
    words = wording.describe(layout.blocks.text, hints, lexicon)
    names = score_names(layout.blocks.containers, lexicon)
    scores = words[:, wording.NAMES.index("word_mean")]
    _add_form(columns, layout, words)
    _add_place(columns, layout, names)
    _add_heading(columns, layout, words, names)
    _add_prose(columns, layout)
    _add_containers(columns, layout, words, names)
    _add_neighbours(columns, layout, names, scores)
    _add_surroundings(columns, layout, words, names)
    return columns


def _add_form(columns: Columns, layout: Layout, words: Floats) -> None:
    blocks = layout.blocks
    columns.add("length", layout.length)
    columns.add("log_length", np.log1p(layout.length))
    columns.add("linked", layout.linked)
    columns.add("local", np.array(blocks.local, np.float32))
    columns.add("strong", np.array(blocks.strong, np.float32))
    columns.add("tag", layout.tag)
    columns.add_all(wording.NAMES, words)


def _add_place(columns: Columns, layout: Layout, names: NameScores) -> None:
    blocks, index, count = layout.blocks, layout.index, layout.count
    following: dict[str, int] = {}
    repeated = np.zeros(count, np.float32)
    for number in range(count - 1, -1, -1):
        text = blocks.text[number]
        repeated[number] = following.get(text, number) - number
        following[text] = number
    columns.add("repeated", repeated)
    columns.add("index", index)
    columns.add("place", index / count)
    columns.add("from_end", count - index)
    columns.add("place_chars", layout.reached[:-1] / layout.total)
    columns.add("log_chars_before", np.log1p(layout.reached[:-1]))
    inside = np.array(blocks.containers.inside, np.int64)[layout.node]
    for bit, family in enumerate(FAMILY_NAMES):
        columns.add(f"in_{family}", (inside >> bit) & 1)
    columns.add("depth", np.array(blocks.containers.depth)[layout.node])
    for name in ("worst", "best", "fading", "own"):
        columns.add(f"names_{name}", getattr(names, name)[layout.node])
    headings = np.flatnonzero(layout.tag == TAG["h1"])
    columns.add("after_h1", index - headings[0] if len(headings) else -999.0)
    images = np.array(blocks.images, np.float32)
    columns.add("image_before", images - shift(images, 1, 0.0))
    columns.add("image_behind", shift(images, -1, images[-1]) - images)


def _add_heading(columns: Columns, layout: Layout, words: Floats, names: NameScores) -> None:
    """Add what the heading above each block is like."""
    above, there = layout.heading, layout.has_heading
    for name in wording.HEADING_SCORES:
        columns.add(f"heading_{name}", np.where(there, words[above, wording.NAMES.index(name)], 0))
    columns.add("heading_distance", np.where(there, layout.index - above, _FAR))
    columns.add("heading_names_worst", np.where(there, names.worst[layout.node[above]], 0))
    columns.add("heading_tag", np.where(there, layout.tag[above], 0))
    columns.add("heading_linked", np.where(there, layout.linked[above], -1))


def _add_prose(columns: Columns, layout: Layout) -> None:
    """Add the distances to the nearest, the first and the last paragraph of prose."""
    index, prose = layout.index, np.flatnonzero(layout.long)
    if not len(prose):
        for name in ("prose_before", "prose_behind", "first_prose", "last_prose"):
            columns.add(name, _FAR)
        return
    place = np.searchsorted(prose, index)
    before = index - prose[np.maximum(place - 1, 0)]
    behind = prose[np.minimum(place, len(prose) - 1)] - index
    columns.add("prose_before", np.where(place > 0, before, _FAR))
    columns.add("prose_behind", np.where(place < len(prose), behind, _FAR))
    columns.add("first_prose", index - prose[0])
    columns.add("last_prose", index - prose[-1])


def _add_containers(columns: Columns, layout: Layout, words: Floats, names: NameScores) -> None:
    nodes = layout.blocks.containers
    siblings = Counter(zip(nodes.parent, nodes.signature, strict=True))
    alike = np.array([siblings[pair] for pair in zip(nodes.parent, nodes.signature, strict=True)], np.float32)
    images = np.array(nodes.images, np.float32)
    dated = np.maximum(words[:, wording.NAMES.index("date")], 0)
    priced = np.maximum(words[:, wording.NAMES.index("price")], 0)
    for level in (0, 1, 2, 3, 5):
        node = layout.level[level]
        first, end = layout.node_first[node], layout.node_end[node]
        size, chars = np.maximum(end - first, 1), layout.reached[end] - layout.reached[first]
        columns.add(f"{level}_share", chars / layout.total)
        columns.add(f"{level}_blocks", size)
        columns.add(f"{level}_mean_length", chars / size)
        columns.add(f"{level}_linked", layout.within(layout.linked, node))
        columns.add(f"{level}_prose", layout.within(layout.long, node))
        columns.add(f"{level}_alike", alike[node])
        columns.add(f"{level}_names_worst", names.worst[node])
        columns.add(f"{level}_names_best", names.best[node])
        columns.add(f"{level}_place", (layout.index - first) / size)
        if level:
            columns.add(f"{level}_names_own", names.own[node])
            columns.add(f"{level}_tag", layout.node_tag[node])
            columns.add(f"{level}_images", images[node] / size)
            columns.add(f"{level}_headings", layout.counted(layout.is_heading, node) / size)
            columns.add(f"{level}_dates", layout.counted(dated, node) / size)
            columns.add(f"{level}_prices", layout.counted(priced, node) / size)
    columns.add("kind_size", layout.kind_size[layout.kind])
    whole = np.bincount(layout.kind, layout.length)
    columns.add("kind_share", (whole / layout.total)[layout.kind])
    columns.add("kind_mean_length", (whole / layout.kind_size)[layout.kind])
    columns.add("kind_linked", layout.by_kind(layout.linked))


def _add_neighbours(columns: Columns, layout: Layout, names: NameScores, scores: Floats) -> None:
    worst, best, around = names.worst[layout.node], names.best[layout.node], layout.level[1]
    for by in (1, 2, 3, -1, -2, -3):
        columns.add(f"{by}_length", shift(layout.length, by))
        columns.add(f"{by}_linked_", shift(layout.linked, by))
        columns.add(f"{by}_tag_", shift(layout.tag, by))
        columns.add(f"{by}_worst", shift(worst, by))
        columns.add(f"{by}_best", shift(best, by))
        columns.add(f"{by}_same_kind", shift(layout.kind, by) == layout.kind)
        columns.add(f"{by}_words", shift(scores, by, 0.0))
        if abs(by) < 3:
            columns.add(f"{by}_same_parent", shift(around, by) == around)


def _add_surroundings(columns: Columns, layout: Layout, words: Floats, names: NameScores) -> None:
    paragraphs = layout.tag == PARAGRAPH
    cut_off = words[:, wording.NAMES.index("cut_off")]
    columns.add("cut_off_near", layout.window(cut_off, 4))
    columns.add("cut_off_kind", (np.bincount(layout.kind, cut_off) / layout.kind_size)[layout.kind])
    for radius in (3, 8, 20):
        columns.add(f"linked_{radius}", layout.window(layout.linked, radius))
        columns.add(f"prose_{radius}", layout.window(layout.long, radius))
        columns.add(f"paragraphs_{radius}", layout.window(paragraphs, radius))
        columns.add(f"worst_{radius}", layout.window(names.worst[layout.node], radius))
        columns.add(f"fading_{radius}", layout.window(names.fading[layout.node], radius))
