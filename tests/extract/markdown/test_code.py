"""Code blocks of the highlighters that sites use."""

# ruff: noqa: E501 - a page is easier to recognise in one line

import pytest

from tests.extract.markdown.pages import markdown


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```"])


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre class="language-rust"><code class="language-rust"><span class="token">x</span></code></pre>', "rust"),
        ('<pre><code class="hljs language-kotlin">x</code></pre>', "kotlin"),
        ('<pre><code class="hljs yaml">x</code></pre>', "yaml"),
        ('<pre><code class="lang-sql">x</code></pre>', "sql"),
        ('<pre class="shiki nord" data-language="vue"><code><span class="line">x</span></code></pre>', "vue"),
        (
            '<div class="language-toml highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x</code></pre></div></div>',
            "toml",
        ),
        ('<div class="highlight"><pre class="chroma"><code data-lang="nix">x</code></pre></div>', "nix"),
        ('<div class="highlight-rst notranslate"><div class="highlight"><pre><span></span>x</pre></div></div>', "rst"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<div class="highlight highlight-text-html-basic"><pre>x</pre></div>', "html"),
        (
            '<div class="sourceCode"><pre class="sourceCode lua"><code class="sourceCode lua">x</code></pre></div>',
            "lua",
        ),
        ('<figure class="highlight dart"><pre><code>x</code></pre></figure>', "dart"),
        ('<pre class="brush: csharp; gutter: false">x</pre>', "csharp"),
        ('<pre class="EnlighterJSRAW" data-enlighter-language="php">x</pre>', "php"),
        ('<pre lang="elixir"><code>x</code></pre>', "elixir"),
        ('<pre class="src src-clojure">x</pre>', "clojure"),
        ('<pre><code class="language-js{2,4-6}">x</code></pre>', "js"),
        ('<pre><code class="language-plaintext">x</code></pre>', ""),
        ('<div class="highlight-default notranslate"><pre>x</pre></div>', ""),
        ('<article class="language-tools"><pre>x</pre></article>', ""),
    ],
)
def test_language_is_the_one_the_highlighter_was_told(html: str, language: str) -> None:
    assert markdown(html) == fenced(language, "x")


GUTTERS = {
    "two-cells": '<table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td>'
    '<td class="lntd"><pre><code class="language-c">\tone\ntwo\n</code></pre></td></tr></table>',
    "hexo": '<figure class="highlight c"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td>'
    '<td class="code"><pre><span class="line">\tone</span><br><span class="line">two</span><br></pre></td></tr></table></figure>',
    "unclassed": '<table><tr><td><pre>1\n2</pre></td><td><pre class="language-c">\tone\ntwo</pre></td></tr></table>',
    "row-a-line": '<pre><code class="hljs c"><table class="hljs-ln"><tr><td class="hljs-ln-numbers" data-line-number="1"></td><td class="hljs-ln-code">\tone</td></tr>'
    '<tr><td class="hljs-ln-numbers" data-line-number="2"></td><td class="hljs-ln-code">two</td></tr></table></code></pre>',
    "blob": '<div class="language-c"><table class="highlight js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">\tone</td></tr>'
    '<tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">two</td></tr></table></div>',
    "spans": '<pre class="language-c"><code><span class="linenos">1</span>\tone\n<span class="linenos">2</span>two\n</code></pre>',
    "rows-beside": '<pre class="line-numbers language-c"><code>\tone\ntwo<span class="line-numbers-rows"><span></span><span></span></span></code></pre>',
    "list": '<pre class="prettyprint lang-c"><ol class="linenums"><li class="L0">\tone</li><li class="L1">two</li></ol></pre>',
    "divs": '<div class="syntaxhighlighter c"><table><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td><td class="code">'
    '<div class="container"><div class="line number1"><code class="c plain">\tone</code></div><div class="line number2"><code>two</code></div></div></td></tr></table></div>',
}  # fmt: skip


@pytest.mark.parametrize("html", GUTTERS.values(), ids=GUTTERS)
def test_line_numbers_are_no_code(html: str) -> None:
    assert markdown(html) == fenced("c", "\tone", "two")


@pytest.mark.parametrize(
    "html",
    [
        "<pre>a\n\n\n  b</pre>",
        "<pre>a<br><br><br>  b</pre>",
        '<pre><code><span class="line">a</span><span class="line"></span><span class="line"></span><span class="line">  b</span></code></pre>',
        '<pre><code><span class="token-line">a<br></span><span class="token-line"><br></span><span class="token-line"><br></span><span class="token-line">  b<br></span></code></pre>',
        "<pre><span>a\n\n</span><b>\n  b</b></pre>",
        "<pre>a\r\n\r\n\r\n&nbsp;&nbsp;b</pre>",
        "<pre><div>a</div><div></div><div></div><div>  b</div></pre>",
    ],
)
def test_lines_blank_lines_and_indentation_are_kept(html: str) -> None:
    assert markdown(html) == fenced("", "a", "", "", "  b")


def test_prompts_stay_and_copy_buttons_go() -> None:
    html = (
        '<div class="code-toolbar"><pre class="language-sh"><code><span class="gp">$ </span>ls *_x</code>'
        '<button>Copy</button></pre><div class="toolbar"><div class="toolbar-item"><span>Copied!</span></div></div></div>'
        '<div class="zeroclipboard-container"><clipboard-copy>Copy</clipboard-copy></div>'
    )
    assert markdown(html) == fenced("sh", "$ ls *_x")


def test_fence_is_longer_than_any_inside() -> None:
    assert markdown("<pre>````\nx\n````</pre>") == "`````\n````\nx\n````\n`````"


def test_code_in_lists_and_quotes_stands_inside_them() -> None:
    html = "<ol><li>Run<pre>a\n\nb</pre></li></ol><blockquote><pre>c</pre></blockquote>"
    assert markdown(html) == "1. Run\n\n   ```\n   a\n\n   b\n   ```\n\n> ```\n> c\n> ```"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <code>b*c_d\\</code> e</p>", "a `b*c_d\\` e"),
        ("<p><code>a``b`c</code></p>", "``` a``b`c ```"),
        ("<p>x<code> y </code>z</p>", "x `y` z"),
        ("<p><kbd><kbd>Ctrl</kbd>+<kbd>C_D</kbd></kbd> <samp>_out_</samp> <tt>t</tt></p>", "`Ctrl+C_D` `_out_` `t`"),
        ('<p><a href="https://a.example/">see <code>x</code></a></p>', "[see `x`](https://a.example/)"),
        ('<p><code>List&lt;<a href="https://a.example/s">Str</a>&gt;</code></p>', "`List<`[`Str`](https://a.example/s)`>`"),
        ("<p><code><b>a</b> <i>b</i></code></p>", "`a b`"),
        ("<p><code></code>x</p>", "x"),
        ("<p><code>one<br>  two</code></p>", "```\none\n  two\n```"),
    ],
)  # fmt: skip
def test_inline_code_is_literal(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_what_frames_a_code_block_is_no_text() -> None:
    html = (
        '<div class="language-bash"><button class=copy></button><span class=lang>bash</span>'
        "<pre><code>npm ci</code></pre><div class=line-numbers-wrapper><span class=line-number>1</span><br></div></div>"
    )
    assert markdown(html) == "```bash\nnpm ci\n```"


def test_a_gutter_of_a_page_layout_is_no_line_number() -> None:
    assert (
        markdown('<div class=gutter><img src="/wheel.png" alt=Wheel></div>')
        == "![Wheel](https://garden.example/wheel.png)"
    )
