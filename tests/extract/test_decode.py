"""Bytes to text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.errors import UnsupportedMedia
from contentbot.extract.decode import MULTI_BYTE, Media, choose_encoding, decode, lookup, media_type

HTML = "text/html"
GERMAN = "<p>Die Mühle mahlt größere Körner.</p>"
RUSSIAN = "<p>Мельница мелет муку, и колесо вертится медленно. Вода течёт под колесом.</p>"
JAPANESE = "<p>水車は小麦を挽いて粉にします。川の水が車輪を回しています。</p>"


@pytest.mark.parametrize(
    ("body", "content_type", "evidence"),
    [
        (codecs.BOM_UTF8 + GERMAN.encode(), "text/html; charset=windows-1251", "bom"),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), "text/html; charset=utf-8", "bom"),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), HTML, "bom"),
        (GERMAN.encode("cp1252"), "text/html; charset=ISO-8859-1", "header"),
        (GERMAN.encode("cp1252"), 'text/html;charset="latin1"', "header"),
        (GERMAN.encode("cp1252"), "text/html; Charset = 'iso8859-1'", "header"),
        (b"<meta charset=latin1>" + GERMAN.encode("cp1252"), HTML, "meta"),
        (b"<meta content='text/html; charset=cp1252' http-equiv=content-type>" + GERMAN.encode("cp1252"), HTML, "meta"),
        (b"<?xml version='1.0' encoding='iso-8859-15'?>" + GERMAN.encode("iso-8859-15"), HTML, "xml declaration"),
        (GERMAN.encode(), HTML, "valid utf-8"),
        (GERMAN.encode("utf-16-le"), HTML, "detected"),
        (GERMAN.encode("utf-16-be"), HTML, "detected"),
        (GERMAN.encode("utf-16-le"), "text/html; charset=utf-16", "header"),
    ],
)
def test_the_evidence_counts_in_the_order_of_the_standard(body: bytes, content_type: str, evidence: str):
    decoded = decode(body, content_type)
    assert decoded.text.endswith(GERMAN)
    assert decoded.evidence == evidence


@pytest.mark.parametrize(
    "declared", ["iso-8859-1", "windows-1252", "windows-1251", "us-ascii", "iso-8859-15", "koi8-r"]
)
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE, "<p>Only one: é</p>"])
def test_utf_8_that_is_declared_as_something_narrower_is_utf_8(declared: str, text: str):
    assert decode(text.encode(), f"text/html; charset={declared}").text == text
    assert decode(f"<meta charset={declared}>{text}".encode(), HTML).text.endswith(text)


@pytest.mark.parametrize("declared", ["gbk", "shift_jis", "big5", "euc-kr"])
def test_much_utf_8_that_is_declared_as_a_multi_byte_encoding_is_utf_8(declared: str):
    assert decode(JAPANESE.encode(), f"text/html; charset={declared}").text == JAPANESE


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("联通 <b>网络</b>", "gb2312"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        ("방앗간의 물레", "ks_c_5601-1987"),
        ("風車和水車", "big5"),
    ],
)
def test_multi_byte_encodings_are_believed(text: str, label: str):
    codec = lookup(label)
    assert codec is not None
    assert decode(text.encode(codec), f"text/html; charset={label}").text == text


def test_a_page_that_calls_itself_utf_8_and_is_not_is_detected():
    page = f"<meta charset=utf-8>{RUSSIAN * 5}".encode("cp1251")
    assert "Мельница мелет" in decode(page, "text/html; charset=utf-8").text


def test_a_few_broken_bytes_do_not_cost_a_page_its_encoding():
    decoded = decode(GERMAN.encode() * 3 + b"<p>caf\xe9</p>", "text/html; charset=utf-8")
    assert (decoded.encoding, decoded.replaced) == ("utf-8", 1)
    assert "größere" in decoded.text


def test_a_body_cut_inside_its_last_character_stays_utf_8():
    assert decode(GERMAN.encode() + "ü".encode()[:1], HTML).encoding == "utf-8"


@pytest.mark.parametrize(
    "head",
    [
        "<!-- <meta charset=windows-1251> -->",
        "<script>var s = '<meta charset=windows-1251>';</script>",
        "<style>/* <meta charset=windows-1251> */</style>",
        "<title><meta charset=windows-1251></title>",
        '<meta name=description content="a charset=windows-1251 in a sentence">',
    ],
)
def test_only_a_real_element_declares_an_encoding(head: str):
    assert choose_encoding(f"{head}<p>é".encode("cp1252") + b" \xe9\xe8", HTML)[1] == "detected"


def test_a_declaration_behind_a_long_script_is_found():
    page = b"<head><script>" + b"x" * 20_000 + b"</script><meta charset=koi8-r></head>" + RUSSIAN.encode("koi8-r")
    assert "Мельница" in decode(page, HTML).text


def test_json_and_text_are_not_searched_for_a_meta_element():
    text = '{"html": "<meta charset=gbk>", "name": "café"}'
    for content_type in ("application/json", "text/plain", "text/css"):
        assert decode(text.encode(), content_type).text == text


def test_a_meta_element_that_says_utf_16_is_wrong_by_being_readable():
    assert decode(f"<meta charset=utf-16le>{GERMAN}".encode(), HTML).text.endswith(GERMAN)


@pytest.mark.parametrize("label", ["no-such-thing", "utf-7", "hz-gb-2312", "rot13", "base64", "x" * 300, "\x00", "ÿ"])
def test_labels_that_name_no_encoding_of_the_web_are_passed_over(label: str):
    assert lookup(label) is None
    assert decode(GERMAN.encode(), f"text/html; charset={label}").text == GERMAN


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("LATIN1", "cp1252"), ("ascii", "cp1252"), ("iso-8859-9", "cp1254"), ("gb2312", "gb18030"), ("x-sjis", "cp932"),
        ("euc-kr", "cp949"), ("x-cp1250", "cp1250"), ("unicode-1-1-utf-8", "utf-8"), ("iso-8859-8-i", "iso8859-8"),
        ("x-mac-cyrillic", "mac-cyrillic"), ("dos-874", "cp874"), (" UTF-8 ", "utf-8"), ("'utf8'", "utf-8"),
    ],
)  # fmt: skip
def test_labels_are_those_of_the_web(label: str, codec: str):
    assert codecs.lookup(lookup(label) or "") == codecs.lookup(codec)


def test_zeros_in_the_middle_do_not_end_the_text():
    assert decode(b"<p>before\x00after</p>", "text/html; charset=utf-8").text == "<p>beforeafter</p>"


@given(
    st.binary(max_size=400), st.sampled_from(["", HTML, "text/html; charset=utf-16", "text/plain; charset=gbk", "x"])
)
def test_every_body_becomes_text(body: bytes, content_type: str):
    assert isinstance(decode(body, content_type).text, str)


@given(st.text(max_size=200).filter(lambda text: "\x00" not in text and "\ufeff" not in text))
def test_what_is_declared_and_encoded_as_utf_8_comes_back(text: str):
    assert (
        decode(text.encode("utf-8", "ignore"), "text/html; charset=utf-8").text
        == text.encode("utf-8", "ignore").decode()
    )


@pytest.mark.parametrize(
    ("content_type", "body", "media"),
    [
        ("text/html", b"text", Media.HTML),
        ("TEXT/HTML ; charset=x", b"", Media.HTML),
        ("application/xhtml+xml", b"<html/>", Media.HTML),
        ("text/html; name=\xcf-593.html", b"<p>ok", Media.HTML),
        ("text/html; name=\udccf-593.html", b"<p>ok", Media.HTML),
        ("text/html, text/plain", b"<p>ok", Media.HTML),
        ("text/plain", b"<html>", Media.TEXT),
        ("text/markdown; variant=GFM", b"# T", Media.MARKDOWN),
        ("text/x-markdown", b"# T", Media.MARKDOWN),
        ("", b"\n <!-- x --> <!DOCTYPE html><p>", Media.HTML),
        ("", b"\xef\xbb\xbf<html>", Media.HTML),
        ("", codecs.BOM_UTF16_LE + "<html>".encode("utf-16-le"), Media.HTML),
        ("application/octet-stream", b"<h1>T</h1>", Media.HTML),
        ("", b"words, and nothing else", Media.TEXT),
        ("nonsense", b"<p>x", Media.HTML),
        ("application/xml", b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", Media.HTML),
    ],
)
def test_the_media_type_is_that_of_the_header_or_else_of_the_bytes(content_type: str, body: bytes, media: Media):
    assert media_type(content_type, body) is media


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{}"),
        ("application/pdf", b"%PDF-1.7"),
        ("text/html", b"%PDF-1.7"),
        ("", b"\x89PNG\r\n\x1a\n"),
        ("text/plain", b"PK\x03\x04"),
        ("image/svg+xml", b"<svg/>"),
        ("application/rss+xml", b"<rss/>"),
        ("application/xml", b"<urlset/>"),
        ("text/css", b"a{}"),
    ],
)
def test_what_is_no_text_for_readers_is_refused_with_its_type(content_type: str, body: bytes):
    with pytest.raises(UnsupportedMedia) as error:
        media_type(content_type, body)
    assert error.value.reason == "unsupported_media"
    assert error.value.detail


def test_hostile_beginnings_are_sniffed_in_no_time():
    assert media_type("", b"<!-->" * 2_000) is Media.TEXT
    with pytest.raises(UnsupportedMedia):
        media_type("application/xml", b"<?x?><!-- -->" * 500)


def test_the_names_of_multi_byte_codecs_are_those_that_lookup_gives():
    assert {lookup(label) for label in ("gbk", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp")} <= MULTI_BYTE


def test_a_declared_utf_8_is_believed_in_spite_of_a_stray_byte():
    stray = "Mühle".encode() + b" \xff"
    assert decode(stray, "text/html; charset=utf-8").text == "Mühle \ufffd"
    assert decode(b"<meta charset=utf-8>" + stray, HTML).text.endswith("Mühle \ufffd")


@pytest.mark.parametrize("text", ["Mühle", "Crème brûlée", "5 € – „gut“"])
def test_a_few_letters_without_a_declaration_are_read_as_western_european(text: str):
    assert decode(f"<p>{text}</p>".encode("cp1252"), HTML).text == f"<p>{text}</p>"


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "iso8859-5"])
def test_what_is_not_declared_is_detected_among_the_encodings_of_the_web(codec: str):
    assert decode(RUSSIAN.encode(codec), HTML).text == RUSSIAN
