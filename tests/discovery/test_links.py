"""Links of HTML pages, as a browser would resolve them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.discovery.links import meta_refresh, page_links

URL = "https://shop.example/teas/green"


def links(html: str | bytes, content_type: str = "text/html; charset=utf-8") -> list[str]:
    return list(page_links(html.encode() if isinstance(html, str) else html, URL, content_type))


def link(href: str) -> list[str]:
    return links(f'<a href="{href}">x</a>')


def refresh(content: str, before: str = "") -> str | None:
    return meta_refresh(f'{before}<meta http-equiv="Refresh" content="{content}">'.encode(), URL)


class TestBase:
    def test_only_a_real_element_counts(self) -> None:
        html = """<!-- <base href="https://evil.example/"> --><script>'<base href="https://evil.example/">'</script>
            <style>/* <base href="https://evil.example/"> */</style>
            <textarea><base href="https://evil.example/"></textarea>
            <p title='<base href="https://evil.example/">'>&lt;base href="https://evil.example/"></p>
            <a href="oolong">o</a>"""
        assert links(html) == ["https://shop.example/teas/oolong"]

    def test_the_first_with_an_address_counts_for_the_whole_page(self) -> None:
        html = '<a href="early">e</a><base target="_top"><base href="/v2/"><base href="/v3/"><a href="late">l</a>'
        assert links(html) == ["https://shop.example/v2/early", "https://shop.example/v2/late"]

    @pytest.mark.parametrize("href", ["", "javascript:x", "data:text/html,x", "https://[", "mailto:a@b"])
    def test_one_that_is_no_web_address_is_none(self, href: str) -> None:
        assert links(f'<base href="{href}"><a href="oolong">o</a>') == ["https://shop.example/teas/oolong"]


class TestAddresses:
    @pytest.mark.parametrize(
        ("href", "expected"),
        [
            ("black", "https://shop.example/teas/black"),
            ("/black#part", "https://shop.example/black"),
            ("?p=2", "https://shop.example/teas/green?p=2"),
            ("//cdn.example/x", "https://cdn.example/x"),
            ("../../../up", "https://shop.example/up"),
            ("HTTPS://Shop.example/a", "https://Shop.example/a"),
            (" \n\t/a\n/b\t ", "https://shop.example/a/b"),
            ("/a b", "https://shop.example/a%20b"),
            ("\\a\\b?x=\\", "https://shop.example/a/b?x=\\"),
            ("/?a=1&amp;b=2&c=3", "https://shop.example/?a=1&b=2&c=3"),
            ("/gr&uuml;n", "https://shop.example/grün"),
            ("a:b", None),
            ("./a:b", "https://shop.example/teas/a:b"),
        ],
    )
    def test_they_are_resolved_as_browsers_do(self, href: str, expected: str | None) -> None:
        assert link(href) == ([expected] if expected else [])

    @pytest.mark.parametrize(
        "href",
        [
            "",
            "#top",
            "green",
            "green#x",
            "javascript:void(0)",
            "JavaScript:x",
            " java\nscript:x",
            "mailto:a@shop.example",
            "tel:+49",
            "data:text/html,<a>",
            "ftp://shop.example/",
            "http://",
            "https://[::1",
            "https://shop.example:99999/",
            "https://shop.example:x/",
            "https:///",
        ],
    )
    def test_what_leads_nowhere_is_left_out(self, href: str) -> None:
        assert link(href) == []

    def test_each_is_told_once_in_the_order_of_the_page(self) -> None:
        html = '<a href="/b">1</a><map><area href="/a"></map><a href="/b#x">2</a><a name="x">no</a><a href="/c">3</a>'
        assert links(html) == [f"https://shop.example/{name}" for name in "bac"]

    @given(st.text(max_size=60))
    def test_no_address_raises(self, href: str) -> None:
        html = '<base href="{0}"><a href="{0}">x</a><meta http-equiv=refresh content="0;url={0}">'.format(
            href.replace('"', "&quot;")
        ).encode("utf-8", "replace")
        for address in page_links(html, URL):
            assert address.startswith(("http://", "https://"))
            assert "#" not in address
        meta_refresh(html, URL)


class TestFollowing:
    @pytest.mark.parametrize("rel", ["nofollow", "noopener NoFollow", " nofollow\n"])
    def test_a_link_that_is_not_to_be_followed_is_left_out(self, rel: str) -> None:
        assert links(f'<a rel="{rel}" href="/a">a</a><a rel="nofollowing" href="/b">b</a>') == [
            "https://shop.example/b"
        ]

    @pytest.mark.parametrize("content", ["nofollow", "noindex, NOFOLLOW", "none", "index,nofollow"])
    def test_a_page_that_forbids_following_has_no_links(self, content: str) -> None:
        assert links(f'<meta name="Robots" content="{content}"><a href="/a">a</a>') == []

    @pytest.mark.parametrize(
        "meta", ['name="robots" content="noindex"', 'name="other" content="nofollow"', 'name="robots"']
    )
    def test_other_directives_forbid_nothing(self, meta: str) -> None:
        assert links(f'<meta {meta}><a href="/a">a</a>') == ["https://shop.example/a"]

    @pytest.mark.parametrize(
        ("header", "follows"),
        [
            ("nofollow", False),
            ("noindex, NoFollow", False),
            ("none", False),
            ("noindex", True),
            ("somebot: nofollow", True),
            ("somebot: noindex, nofollow", True),
            ("nofollow, somebot: noindex", False),
            ("somebot: noindex, *: nofollow", False),
            ("max-snippet: 20, nofollow", False),
            ("unavailable_after: 25 Jun 2027 15:00:00 PST", True),
            ("", True),
        ],
    )
    def test_the_header_forbids_as_the_page_does(self, header: str, follows: bool) -> None:
        assert bool(list(page_links(b'<a href="/a">a</a>', URL, x_robots_tag=header))) is follows


class TestDecoding:
    @pytest.mark.parametrize(
        ("body", "content_type"),
        [
            ('<a href="/grün">x</a>'.encode(), "text/html; charset=utf-8"),
            ('<a href="/grün">x</a>'.encode("latin-1"), "text/html; charset=iso-8859-1"),
            ('<meta charset="iso-8859-1"><a href="/grün">x</a>'.encode("latin-1"), "text/html"),
            ('<a href="/grün">x</a>'.encode("utf-8-sig"), "text/html; charset=iso-8859-1"),
            ('<a href="/grün">x</a>'.encode("utf-16"), ""),
            ('<a href="/grün">x</a>'.encode(), "text/html; charset=nonsense"),
            ('<a href="/gr\0ün">x</a>'.encode(), "text/html"),
            ('<a href="/grün">x</a>'.encode(), "text/html; charset=zlib"),
            ('<a href="/grün">x</a>'.encode(), "text/html; charset=idna"),
            ('<meta charset="utf-16"><a href="/grün">x</a>'.encode(), "text/html"),
        ],
    )
    def test_byte_order_mark_then_header_then_meta(self, body: bytes, content_type: str) -> None:
        assert links(body, content_type) == ["https://shop.example/grün"]

    @pytest.mark.parametrize("body", [b"", b" ", b"\0", b"<", b"<!-- -->", b"%PDF-1.4", b"\xff\xfe"])
    def test_what_is_no_page_has_no_links(self, body: bytes) -> None:
        assert links(body, "") == []
        assert meta_refresh(body, URL) is None


class TestRefresh:
    @pytest.mark.parametrize(
        "content",
        [
            "0;url=/v2/start",
            "0; URL='/v2/start'",
            "0 url = &quot;/v2/start&quot; ignored",
            ".5, /v2/start",
            "1.5.2;/v2/start",
            " 0 ;\n url=/v2/start ",
            "0;url='/v2/start",
        ],
    )
    def test_every_spelling_of_the_standard_is_understood(self, content: str) -> None:
        assert refresh(content) == "https://shop.example/v2/start"

    def test_it_is_resolved_against_the_base(self) -> None:
        assert refresh("0;url=start", '<base href="https://shop.example/v2/">') == "https://shop.example/v2/start"
        assert (
            refresh("0;url=start", '<!-- <base href="https://evil.example/"> -->') == "https://shop.example/teas/start"
        )

    @pytest.mark.parametrize(
        "content",
        [
            "5",
            "5;",
            "5; url=",
            "0;url=green",
            "0;url=#top",
            "60;url=/later",
            "url=/a",
            "x;/a",
            "",
            "0;url=javascript:x",
            "0x/a",
        ],
    )
    def test_what_sends_nobody_away_is_no_redirect(self, content: str) -> None:
        assert refresh(content, '<base href="/teas/green">') is None

    @pytest.mark.parametrize("around", ["<noscript>{}</noscript>", "<template>{}</template>", "<!-- {} -->"])
    def test_where_a_browser_would_not_go_nobody_goes(self, around: str) -> None:
        html = around.format('<meta http-equiv="refresh" content="0;url=/a">')
        assert meta_refresh(f"<html><body>{html}</body></html>".encode(), URL) is None

    def test_the_longest_delay_is_the_callers(self) -> None:
        html = b'<meta http-equiv=refresh content="60;url=/later">'
        assert meta_refresh(html, URL, max_delay=60) == "https://shop.example/later"

    @pytest.mark.parametrize("filling", ["1", " ", ".", "1.", ";", "url="])
    def test_a_hostile_value_takes_linear_time(self, filling: str) -> None:
        assert refresh("0" + filling * 50_000 + "\u2028") is None or filling in {" ", ";", "url=", "."}
