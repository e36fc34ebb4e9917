"""Links, images, players, footnotes and formulas."""

# ruff: noqa: E501 - a page is easier to recognise in one line

import pytest

from tests.extract.markdown.pages import markdown, render_html

SITE = "https://garden.example"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="/a b?c=d e">x</a>', f"[x]({SITE}/a%20b?c=d%20e)"),
        ('<a href="../up/">x</a>', f"[x]({SITE}/up/)"),
        ('<a href="#part">x</a>', f"[x]({SITE}/notes/tools#part)"),
        ('<a href="//cdn.example/x">x</a>', "[x](https://cdn.example/x)"),
        ('<a href="/w/Tree_(oak)">x</a>', f"[x]({SITE}/w/Tree_(oak))"),
        ('<a href="/w/a(b">x</a>', f"[x]({SITE}/w/a%28b)"),
        ('<a href="javascript:void(0)">x</a>', "x"),
        ('<a href=" java\nscript:alert(1)">x</a>', "x"),
        ('<a href="data:text/html,y">x</a>', "x"),
        ('<a href="http://[">x</a>', "x"),
        ('<a href="mailto:a@b.example">x</a>', "[x](mailto:a@b.example)"),
        ('<a href="https://a.example/y">https://a.example/y</a>', "<https://a.example/y>"),
        ('<a href="/e"></a><a href="/e"> </a>x', "x"),
        ('<a href="/e">[1</a>', f"[\\[1]({SITE}/e)"),
        ('<a href="/e"> x </a>y', f"[x]({SITE}/e) y"),
        ('<a href="/e"><img src="/p.png" alt="P"></a>', f"[![P]({SITE}/p.png)]({SITE}/e)"),
        ('<a href="/e"><h3>T</h3><p>text</p></a>', f"### [T]({SITE}/e)\n\ntext"),
        ('<a href="/e" title="says more">x</a>', f'[x]({SITE}/e "says more")'),
    ],
)
def test_links_lead_where_the_page_leads(html: str, expected: str) -> None:
    assert markdown(f"<div>{html}</div>") == expected


GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


@pytest.mark.parametrize(
    "html",
    [
        '<img src="/real.png" alt="R">',
        f'<img src="{GIF}" data-src="/real.png" alt="R">',
        '<img src="/w50/real.png" data-src="/real.png" alt="R">',
        '<img src="/blank.gif" data-original="/real.png" alt="R">',
        f'<img src="{GIF}" data-lazy-src="/real.png" alt="R">',
        f'<img src="{GIF}" srcset="/small.png 300w, /real.png 1200w" alt="R">',
        f'<img src="{GIF}" data-srcset="/real.png 2x, /small.png 1x" alt="R">',
        f'<picture><source srcset="/small.png 1x, /real.png 3x"><img src="{GIF}" alt="R"></picture>',
        f'<img class="lazy" src="{GIF}" alt="R"><noscript><img src="/real.png" alt="R"></noscript>',
        '<img src="/real.png" alt="R"><noscript><img src="/real.png" alt="R"></noscript>',
        '<img src="/real.png" alt="R"><img src="https://t.example/p" width="1" height="1">',
        f'<img src="/real.png" alt="R"><img src="{GIF}">',
    ],
)
def test_the_real_picture_is_found_once(html: str) -> None:
    assert markdown(html) == f"![R]({SITE}/real.png)"


def test_image_text_may_hold_brackets_and_emoji_are_characters() -> None:
    assert markdown('<img src="/a.png" alt="a [b] *c*">') == f"![a \\[b\\] \\*c\\*]({SITE}/a.png)"
    assert markdown('<p>hi <img class="emoji" alt="🌱" src="/e.png"></p>') == "hi 🌱"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<iframe src="https://v.example/embed/1" title="A talk"></iframe>', "[A talk](https://v.example/embed/1)"),
        ('<iframe data-src="https://v.example/embed/1"></iframe>', "[v.example](https://v.example/embed/1)"),
        ('<video title="V"><source src="/v.mp4">old browser</video>', f"[V]({SITE}/v.mp4)"),
        ('<audio src="/a.ogg"></audio>', f"[Audio]({SITE}/a.ogg)"),
        ('<embed src="/x.pdf"><p>after</p>', f"[garden.example]({SITE}/x.pdf)\n\nafter"),
        ('<iframe src="about:blank"></iframe><iframe src="https://www.googletagmanager.com/ns.html"></iframe>', ""),
    ],
)
def test_players_become_links_that_plain_text_leaves_out(html: str, expected: str) -> None:
    rendering = render_html(html)
    assert rendering.markdown == expected
    assert rendering.plain_text == ("after" if "after" in expected else "")


FOOTNOTES = {
    "markdown-it": '<p>A<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p><hr class="footnotes-sep"><section class="footnotes">'
    '<ol><li id="fn1"><p>Note <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>',
    "pandoc": '<p>A<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section class="footnotes" role="doc-endnotes"><hr>'
    '<ol><li id="fn1"><p>Note<a href="#fnref1" role="doc-backlink">↩</a></p></li></ol></section>',
    "github": '<p>A<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="">1</a></sup></p><section data-footnotes class="footnotes">'
    '<h2 class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>Note <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></li></ol></section>',
    "kramdown": '<p>A<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>Note&nbsp;'
    '<a href="#fnref:1" class="reversefootnote">&#8617;</a></p></li></ol></div>',
    "mediawiki": '<p>A<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup></p><ol class="references"><li id="cite_note-1">'
    '<span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span> <span class="reference-text">Note</span></li></ol>',
    "sphinx": '<p>A<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p>'
    '<aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><a role="doc-backlink" href="#id1">1</a></span><p>Note</p></aside>',
    "docutils": '<p>A<a class="footnote-reference brackets" href="#id2" id="id1">1</a></p><dl class="footnote brackets"><dt class="label" id="id2">'
    '<a class="fn-backref" href="#id1">1</a></dt><dd><p>Note</p></dd></dl>',
    "wordpress": '<p>A<sup data-fn="u" class="fn"><a href="#u" id="u-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="u">Note <a href="#u-link">↩︎</a></li></ol>',
    "asciidoctor": '<p>A<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1</a>]</sup></p><div id="footnotes"><hr>'
    '<div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Note</div></div>',
    "word": '<p>A<a href="#_ftn1" name="_ftnref1">[1]</a></p><p><a href="#_ftnref1" name="_ftn1">[1]</a> Note</p>',
}  # fmt: skip


@pytest.mark.parametrize("html", FOOTNOTES.values(), ids=FOOTNOTES)
def test_footnotes_of_every_generator_are_footnotes(html: str) -> None:
    rendering = render_html(html)
    assert rendering.markdown == "A[^1]\n\n[^1]: Note"
    assert rendering.plain_text == "A[1]\n\n[1] Note"


def test_a_note_keeps_its_blocks_and_a_table_of_contents_is_none() -> None:
    html = '<p>A<sup><a href="#fn1" id="r">1</a></sup></p><ol><li id="fn1"><p>x</p><pre>y</pre></li></ol>'
    assert markdown(html) == "A[^1]\n\n[^1]: x\n\n    ```\n    y\n    ```"
    assert "[^" not in markdown('<ul><li><a href="#a">1</a></li></ul><h2 id="a">One</h2>')
    assert markdown('<p>A<sup><a href="#fn9">9</a></sup></p>') == f"A<sup>[9]({SITE}/notes/tools#fn9)</sup>"


@pytest.mark.parametrize(
    "html",
    [
        '<span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a_1^2</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true">a12</span></span>',
        '<span class="MathJax_Preview">a</span><span class="MathJax">a12</span><script type="math/tex">a_1^2</script>',
        '<mjx-container class="MathJax"><svg></svg><mjx-assistive-mml><math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math></mjx-assistive-mml></mjx-container>',
        '<math alttext="a_1^2"><mi>a</mi></math>',
        '<span class="mwe-math-element"><span><math><semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a_1^2}</annotation></semantics></math></span>'
        '<img class="mwe-math-fallback-image-inline" src="/f.svg" alt="{\\displaystyle a_1^2}"></span>',
        '<img class="latex" src="/l.png" alt="a_1^2">',
        "\\(a_1^2\\)",
        '<span class="math inline">\\(a_1^2\\)</span>',
    ],
)  # fmt: skip
def test_formulas_are_tex_once(html: str) -> None:
    assert markdown(f"<p>so {html} holds</p>") == "so $a_1^2$ holds"


def test_displayed_formulas_stand_alone() -> None:
    html = (
        '<p>so <span class="katex-display"><span class="katex"><math display="block"><semantics><mi>x</mi>'
        '<annotation encoding="application/x-tex">x</annotation></semantics></math></span></span> holds</p><p>$$y$$</p>'
    )
    assert markdown(html) == "so\n\n$$\nx\n$$\n\nholds\n\n$$\ny\n$$"
