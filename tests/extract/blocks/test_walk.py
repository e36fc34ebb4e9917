"""A page as blocks: where one ends, what it counts, what the containers around it hold."""

from lxml.html import HtmlElement, document_fromstring

from contentbot.extract.blocks.main import read_blocks
from contentbot.extract.blocks.walk import Blocks, subwords


def blocks_of(html: str) -> Blocks:
    tree: HtmlElement = document_fromstring(f"<html><body>{html}</body></html>")
    body = tree.find("body")
    assert body is not None
    return read_blocks(body)


def test_a_block_ends_where_a_block_level_element_begins_or_ends():
    assert blocks_of("One <b>and</b> two<p>Three</p> four<div>Five<p>Six</p></div>").text == [
        "One and two",
        "Three",
        "four",
        "Five",
        "Six",
    ]


def test_an_empty_line_of_two_breaks_ends_a_block_and_a_single_break_does_not():
    assert blocks_of("<p>One<br>two<br> <br>three</p>").text == ["One two", "three"]


def test_the_cells_of_a_simple_row_are_one_block_and_those_of_a_layout_are_not():
    row = "<table><tr><td>Rye</td><td>5 kg</td></tr></table>"
    layout = "<table><tr><td><p>A</p><p>B</p></td><td>C</td></tr></table>"
    assert blocks_of(f"<p>Before</p>{row}<p>Behind</p>").text == ["Before", "Rye | 5 kg", "Behind"]
    assert blocks_of(layout).text == ["A", "B", "C"]


def test_shares_of_links_and_emphasis_are_of_the_blocks_characters():
    read = blocks_of("<p><a href=/x>abcd</a> ef<b>gh</b></p><p><a href='#y'>top</a></p>")
    assert read.linked == [4 / 9, 1.0]
    assert read.local == [0.0, 1.0]
    assert read.strong == [2 / 9, 0.0]


def test_every_container_holds_a_range_of_blocks():
    read = blocks_of("<main><p>A</p><ul><li>B</li><li>C</li></ul></main><footer>D</footer>")
    nodes = read.containers
    ranges = [read.text[first:end] for first, end in zip(nodes.first, nodes.end, strict=True)]
    assert ranges == [["A", "B", "C", "D"], ["A", "B", "C"], ["A"], ["B", "C"], ["B"], ["C"], ["D"]]


def test_every_piece_of_text_belongs_to_the_block_that_shows_it():
    read = blocks_of("<p>One <b>two</b> three</p> <table><tr><td>a</td> <td>b</td></tr></table>")
    shown: dict[int, str] = {}
    for (element, behind), owner in zip(read.pieces, read.owner, strict=True):
        text = str((element.tail if behind else element.text) or "")
        assert (owner < 0) == text.isspace()
        shown[owner] = shown.get(owner, "") + text
    shown.pop(-1)
    assert shown == {0: "One two three", 1: "ab"}


def test_names_are_read_as_their_words():
    assert subwords("post-bodyText js_HTML x1") == ("post", "body", "text", "js", "html")
