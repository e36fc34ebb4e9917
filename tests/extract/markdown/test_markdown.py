"""Small pieces of HTML as they stand in real pages, and the Markdown that says the same."""

import pytest

from tests.extract.markdown.pages import markdown, render_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<h2>Title <em>here</em></h2>Loose<div>Block</div>tail", "## Title *here*\n\nLoose\n\nBlock\n\ntail"),
        ("<p>The<b> wide </b>river, <i>deep</i></p>", "The **wide** river, *deep*"),
        ("<p>Line<br>break</p>", "Line  \nbreak"),
        ("<p>para<br><br>graphs</p>", "para\n\ngraphs"),
        ("<hr>", "---"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ],
)
def test_blocks_are_apart_and_inline_content_is_whole(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_plain_text_has_the_words_and_no_markup() -> None:
    rendering = render_html(
        '<h1>A</h1><p>b <a href="/x">c</a> <img src="/i.png" alt="d"></p><ul><li>e</li><li>f</li></ul>'
        "<table><tr><th>g</th><th>h</th></tr><tr><td>i</td><td>j</td></tr></table>"
    )
    assert rendering.plain_text == "A\n\nb c\n\ne\nf\n\ng\th\ni\tj"


def test_outline_names_sections_with_their_lines() -> None:
    rendering = render_html("<h1 id=top>A</h1><p>x</p><h2>B b</h2><p>y</p><h2>B b</h2><h1>C</h1>")
    assert [(h.level, h.title, h.anchor, h.line_start, h.line_end) for h in rendering.outline] == [
        (1, "A", "top", 1, 10),
        (2, "B b", "b-b", 5, 8),
        (2, "B b", "b-b-1", 9, 10),
        (1, "C", "c", 11, 11),
    ]
