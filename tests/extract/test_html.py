"""Text to tree, and what stops it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from contentbot.errors import ExtractionError, LimitExceeded, NoContent
from contentbot.extract import Limits
from contentbot.extract.html import base_url, drop_invisible, parse_html, xhtml_to_html
from tests.extract.pages import HOME, document

LIMITS = Limits()


@pytest.mark.parametrize(
    ("html", "limits", "reason", "detail"),
    [
        ("<div>" * 10_000 + "deep", LIMITS, "too_deep", "10,000 over the limit of 400"),
        ("<div>" * 500 + "deep", LIMITS, "too_deep", "over the limit of 400"),
        ("<b>" * 30 + "deep", Limits(max_depth=20), "too_deep", "over the limit of 20"),
        ("<a href=x>y</a>" * 200_000, LIMITS, "too_many_nodes", "200,000 over the limit of 150,000"),
        ("<p>x" * 60, Limits(max_nodes=50), "too_many_nodes", "60 over the limit of 50"),
        ("<table>" + "<tr><td>x" * 6_000, LIMITS, "too_many_table_rows", "6,000 over the limit of 5,000"),
        ("<p>" + "ä" * 600_000, Limits(max_bytes=1 << 20), "too_many_bytes", "1,200,003 over the limit of 1,048,576"),
    ],
)
def test_a_page_over_a_limit_says_which_and_by_how_much(html: str, limits: Limits, reason: str, detail: str):
    with pytest.raises(LimitExceeded) as error:
        parse_html(html, limits)
    assert error.value.reason == reason
    assert detail in error.value.detail


def test_nesting_below_the_limit_keeps_its_text():
    assert parse_html("<div>" * 380 + "deep", LIMITS).text_content() == "deep"


def test_rows_are_counted_in_each_table_by_itself():
    tables = "<table><tr><td>x<table>" + "<tr><td>y" * 30 + "</table></table>"
    parse_html(tables * 4, Limits(max_table_rows=40))


def test_megabytes_of_inline_state_neither_starve_extraction_nor_count_as_text():
    state = f"<script>window.STATE = '{'<p>x</p>' * (12 << 17)}'</script><style>{'a{}' * 400_000}</style>"
    made = document(f"<head>{state}<title>T</title></head><main><h1>T</h1><p>Body text</p></main><!--{'-' * 10**6}-->")
    assert (made.title, made.plain_text) == ("T", "T\n\nBody text")


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("a<!-- b -->c", "ac"),
        ("a<!-->b<!--->c", "abc"),
        ("a<!-- b --!>c", "ac"),
        ("a<!-- never closed", "a"),
        ("a<script>b</script>c", "ac"),
        ("a<SCRIPT type=module src='x>y'>b</scripty></Script >c", "ac"),
        ("a<script>'<!--'</script>b<!-- <script> -->c", "abc"),
        ("a<style>b{}</style>c<script>never closed", "ac"),
        ('<p title="<!-- <script>">kept</p>', '<p title="<!-- <script>">kept</p>'),
        ("<scripted>kept</scripted>", "<scripted>kept</scripted>"),
        ('<script type="application/ld+json">{}</script>', '<script type="application/ld+json">{}</script>'),
        ("<script type='math/tex'>x^2</script>", "<script type='math/tex'>x^2</script>"),
    ],
)
def test_only_real_scripts_styles_and_comments_are_dropped_from_the_text(html: str, left: str):
    assert drop_invisible(html) == left


@pytest.mark.parametrize(
    "piece", ["<a ", "<script ", "<!--", '<a "', "<a 'b=\"", "</script ", "<script></script ", "<"]
)
def test_broken_markup_is_passed_in_linear_time(piece: str):
    # square growth would take hours here
    drop_invisible(piece * 300_000)


@pytest.mark.parametrize("empty", ["", " \n ", "\ufeff", "<!-- only a comment -->"])
def test_a_page_of_nothing_is_no_content(empty: str):
    with pytest.raises(NoContent):
        document(empty)


@given(st.text(alphabet=st.sampled_from("<>/!-abp \"'=&;#x0\x00\udc80é"), max_size=80))
def test_no_markup_breaks_the_parser(html: str):
    with suppress(ExtractionError):
        parse_html(html, LIMITS)


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ("<base href='https://cdn.example/v2/'>", "https://cdn.example/v2/"),
        ("<base target=_blank><base href='/docs/'><base href='/other/'>", f"{HOME}/docs/"),
        ("<!-- <base href='https://evil.example/'> --><p>", f"{HOME}/a/b"),
        ("<script>var t = \"<base href='https://evil.example/'>\"</script><p>", f"{HOME}/a/b"),
        ("<p title=\"<base href='https://evil.example/'>\">", f"{HOME}/a/b"),
        ("<base href='javascript:alert(1)//'>", f"{HOME}/a/b"),
        ("<base href='data:text/html,x'>", f"{HOME}/a/b"),
        ("<base href='http://[broken'>", f"{HOME}/a/b"),
        ("<base href=''>", f"{HOME}/a/b"),
    ],
)
def test_only_a_real_base_element_moves_relative_links(html: str, base: str):
    assert base_url(parse_html(html, LIMITS), f"{HOME}/a/b") == base


def test_links_of_a_document_follow_the_base():
    made = document(f"<base href={HOME}/v2/><main><p>See <a href=start>the start</a>.</p></main>", f"{HOME}/a/b")
    assert f"[the start]({HOME}/v2/start)" in made.body


def test_self_closed_elements_and_cdata_of_xhtml_do_not_swallow_the_page():
    xhtml = (
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title><script src='x.js'/>"
        "</head><body><div id='a'/><p>First<br/>line</p><p><![CDATA[1 < 2]]></p></body></html>"
    )
    assert document(xhtml, content_type="application/xhtml+xml").plain_text == "First\nline\n\n1 < 2"
    assert xhtml_to_html("<img src='a/b'/><i/>") == "<img src='a/b'/><i></i>"


@given(
    st.text(alphabet=st.sampled_from("ab \x00\x01\x0b\x0c\x1f\x7f\x85\ud800\ufffe\uffff"), max_size=20),
    st.integers(0, 0x11FFFF),
)
def test_no_character_of_a_page_stops_its_extraction(text: str, code: int):
    html = f"<nav>{text}</nav><article><p>Word {text}&#{code}; <button>x</button>{text}</p>&#x{code:x};</article>"
    assert document(html.encode("utf-8", "surrogatepass")).body


@pytest.mark.parametrize(
    ("html", "body"),
    [
        ("<title>T</title><article><p>Ground at dawn.</p></article>", "<article><p>Ground at dawn.</p></article>"),
        ("<title>T</title><mill-page>Ground.</mill-page><meta name=a><p>x", "<mill-page>Ground.</mill-page><p>x</p>"),
        ("<head><title>T</title><main>a</main> b</head><body>c<p>d", "<main>a</main> bc<p>d</p>"),
        ("<head><title>T</title><section>a</section></head><body>c<p>d", "<section>a</section>c<p>d</p>"),
    ],
)
def test_content_that_the_parser_leaves_in_the_head_is_in_the_body(html: str, body: str):
    tree = parse_html(html, LIMITS)
    assert [child.tag for child in tree.find("head")][:1] == ["title"]
    assert "".join(etree.tostring(child, encoding="unicode") for child in tree.find("body")) == body


def test_a_page_without_a_body_tag_gives_its_article():
    article = "<article><h1>The mill</h1><p>It has been grinding flour beside the river since the spring.</p></article>"
    assert "grinding flour" in document(f"<!doctype html><html lang=en><title>The mill</title>{article}").plain_text
