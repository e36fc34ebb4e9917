"""Where a site says that it has a page as Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.discovery.own_markdown import MarkdownList, depends_on_accept, is_markdown, linked_markdown

PAGE = "https://mill.example/guide/wheel/"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<link rel="alternate" type="text/markdown" href="/guide/wheel.md">', "/guide/wheel.md"),
        ("<link href=wheel.md type=text/markdown rel=alternate>", "/guide/wheel/wheel.md"),
        ('<LINK REL="nofollow Alternate" TYPE="text/markdown; charset=utf-8" HREF="../wheel.md?a=1&amp;b=2">',
         "/guide/wheel.md?a=1&b=2"),
        ('<base href="/v2/"><link rel="alternate" type="text/x-markdown" href="wheel.md">', "/v2/wheel.md"),
        ('<link rel="alternate" type="text/markdown" href="https://other.example/wheel.md">', ""),
        ('<link rel="alternate" type="text/markdown" href="">', ""),
        ('<link rel="alternate" type="application/rss+xml" href="/feed"><p>text/markdown</p>', ""),
        ('<link rel="help" type="text/markdown" href="/help.md">', ""),
        ('<!-- <link rel="alternate" type="text/markdown" href="/old.md"> -->', ""),
        ("<script>'<link rel=alternate type=text/markdown href=/a.md>'</script>", ""),
        ('<link rel="alternate" type="text/markdown" href="javascript:alert(1)">', ""),
    ],
)  # fmt: skip
def test_a_page_names_its_markdown_in_its_head(head, found):
    expected = f"https://mill.example{found}" if found else ""

    assert linked_markdown(f"<html><head>{head}</head></html>".encode(), PAGE) == expected


def test_a_page_names_its_markdown_in_a_header():
    header = '</style.css>; rel=preload; as=style, </guide/wheel.md>; rel="alternate"; type="text/markdown"'

    assert linked_markdown(b"", PAGE, header) == "https://mill.example/guide/wheel.md"
    assert linked_markdown(b"", PAGE, '<https://other.example/a.md>; rel="alternate"; type="text/markdown"') == ""


@given(st.binary(max_size=400), st.text(max_size=200))
def test_no_page_or_header_is_an_error(body, header):
    assert isinstance(linked_markdown(b'<link type="text/markdown"' + body, PAGE, header), str)


LIST = """# Mill

> All about it.

## Guide

- [The wheel](https://mill.example/guide/wheel.md): how it turns
- [Stones](/guide/stones/index.md)
- [Flour](/guide/flour.html.md "of rye")
- [Eels](/guide/eels)
- [Elsewhere](https://other.example/guide/weir.md)
"""


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("/guide/wheel", "/guide/wheel.md"),
        ("/guide/wheel/", "/guide/wheel.md"),
        ("/guide/wheel.html", "/guide/wheel.md"),
        ("/guide/wheel/index.html", "/guide/wheel.md"),
        ("/guide/stones/", "/guide/stones/index.md"),
        ("/guide/flour.html", "/guide/flour.html.md"),
        ("/guide/eels", ""),
        ("/guide/weir", ""),
        ("/guide/wheel?page=2", ""),
    ],
)
def test_a_list_names_the_files_of_pages(page, file):
    listed = MarkdownList(LIST, "https://mill.example/llms.txt")

    assert listed.of(f"https://mill.example{page}") == (f"https://mill.example{file}" if file else "")


def test_an_answer_that_depends_on_what_is_accepted_says_so():
    assert depends_on_accept({"vary": "Accept-Encoding, accept"})
    assert not depends_on_accept({"vary": "Accept-Encoding, Accept-Language"})
    assert not depends_on_accept({})
    assert is_markdown("Text/Markdown; charset=utf-8")
    assert not is_markdown("text/html")
