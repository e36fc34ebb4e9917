"""The tree that is left holds the kept blocks and no other text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring, tostring

from contentbot.extract.blocks.main import read_blocks
from contentbot.extract.blocks.prune import keep_only


def pruned(html: str, kept: set[str]) -> str:
    tree: HtmlElement = document_fromstring(f"<html><body>{html}</body></html>")
    body = tree.find("body")
    assert body is not None
    blocks = read_blocks(body)
    part = keep_only(body, blocks, np.array([text in kept for text in blocks.text], np.bool_))
    return "" if part is None else tostring(part, encoding="unicode", with_tail=False)


def test_what_is_not_kept_goes_and_what_stays_keeps_its_elements():
    html = "<nav>Menu</nav><div><p class=x>One <b>two</b></p><p>Ad</p><p><img src=/a.png></p><p>Three</p></div>"
    assert pruned(html, {"One two", "Three"}) == (
        '<div><p class="x">One <b>two</b></p><p><img src="/a.png"></p><p>Three</p></div>'
    )


def test_text_beside_kept_elements_goes_too():
    assert pruned("<div>Share <p>One</p> Tags <p>Two</p></div>", {"One", "Two"}) == (
        "<div> <p>One</p> <p>Two</p> </div>".replace(" </div>", "</div>")
    )


def test_a_picture_between_kept_paragraphs_stays_when_its_caption_goes():
    figure = "<figure><img src=/a.png><figcaption>Photo: NN</figcaption></figure>"
    assert pruned(f"<div><p>One</p>{figure}<p>Two</p></div>", {"One", "Two"}) == (
        '<div><p>One</p><figure><img src="/a.png"></figure><p>Two</p></div>'
    )


def test_nothing_kept_is_no_part():
    assert pruned("<p>One</p>", set()) == ""


@pytest.mark.parametrize("tag", ["ul", "table", "pre"])
def test_the_part_is_never_the_inside_of_a_list_a_table_or_code(tag: str):
    inside = {"ul": "<li>One</li>", "table": "<tr><td>One</td></tr>", "pre": "<code>One</code>"}[tag]
    assert f"<{tag}>" in pruned(f"<div><p>No</p><{tag}>{inside}</{tag}></div>", {"One"})


TAGS = st.sampled_from(["div", "p", "b", "a", "ul", "li", "table", "tr", "td", "br", "h2", "span", "pre", "article"])
TREES = st.recursive(
    st.sampled_from(["word", " ", "two words", "\u00a0", "…"]),
    lambda inside: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inside, max_size=4)),
    max_leaves=30,
)


@given(st.lists(TREES, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_of_any_tree_exactly_the_kept_words_are_left(parts: list[str], random):
    tree: HtmlElement = document_fromstring(f"<html><body>{''.join(parts)}</body></html>")
    body = tree.find("body")
    if body is None:
        return
    blocks = read_blocks(body)
    keep = np.array([random.random() < 0.5 for _ in blocks.text], np.bool_)
    wanted = "".join(text for text, is_kept in zip(blocks.text, keep, strict=True) if is_kept)
    part = keep_only(body, blocks, keep)
    left = "" if part is None else "".join(part.itertext())
    assert "".join(left.split()) == "".join(wanted.replace(" | ", "").split())
