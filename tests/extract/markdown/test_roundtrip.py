"""Whatever tree comes in, a Markdown reader shows its words, code, links, images and cells again."""

import re
from html import escape
from urllib.parse import unquote, urljoin

import lxml.html
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml.etree import _Element
from markdown_it import MarkdownIt

from tests.extract.markdown.pages import PAGE, render_html

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCKS = {
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "blockquote",
    "table",
    "tr",
    "td",
    "th",
    "pre",
    "h1",
    "h2",
    "h3",
    "hr",
    "section",
}

# every sign that Markdown may read as markup, and enough plain letters between them
SIGNS = "*_~`[]()<>!#|\\-+=.:&$1 "
texts = st.text(alphabet=st.sampled_from(SIGNS + "aBc。「é\n"), min_size=1, max_size=14).map(escape)
# lines of Chinese or Japanese are joined without a space, which HTML's own white space does not tell
WRAPPED = re.compile(r"(?<=[。「])[ \n]*\n[ \n]*(?=[。「])")
words = st.sampled_from(
    ["oak", "elm tree", "5", "https://a.example/b_c_d", "&amp;amp;", "x_y", "*", "__init__", "a*b*"]
)


def element(tag: str, attributes: str = "") -> "object":
    return lambda parts: f"<{tag}{attributes}>{''.join(parts)}</{tag}>"


def inlines(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(children, min_size=1, max_size=4)
    return st.one_of(
        *(parts.map(element(tag)) for tag in ("b", "em", "del", "span", "sub", "mark")),
        st.lists(texts | words, min_size=1, max_size=3).map(element("code")),
        parts.map(element("a", ' href="https://a.example/x_(y)?q=*1*|2"')),
        st.just('<img src="/i/a b.png" alt="a [b] *c* | d">'),
        st.just("<br>"),
    )


inline = st.recursive(texts | words, inlines, max_leaves=8)


def blocks(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(children, min_size=1, max_size=3)
    items = st.lists(parts.map(element("li")), min_size=1, max_size=3)
    return st.one_of(
        parts.map(element("div")),
        parts.map(element("blockquote")),
        items.map(element("ul")),
        items.map(element("ol", ' start="7"')),
        items.map(element("ol")),
    )


lines = st.lists(inline, min_size=1, max_size=4)
leaves = st.one_of(
    lines.map(element("p")),
    lines.map(element("h2")),
    inline,
    texts.map(lambda text: f"<pre><code>{text}</code></pre>"),
    st.just("<hr>"),
    st.lists(
        st.lists(inline.map(lambda text: f"<td>{text}</td>"), min_size=2, max_size=2).map(element("tr")),
        min_size=1,
        max_size=3,
    ).map(element("table")),
)


def has_no_formula(html: str) -> bool:
    """Tell whether no text may be TeX, which is rewritten on purpose."""
    return not any(sign in html for sign in ("\\(", "\\[", "$$"))


trees = st.lists(st.recursive(leaves, blocks, max_leaves=8), min_size=1, max_size=4).map("".join).filter(has_no_formula)


def parse(html: str) -> _Element:
    return lxml.html.document_fromstring(f"<body>{html}</body>").body


def shown(tree: _Element) -> str:
    """Return what a reader sees, blocks and cells apart."""
    pieces = []
    for event, node in lxml.etree.iterwalk(tree, events=("start", "end")):
        apart = " " if node.tag in BLOCKS or node.tag == "br" else ""
        pieces += [apart, (node.text if event == "start" else node.tail) or "", ""]
    return " ".join("".join(pieces).split())


def code_of(tree: _Element) -> list[str]:
    """Return the code blocks that are not in tables, without the blank edges of lines and blocks."""
    blocks = [pre.text_content() for pre in tree.iter("pre") if not any(True for _ in pre.iterancestors("td"))]
    return [code for block in blocks if (code := "\n".join(map(str.rstrip, block.split("\n"))).strip())]


def images_of(tree: _Element) -> list[tuple[str, str]]:
    return [
        (urljoin(PAGE, image.get("src", "")).replace(" ", "%20"), image.get("alt", "")) for image in tree.iter("img")
    ]


def links_of(tree: _Element) -> set[str]:
    """Return where links with a text or an image lead; those that a bare address makes of itself are left out."""
    links = [link for link in tree.iter("a") if link.text_content().strip() or link.find(".//img") is not None]
    return {unquote(link.get("href", "")) for link in links if link.get("href") != link.text_content()}


def cells_of(tree: _Element) -> list[int]:
    """Return the number of cells of every row that holds something, header and body alike."""
    rows = [row for row in tree.iter("tr") if row.text_content().strip() or next(row.iter("img"), None) is not None]
    return [len(row) for row in rows]


def check(html: str) -> None:
    html = WRAPPED.sub("", html)
    source, markdown = parse(html), render_html(html).markdown
    again = parse(READER.render(markdown))
    assert shown(again) == shown(source), markdown
    assert code_of(again) == code_of(source), markdown
    assert images_of(again) == images_of(source), markdown
    assert links_of(again) == links_of(source), markdown
    assert cells_of(again) == cells_of(source), markdown


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(trees)
def test_a_reader_sees_the_same_words_code_links_images_and_cells(html: str) -> None:
    check(html)
