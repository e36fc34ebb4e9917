"""From a page to its body, for faults that readers of other extractors have met."""

import pytest

from tests.extract.pages import HOME, document


def body(html: str, **more: str) -> str:
    return document(html, **more).body


def test_code_keeps_its_indentation_and_a_sentence_its_line():
    made = body(
        "<article><p>Declare <code>Hopper</code> and start it.</p>"
        "<pre>mill:\n  stones:\n    - upper\n    - lower\n</pre></article>"
    )
    assert "Declare `Hopper` and start it." in made.splitlines()
    assert "mill:\n  stones:\n    - upper\n    - lower" in made


def test_text_beside_blocks_is_kept_once_and_apart():
    made = document(
        "<main><section><p>Water</p>Beside it<div><h4>Stone</h4><p>Runs over</p>Below it</div></section></main>"
    )
    assert made.plain_text.split() == "Water Beside it Stone Runs over Below it".split()  # noqa: SIM905


def test_what_a_reader_does_not_see_is_no_text():
    made = document(
        '<main><p>Flour 3</p><p style="display: none">BAIT</p><div hidden>LATER</div>'
        '<span aria-hidden="true">sign</span><template><p>MOULD</p></template></main>'
    )
    assert made.plain_text == "Flour 3"


@pytest.mark.parametrize(
    ("picture", "address"),
    [
        ('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/p/weir.jpg" alt="Weir">', "/p/weir.jpg"),
        ('<img src="/tiny/weir.jpg" data-src="/weir.jpg" data-blurred="true" alt="Weir">', "/weir.jpg"),
        ('<img src="data:," data-srcset="/w1.jpg 300w, /w2.jpg 900w" alt="Weir">', "/w2.jpg"),
        ('<img src="/weir-s.jpg" data-srcset="/w1.jpg 300w, /w2.jpg 900w" alt="Weir">', "/w2.jpg"),
        ('<img src="/w20/weir.jpg" srcset="/w320/weir.jpg 320w, /w1280/weir.jpg 1280w" alt="Weir">', "/w1280/weir.jpg"),
        ('<img src="/i?u=weir&w=16" srcset="/i?u=weir&w=640 1x, /i?u=weir&w=1200 2x" alt="Weir">', "/i?u=weir&w=1200"),
        ('<img src="/weir.jpg" srcset="/weir-300.jpg 300w" alt="Weir">', "/weir.jpg"),
        ('<img src="/weir-20x15.jpg" alt="Weir">', "/weir-20x15.jpg"),
        ('<amp-img src="/weir.jpg" alt="Weir"><noscript><img src="/weir.jpg"></noscript></amp-img>', "/weir.jpg"),
    ],
)
def test_a_picture_that_waits_for_a_script_is_the_real_one(picture: str, address: str):
    assert body(f"<p>{picture}</p>", url=f"{HOME}/a") == f"![Weir]({HOME}{address})"


def test_players_of_amp_become_links():
    made = body("<p>See:</p><amp-video src=/turn.mp4></amp-video><p>and</p><amp-youtube data-videoid=w1></amp-youtube>")
    assert made == f"See:\n\n[Video]({HOME}/turn.mp4)\n\nand\n\n[youtube.com](https://www.youtube.com/watch?v=w1)"


def test_megabytes_of_state_in_the_head_cost_no_time():
    state = f"<script>window.STATE='{'b' * (12 << 20)}'</script>"
    made = document(f"<head><title>Mill</title>{state}</head><main><h1>Mill</h1><p>Words of it</p></main>")
    assert (made.title, made.plain_text) == ("Mill", "Mill\n\nWords of it")


def test_a_table_in_a_table_keeps_the_row_around_it():
    made = body("<table><tr><td>outer</td><td><table><tr><td>inner</td></tr></table></td></tr></table>")
    assert "| outer | inner |" in made
    assert made.count("inner") == 1


def test_names_in_code_are_not_escaped():
    made = body("<pre><code><span class=k>grain_per_sack</span> = 2</code></pre><p><kbd>K_1</kbd> <samp>S_2</samp></p>")
    assert "grain_per_sack = 2" in made
    assert "`K_1` `S_2`" in made


def test_empty_lines_of_code_stay():
    assert "one\n\n\n\n\ntwo" in body("<pre><b>one\n\n\n\n</b><i>\ntwo</i></pre>")


def test_a_column_of_line_numbers_is_no_code():
    made = body(
        "<table class=rouge-table><tr><td class=gutter><pre>1\n2\n3</pre></td>"
        "<td class=code><pre><code>a = 1\nb = 2\nc = 3</code></pre></td></tr></table>"
    )
    assert made == "```\na = 1\nb = 2\nc = 3\n```"
