"""Sitemaps of every kind and in every state, read from their bytes alone."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.discovery.sitemaps import PageEntry, Rejected, SitemapEntry, read_sitemap
from contentbot.errors import NotASitemap

URL = "https://shop.example/maps/main"
ONE = b"<urlset><url><loc>https://shop.example/tea</loc></url></urlset>"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def read(body: bytes | str, url: str = URL, max_bytes: int = 1 << 20) -> list[PageEntry | SitemapEntry | Rejected]:
    return list(read_sitemap(body.encode() if isinstance(body, str) else body, url, max_bytes=max_bytes))


def pages(body: bytes | str, url: str = URL) -> list[str]:
    return [entry.url for entry in read(body, url) if isinstance(entry, PageEntry)]


def rejections(body: bytes | str) -> list[tuple[str, str]]:
    return [(entry.value, entry.reason) for entry in read(body) if isinstance(entry, Rejected)]


def refusal(body: bytes | str) -> str:
    with pytest.raises(NotASitemap) as caught:
        read(body)
    return caught.value.reason


def urlset(*locs: str, head: str = "") -> str:
    entries = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'{head}<urlset xmlns="{NAMESPACE}">{entries}</urlset>'


class TestCompression:
    @pytest.mark.parametrize("url", [URL, "https://shop.example/a.xml.gz", "https://shop.example/a.xml?page=2"])
    def test_the_name_decides_nothing(self, url: str) -> None:
        assert pages(ONE, url) == pages(gzip.compress(ONE), url) == ["https://shop.example/tea"]

    def test_members_are_one_file(self) -> None:
        assert pages(gzip.compress(ONE[:40]) + gzip.compress(ONE[40:])) == ["https://shop.example/tea"]

    def test_padding_after_the_last_member_is_nothing(self) -> None:
        assert read(gzip.compress(ONE) + bytes(512)) == read(ONE)

    def test_a_file_may_be_compressed_twice(self) -> None:
        assert read(gzip.compress(gzip.compress(ONE))) == read(ONE)

    def test_what_is_appended_is_reported_and_costs_nothing(self) -> None:
        assert read(gzip.compress(ONE) + b"# made by a cache") == [
            PageEntry("https://shop.example/tea"),
            Rejected("", "trailing_data", incomplete=False),
        ]

    def test_a_cut_file_keeps_what_came_and_is_incomplete(self) -> None:
        body = gzip.compress(urlset(*(f"https://shop.example/{n * 7919}" for n in range(2000))).encode())
        entries = read(body[: len(body) // 2])
        assert sum(isinstance(entry, PageEntry) for entry in entries) > 500
        assert Rejected("", "truncated_gzip", incomplete=True) in entries

    def test_a_wrong_checksum_does_not_cost_the_content(self) -> None:
        body = bytearray(gzip.compress(ONE))
        body[-6] ^= 0xFF
        assert read(bytes(body)) == [
            PageEntry("https://shop.example/tea"),
            Rejected("", "broken_gzip", incomplete=True),
        ]

    def test_a_bomb_stops_at_the_limit(self) -> None:
        body = gzip.compress(b"<urlset>" + b" " * (8 << 20))
        assert Rejected("", "too_large", incomplete=True) in read(body, max_bytes=1 << 20)

    def test_a_limit_keeps_the_entries_before_it(self) -> None:
        body = urlset(*(f"https://shop.example/{n}" for n in range(100)))
        entries = read(body, max_bytes=len(body) // 2)
        assert PageEntry("https://shop.example/3") in entries
        assert Rejected("", "too_large", incomplete=True) in entries


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
    def test_unicode_is_recognised_by_its_bytes(self, encoding: str) -> None:
        assert pages(urlset("https://shop.example/grün").encode(encoding)) == ["https://shop.example/grün"]
        assert pages("https://shop.example/grün\n".encode(encoding)) == ["https://shop.example/grün"]

    @pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1251", "shift_jis", "euc-kr"])
    def test_a_declared_encoding_counts(self, encoding: str) -> None:
        word = {"iso-8859-1": "grün", "windows-1251": "чай", "shift_jis": "茶", "euc-kr": "차"}[encoding]
        body = urlset(f"https://shop.example/{word}", head=f"<?xml version='1.0' encoding='{encoding}'?>")
        assert pages(body.encode(encoding)) == [f"https://shop.example/{word}"]

    @pytest.mark.parametrize("label", ["utf-16", "zlib", "idna", "nonsense", "utf-8"])
    def test_a_declaration_that_cannot_be_true_is_passed_over(self, label: str) -> None:
        body = urlset("https://shop.example/grün", head=f'<?xml version="1.0" encoding="{label}"?>')
        assert pages(body) == ["https://shop.example/grün"]

    def test_stray_bytes_in_utf_8_are_read_as_windows_1252(self) -> None:
        body = urlset("https://shop.example/gr\xfcn", "https://shop.example/ok").encode("latin-1")
        assert pages(body) == ["https://shop.example/grün", "https://shop.example/ok"]


class TestXml:
    @pytest.mark.parametrize(
        "body",
        [
            ONE,
            urlset("https://shop.example/tea"),
            ONE.replace(b"<urlset", b"<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'"),
            f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>https://shop.example/tea</s:loc></s:url></s:urlset>',
            "<s:urlset><s:url><s:loc>https://shop.example/tea</s:loc></s:url></s:urlset>",
            b"<?xml version='1.0'?><?xml-stylesheet href='s.xsl'?><!-- <html> --><!DOCTYPE urlset>\n" + ONE,
            b"\n\n <?xml version='1.0'?>" + ONE,
            b"<br />\n<b>Warning</b>: something in line 3<br />\n<?xml version='1.0'?>" + ONE,
            ONE + b"\n<!-- generated in 0.3 s -->",
        ],
    )
    def test_the_root_element_is_found_by_its_local_name(self, body: bytes | str) -> None:
        assert read(body) == [PageEntry("https://shop.example/tea")]

    def test_text_is_trimmed_and_decoded_once(self) -> None:
        locs = (
            "\n\t https://shop.example/?a=1&amp;b=2 \n",
            "<![CDATA[ https://shop.example/?a=1&b=2&amp;c ]]>",
            "/&amp;amp;b",
        )
        assert pages(urlset(*locs)) == [
            "https://shop.example/?a=1&b=2",
            "https://shop.example/?a=1&b=2&amp;c",
            "https://shop.example/&amp;b",
        ]

    def test_a_bare_ampersand_stays_what_it_is(self) -> None:
        assert pages(urlset("https://shop.example/?a=1&b=2&copy=3&amp;d=4&#38;e")) == [
            "https://shop.example/?a=1&b=2&copy=3&d=4&e"
        ]

    def test_dates_are_kept_as_they_stand(self) -> None:
        dated = "<url><loc>/a</loc><lastmod>\n 2026-02-03T04:05+01:00 </lastmod></url>"
        body = f"<urlset>{dated}<url><loc>/b</loc></url></urlset>"
        assert read(body) == [
            PageEntry("https://shop.example/a", "2026-02-03T04:05+01:00"),
            PageEntry("https://shop.example/b"),
        ]

    def test_an_index_lists_sitemaps_itself_included(self) -> None:
        itself = f"<sitemap><loc>{URL}</loc><lastmod>2026</lastmod></sitemap>"
        body = f"<sitemapindex>{itself}<sitemap><loc>b.xml</loc></sitemap></sitemapindex>"
        assert read(body) == [SitemapEntry(URL, "2026"), SitemapEntry("https://shop.example/maps/b.xml")]

    def test_relative_addresses_start_from_the_sitemap(self) -> None:
        assert pages(urlset("tea", "/tea", "//cdn.example/tea", "?p=2")) == [
            "https://shop.example/maps/tea",
            "https://shop.example/tea",
            "https://cdn.example/tea",
            "https://shop.example/maps/main?p=2",
        ]

    def test_a_space_in_a_path_is_escaped_as_in_a_whole_address(self) -> None:
        assert pages(urlset("/green tea", "https://shop.example/a b")) == [
            "https://shop.example/green%20tea",
            "https://shop.example/a%20b",
        ]

    def test_an_address_without_scheme_that_begins_with_the_own_host_is_absolute(self) -> None:
        listed = urlset("shop.example/tea", "www.shop.example/tea?p=2", "tea.html/shop.example")
        assert pages(listed) == [
            "https://shop.example/tea",
            "https://www.shop.example/tea?p=2",
            "https://shop.example/maps/tea.html/shop.example",
        ]

    def test_translations_are_recorded(self) -> None:
        link = '<x:link rel="alternate" hreflang="{}" href="{}"/>'
        links = link.format("de", "/de/tee") + link.format("x-default", "/en/tea")
        body = f"<urlset><url><loc>/en/tea</loc>{links}</url></urlset>"
        entry = PageEntry(
            "https://shop.example/en/tea",
            alternates={"de": "https://shop.example/de/tee", "x-default": "https://shop.example/en/tea"},
        )
        assert read(body) == [entry]

    def test_pictures_are_no_pages(self) -> None:
        image = "<image:image><image:loc>https://cdn.example/tea.png</image:loc></image:image>"
        extra = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
        body = f"<urlset {extra}><url>{image}<image:loc>/stray.png</image:loc><loc>/tea</loc>{image}</url></urlset>"
        assert read(body) == [PageEntry("https://shop.example/tea")]

    def test_repeated_addresses_come_out_as_often_as_they_stand_there(self) -> None:
        assert pages(urlset("/a", "/a")) == ["https://shop.example/a"] * 2

    def test_an_empty_list_is_a_list(self) -> None:
        assert read("<urlset/>") == read(f"<urlset xmlns='{NAMESPACE}'>\n</urlset>") == []

    def test_lists_that_were_appended_to_each_other_are_read_to_the_end(self) -> None:
        whole = b"<?xml version='1.0'?>" + ONE
        assert read(whole + b"\n" + whole) == [PageEntry("https://shop.example/tea")] * 2


class TestDamage:
    """A damaged place costs what stands there; that something is missing is told."""

    def test_a_list_that_breaks_off_loses_only_the_entry_in_the_middle(self) -> None:
        body = urlset("/a", "/b", "/category")
        entries = read(body[: body.index("egory")])
        assert entries == [
            PageEntry("https://shop.example/a"),
            PageEntry("https://shop.example/b"),
            Rejected("", "truncated", incomplete=True),
        ]

    @pytest.mark.parametrize("cut", range(len("<urlset><url><loc>/a</loc></url>"), len(ONE)))
    def test_wherever_it_breaks_off_it_is_told(self, cut: int) -> None:
        entries = read(ONE[:cut])
        assert isinstance(entries[-1], Rejected)
        assert entries[-1].incomplete

    def test_a_missing_end_tag_mixes_no_entries(self) -> None:
        body = "<urlset><url><loc>/a</loc><url><loc>/b</loc><lastmod>2026</lastmod></url></urlset>"
        assert read(body)[:2] == [PageEntry("https://shop.example/a"), PageEntry("https://shop.example/b", "2026")]
        assert any(isinstance(entry, Rejected) and entry.incomplete for entry in read(body))

    def test_markup_inside_an_address_costs_that_entry(self) -> None:
        assert pages(urlset("/a", "/<b>bold</b>", "/c")) == ["https://shop.example/a", "https://shop.example/c"]
        assert rejections(urlset("/a", "/<b>bold</b>", "/c")) == [("/bold", "markup")]

    @pytest.mark.parametrize("sign", ["<", "< ", "<3", "&", "& ", "&;", "&#", "&nosuch;", "]]"])
    def test_a_bare_sign_stops_nothing(self, sign: str) -> None:
        assert pages(urlset(f"/?q={sign}x", "/b"))[-1] == "https://shop.example/b"

    def test_control_characters_are_left_out(self) -> None:
        assert read(urlset("/a\x0b\x00b").encode()) == [PageEntry("https://shop.example/ab")]

    @pytest.mark.parametrize("character", ["\ufffe", "\uffff", "\ud800"])
    def test_a_character_that_xml_does_not_have_stops_nothing(self, character: str) -> None:
        body = urlset(f"/a{character}", "/b").encode("utf-8", "surrogatepass")
        assert pages(body)[-1] == "https://shop.example/b"

    @given(position=st.integers(0, 400), junk=st.binary(min_size=1, max_size=20))
    def test_no_damage_raises_or_invents_a_host(self, position: int, junk: bytes) -> None:
        body = urlset(*(f"https://shop.example/{number}" for number in range(5))).encode()
        damaged = body[:position] + junk + body[position:]
        try:
            entries = read(damaged)
        except NotASitemap:
            return
        assert sum(isinstance(entry, PageEntry) for entry in entries) <= 6

    @given(st.binary(max_size=300))
    def test_no_bytes_raise_anything_else(self, body: bytes) -> None:
        for prefix in (b"", b"<urlset>", b"<urlset><url><loc>", b"\x1f\x8b\x08", b"https://shop.example/\n"):
            try:
                read(prefix + body)
            except NotASitemap:
                continue


class TestAddresses:
    @pytest.mark.parametrize(
        ("loc", "reason"),
        [
            ("", "empty"),
            (" \n ", "empty"),
            ("mailto:tea@shop.example", "not_http"),
            ("javascript:void(0)", "not_http"),
            ("ftp://shop.example/a", "not_http"),
            ("https://", "not_a_url"),
            ("https://[::1", "not_a_url"),
            ("https://shop.example:port/", "not_a_url"),
            ("three words here", "not_a_url"),
            ("https://shop.example/a https://shop.example/b", "not_a_url"),
            ("https://shop.example/" + "x" * 9000, "too_long"),
        ],
    )
    def test_what_is_no_address_is_counted_and_costs_nothing_else(self, loc: str, reason: str) -> None:
        assert pages(urlset("/before", loc, "/after")) == ["https://shop.example/before", "https://shop.example/after"]
        assert rejections(urlset(loc)) == [(loc.strip()[:200], reason)]

    def test_an_entry_without_address_is_counted(self) -> None:
        assert rejections("<urlset><url><lastmod>2026</lastmod></url></urlset>") == [("", "empty")]

    def test_spaces_and_breaks_inside_an_address_are_read_as_browsers_do(self) -> None:
        assert pages(urlset("https://shop.example/a b", "https://shop.example/long\n   er")) == [
            "https://shop.example/a%20b",
            "https://shop.example/longer",
        ]


class TestAttacks:
    @pytest.mark.parametrize(
        "doctype",
        [
            '<!DOCTYPE urlset [<!ENTITY who SYSTEM "file:///etc/passwd">]>',
            '<!DOCTYPE urlset [<!ENTITY % more SYSTEM "http://evil.example/x.dtd"> %more;]>',
            '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;">]>',
        ],
    )
    def test_a_file_that_declares_entities_is_refused(self, doctype: str) -> None:
        assert refusal(doctype + "<urlset><url><loc>/&who;&lol2;</loc></url></urlset>") == "declares_entities"

    def test_a_document_type_without_entities_is_passed_over(self) -> None:
        doctype = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://evil.example/rss.dtd">'
        body = f"{doctype}<rss version='0.91'><channel><item><link>/a</link></item></channel></rss>"
        assert read(body) == [PageEntry("https://shop.example/a")]

    def test_an_entity_that_nobody_declared_is_text(self) -> None:
        assert pages(urlset("/a?x=1&who;")) == ["https://shop.example/a?x=1&who;"]

    @pytest.mark.parametrize("opened", ["<a>", "<url>", "<url><loc>", "<urlset>"])
    def test_endless_nesting_ends(self, opened: str) -> None:
        assert any(isinstance(entry, Rejected) and entry.incomplete for entry in read("<urlset>" + opened * 5000))

    @pytest.mark.parametrize("sign", ["<", "&", "&#", "]", "<!--", "<![CDATA[", " a", "="])
    @pytest.mark.parametrize("start", [">", " "])
    def test_repeated_signs_take_linear_time(self, start: str, sign: str) -> None:
        entries = read(f"<urlset{start}{sign * 100_000}")
        assert isinstance(entries[-1], Rejected)


class TestText:
    def test_addresses_and_junk_are_told_apart_line_by_line(self) -> None:
        body = "# list\r\nhttps://shop.example/a\r\n\r\n  https://shop.example/b \nOops\n/c\r"
        assert read(body) == [
            PageEntry("https://shop.example/a"),
            PageEntry("https://shop.example/b"),
            Rejected("Oops", "not_a_url"),
            PageEntry("https://shop.example/c"),
        ]

    def test_columns_behind_an_address_are_no_part_of_it(self) -> None:
        assert pages("https://shop.example/a\t2026-03-02\t0.5\n") == ["https://shop.example/a"]

    def test_it_may_be_compressed(self) -> None:
        assert pages(gzip.compress(b"https://shop.example/a\n")) == ["https://shop.example/a"]

    def test_junk_in_front_is_reported_once_there_is_an_address(self) -> None:
        assert read("URL\nhttps://shop.example/a\nhttps://shop.example/b") == [
            Rejected("URL", "not_a_url"),
            PageEntry("https://shop.example/a"),
            PageEntry("https://shop.example/b"),
        ]

    def test_prose_with_an_address_in_it_is_no_complete_list(self) -> None:
        entries = read("Access denied.\nPlease write to\nhttps://guard.example/help\n")
        assert entries[-1] == Rejected("", "mostly_junk", incomplete=True)

    def test_an_endless_line_is_cut(self) -> None:
        entries = read(b"https://shop.example/" + b"x" * 500_000 + b"\nhttps://shop.example/b")
        assert entries[1:] == [PageEntry("https://shop.example/b")]
        assert isinstance(entries[0], Rejected)
        assert (len(entries[0].value), entries[0].reason) == (200, "too_long")


class TestFeeds:
    @pytest.mark.parametrize(
        "body",
        [
            """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://shop.example/</link>
               <atom:link rel="self" href="https://shop.example/feed"/><image><url>/logo.png</url></image>
               <item><title>Tea</title><link>https://shop.example/tea</link><guid>https://shop.example/?p=1</guid>
               <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item></channel></rss>""",
            """<rss version="2.0"><channel><item><guid> https://shop.example/tea </guid>
               <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item></channel></rss>""",
            """<rss version="2.0" xmlns:f="http://rssnamespace.org/feedburner/ext/1.0"><channel><item>
               <link>https://counter.example/~r/1</link><f:origLink>https://shop.example/tea</f:origLink>
               <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item></channel></rss>""",
            """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
               xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://shop.example/</link></channel>
               <item><link>https://shop.example/tea</link><dc:date>Mon, 02 Mar 2026 10:00:00 GMT</dc:date></item>
               </rdf:RDF>""",
            """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://shop.example/"/><entry><id>tag:1</id>
               <link rel="enclosure" href="/tea.mp3"/><link rel="alternate" href="https://shop.example/tea"/>
               <source><link href="https://other.example/"/><updated>2001</updated></source>
               <updated>Mon, 02 Mar 2026 10:00:00 GMT</updated></entry></feed>""",
        ],
        ids=["rss2", "permalink", "feedburner", "rss1", "atom"],
    )
    def test_every_kind_lists_its_entries_with_their_dates(self, body: str) -> None:
        date = "Mon, 02 Mar 2026 10:00:00 GMT"
        assert read(body) == [PageEntry("https://shop.example/tea", date, published=date)]

    @pytest.mark.parametrize(
        ("dates", "lastmod", "published"),
        [
            ("<published>2026-03-01</published><updated>2026-03-02</updated>", "2026-03-02", "2026-03-01"),
            ("<issued>2026-03-01</issued><modified>2026-03-02</modified>", "2026-03-02", "2026-03-01"),
            ("<updated>2026-03-02</updated>", "2026-03-02", "2026-03-02"),
            ("<title>Tea</title>", "", ""),
        ],
    )
    def test_a_change_and_a_publication_are_told_apart(self, dates: str, lastmod: str, published: str) -> None:
        body = f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/tea"/>{dates}</entry></feed>'
        assert read(body) == [PageEntry("https://shop.example/tea", lastmod, published=published)]

    def test_a_guid_that_is_no_address_is_none(self) -> None:
        body = '<rss><channel><item><guid isPermaLink="false">https://shop.example/?p=1</guid></item></channel></rss>'
        assert read(body) == [Rejected("", "empty")]

    def test_relative_links_start_from_xml_base(self) -> None:
        body = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/en/"><entry xml:base="teas/"><link href="green"/>
            </entry><entry><link href="black"/></entry></feed>"""
        assert pages(body) == ["https://shop.example/en/teas/green", "https://shop.example/en/black"]


class TestWhatIsNone:
    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            (b"", "empty"),
            (b" \r\n\t", "empty"),
            (gzip.compress(b"", mtime=0), "empty"),
            (b"<!DOCTYPE html><title>Denied</title>", "html"),
            (b"<!-- urlset --><html><body><h1>404</h1></body></html>", "html"),
            (b"<html><svg><rdf:RDF></rdf:RDF></svg></html>", "html"),
            (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "html"),
            (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "unknown_root"),
            (b"<Error><Code>AccessDenied</Code></Error>", "unknown_root"),
            (b"%PDF-1.7\n\x00\x01\x02", "binary"),
            (b"PK\x03\x04rest", "binary"),
            (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
            (b'{"error": "not found"}', "no_addresses"),
            (b"User-agent: *\nDisallow: /\nSitemap: https://shop.example/s.xml\n", "no_addresses"),
            (b"404 page not found\n", "no_addresses"),
        ],
    )
    def test_another_kind_of_file_is_refused_with_its_reason(self, body: bytes, reason: str) -> None:
        assert refusal(body) == reason


class TestStreaming:
    def test_the_first_entry_comes_before_the_rest_is_inflated(self) -> None:
        # everything behind the first hundred kilobytes is broken: who reads ahead fails on it
        body = gzip.compress(urlset(*(f"https://shop.example/{number * 7919}" for number in range(100_000))).encode())
        entries = read_sitemap(body[:50_000] + b"\xff" * 50_000, URL, max_bytes=1 << 30)
        assert next(entries) == PageEntry("https://shop.example/0")

    def test_memory_does_not_grow_with_the_list(self) -> None:
        def peak(count: int) -> int:
            body = gzip.compress(urlset(*(f"https://shop.example/{number}" for number in range(count))).encode(), 1)
            tracemalloc.start()
            try:
                assert sum(1 for _ in read_sitemap(body, URL, max_bytes=1 << 30)) == count
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        assert peak(20_000) < 2 * peak(3_000)
