"""Sitemaps of every kind and in every state, read from their bytes alone."""

import gzip

import pytest

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
        body = gzip.compress(b"<urlset>" + b" " * (64 << 20))
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
        assert (
            pages(b"<?xml version='1.0'?>" + ONE + b"\n<?xml version='1.0'?>" + ONE) == ["https://shop.example/tea"] * 2
        )
