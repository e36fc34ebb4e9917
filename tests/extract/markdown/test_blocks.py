"""Lists, tables, headings, callouts and what else stands on its own."""

# ruff: noqa: E501 - a page is easier to recognise in one line

import pytest

from tests.extract.markdown.pages import markdown, render_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li>d</li></ul>", "- a\n  1. b\n     - c\n- d"),
        ("<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"),
        ("<ol><li value=3>a</li><li>b</li></ol>", "3. a\n4. b"),
        ("<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"),
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a<ol start=3><li>b</li></ol></li></ul>", "- a\n\n  3. b"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
        ("<ul><li><input type=checkbox checked> a</li><li><p><input type=checkbox>b</p></li></ul>", "- [x] a\n- [ ] b"),
        ("<ul><div><li>a</li></div></ul>", "- a"),
        ("<li>a</li>", "- a"),
        ("<ul><li><hr></li></ul>", "- ***"),
        ("<dl><dt>T</dt><dd>one</dd><dd>two</dd></dl>", "**T**\n\none\n\ntwo"),
    ],
)
def test_lists_keep_their_depth_numbers_and_boxes(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
         ["|  |  |", "| --- | --- |", "| a | b |", "| c | d |"]),
        ("<table><caption>Cap</caption><thead><tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><th>x</th><th>y</th></tr></thead>"
         "<tr><td>1</td><td>2</td><td>3</td></tr></table>",
         ["Cap", "", "| A | B |  |", "| --- | --- | --- |", "|  | x | y |", "| 1 | 2 | 3 |"]),
        ("<table><tr><th>A</th><th align=right>B</th></tr><tr><td>p|q</td><td><code>r|s</code></td></tr></table>",
         ["| A | B |", "| --- | ---: |", "| p\\|q | `r\\|s` |"]),
        ("<table><tr><th>A</th><th>B</th></tr><tr><td><p>x</p><p>y<br>z</p></td><td><ul><li>i</li><li>j</li></ul></td></tr></table>",
         ["| A | B |", "| --- | --- |", "| x<br>y<br>z | - i<br>- j |"]),
        ("<table><tr><th>A</th><th>B</th></tr><tr><td>o</td><td><table><tr><td>in</td></tr></table></td></tr></table>",
         ["| A | B |", "| --- | --- |", "| o | in |"]),
        ("<table><tr><th>A</th><th>B</th></tr><tr><td>short</td></tr><tr><td></td><td></td></tr></table>",
         ["| A | B |", "| --- | --- |", "| short |  |"]),
        ("<table role=presentation><tr><td>a</td><td>b</td></tr></table>", ["a", "", "b"]),
        ("<table><tr><td><h2>T</h2><p>x</p></td><td>side</td></tr></table>", ["## T", "", "x", "", "side"]),
        ("<table><tr><td><table><tr><td>nested mail</td></tr></table></td></tr></table>", ["nested mail"]),
    ],
)  # fmt: skip
def test_tables_are_even_and_layout_is_no_table(html: str, rows: list[str]) -> None:
    assert markdown(html).split("\n") == rows


HEADINGS = [
    ('<h2 id="a">T<a class="headerlink" href="#a" title="Link">¶</a></h2>', "T", "a"),
    ('<h2><a id="a" class="anchor" href="#a" aria-hidden="true"><svg></svg></a>T</h2>', "T", "a"),
    ('<h2 id="a"><a href="#a">T</a></h2>', "T", "a"),
    ('<h2 id="a">T<a href="#a" class="hash-link" aria-label="Direct link to T">&#8203;</a></h2>', "T", "a"),
    ('<h2 id="a">T <a class="anchor" href="#a">Permalink</a><button>Copy link</button></h2>', "T", "a"),
    ('<h2><span class="mw-headline" id="a">T</span><span class="mw-editsection">[<a href="/e">edit</a>]</span></h2>', "T", "a"),
    ('<div class="markdown-heading"><h2>T</h2><a class="anchor" href="#a"><span></span></a></div>', "T", "a"),
    ('<section id="a"><h2>T</h2></section>', "T", "a"),
    ('<a name="a"></a><h2>T</h2>', "T", "a"),
    ("<h2>Änderung: T &amp; U</h2>", "Änderung: T & U", "änderung-t--u"),
    ('<h2><button aria-expanded="false">T</button></h2>', "T", "t"),
    ("<h2>\n  <div>T</div>\n  <div>U</div>\n</h2>", "T U", "t-u"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "title", "anchor"), HEADINGS)
def test_headings_have_their_words_and_their_anchor(html: str, title: str, anchor: str) -> None:
    rendering = render_html(html)
    assert rendering.markdown == f"## {title}"
    assert [(heading.title, heading.anchor) for heading in rendering.outline] == [(title, anchor)]


def test_heading_lines_are_those_of_the_markdown() -> None:
    rendering = render_html(
        "<p>a<br>b</p><pre>x\n# no heading\ny</pre><blockquote><h2>In</h2></blockquote><h1>Out</h1>"
    )
    lines = rendering.markdown.split("\n")
    assert [lines[heading.line_start - 1].lstrip("> ") for heading in rendering.outline] == ["## In", "# Out"]
    assert rendering.outline[-1].line_end == len(lines)


CALLOUTS = [
    ('<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title"><svg></svg>Tip</p><p>x</p></div>', "TIP", ""),
    ('<div class="admonition warning"><p class="admonition-title">Warning</p><p>x</p></div>', "WARNING", ""),
    ('<div class="admonition note"><p class="admonition-title">Mind the gap</p><p>x</p></div>', "NOTE", "Mind the gap"),
    ('<div class="theme-admonition theme-admonition-info alert alert--info"><div class="admonitionHeading_q">info</div><div><p>x</p></div></div>', "NOTE", ""),
    ('<div class="danger custom-block"><p class="custom-block-title">DANGER</p><p>x</p></div>', "CAUTION", ""),
    ('<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">Caution</p><p>x</p></aside>', "CAUTION", ""),
    ('<details class="tip"><summary>More</summary><p>x</p></details>', "TIP", "More"),
    ('<div class="admonitionblock important"><table><tr><td class="icon"><div class="title">Important</div></td><td class="content">x</td></tr></table></div>', "IMPORTANT", ""),
    ('<blockquote class="book-hint warning"><p>x</p></blockquote>', "WARNING", ""),
    ('<div class="NOTE"><p>Hinweis</p><p>x</p></div>', "NOTE", "Hinweis"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "kind", "title"), CALLOUTS)
def test_callouts_become_alerts(html: str, kind: str, title: str) -> None:
    assert markdown(html) == f"> [!{kind}]\n" + (f"> **{title}**\n>\n" if title else "") + "> x"


def test_details_and_figures_are_blocks_of_their_own() -> None:
    assert markdown("<details><summary>More</summary><p>x</p></details>") == "**More**\n\nx"
    html = '<figure><img src="/a.png" alt="A"><figcaption>Cap <b>tion</b></figcaption></figure>'
    assert markdown(html) == "![A](https://garden.example/a.png)\n\nCap **tion**"
