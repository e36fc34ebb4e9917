"""The model that is shipped: what its file is, and what it does to pages that nobody trained it on."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import document_fromstring

from contentbot.extract.blocks import Hints, find_main_part, read_hints
from contentbot.extract.blocks.layout import Layout
from contentbot.extract.blocks.main import read_blocks
from contentbot.extract.blocks.model import SHIPPED, ModelError, load, shipped, tabulate, using
from tests.extract.blocks.test_prune import TREES

STORY = "".join(
    f"<p>In the year {1900 + year} the mill had a new miller, who mended the wheel, greased the axle and cut the weir"
    f" anew; the village, which had waited {year} weeks for flour, thanked him with bread.</p>"
    for year in range(3, 12)
)
PAGE = f"""
<html><head><title>Millers</title><meta property=og:type content=article></head><body>
<header><nav><a href=/>Home</a> <a href=/mills>Mills</a> <a href=/about>About us</a></nav></header>
<div class=post-content><h1>Millers</h1>{STORY}</div>
<div class=related-posts><h3>Related posts</h3>
<ul><li><a href=/1>A story of eels</a><li><a href=/2>On rye</a></ul></div>
<footer>© Mills of the valley. All rights reserved. Subscribe to our newsletter.</footer></body></html>
"""


def kept(html: str) -> str:
    tree = document_fromstring(html)
    part = find_main_part(tree, html, read_hints(tree, "https://mill.example/millers"))
    return "" if part.node is None else " ".join("".join(part.node.itertext()).split())


def test_the_story_is_kept_and_what_stands_around_it_is_not():
    text = kept(PAGE)
    assert text.count("the mill had a new miller") == 9
    assert not any(word in text for word in ("Home", "Related", "eels", "newsletter"))


def test_two_processes_judge_alike():
    code = "from tests.extract.blocks.test_model import PAGE, kept; print(kept(PAGE))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {kept(PAGE) + "\n"}


def test_the_file_is_small_and_holds_no_code():
    assert SHIPPED.stat().st_size < 1 << 20
    with np.load(SHIPPED, allow_pickle=False) as stored:
        assert all(stored[name].dtype != object for name in stored.files)


def test_the_forests_read_exactly_the_features_that_are_made():
    tree = document_fromstring(PAGE)
    blocks = read_blocks(tree)
    layout, model, hints = Layout(blocks), shipped(), Hints()
    votes = [np.zeros(layout.count, np.float32)] * 2
    table = tabulate(layout, hints, votes, model.lexicon)
    judged = model.pages.judge(layout, hints, table.page, table.values)
    first = table.with_page(judged)
    assert model.first.width <= first.shape[1]
    assert model.second.width <= table.second_look(layout, first[:, 0] * 0, judged).shape[1]
    assert len(set(table.names)) == table.values.shape[1]


def test_a_model_is_read_back_as_it_was_written(tmp_path: Path):
    shipped().save(tmp_path / "model.npz")
    with using(load(tmp_path / "model.npz")):
        assert kept(PAGE) == kept(PAGE)


def test_a_damaged_file_is_told(tmp_path: Path):
    whole = SHIPPED.read_bytes()
    for name, content in {"cut.npz": whole[: len(whole) // 2], "other.npz": b"no model", "empty.npz": b""}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ModelError, match="install the package anew"):
            load(tmp_path / name)


@settings(max_examples=40, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=8))
def test_no_tree_is_too_odd(parts: list[str]):
    html = f"<html><body>{''.join(parts)}</body></html>"
    whole = "".join("".join(document_fromstring(html).itertext()).split())
    assert len("".join(kept(html).split())) <= len(whole)
