"""What feeds of all kinds, sound and damaged, are read as."""

import time
from html import escape
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentbot.documents import Enclosure, FeedItem
from contentbot.errors import NotAFeed
from contentbot.feeds import Feed, is_whole, read_feed
from tests.feeds.served import LONG, OWN, atom, item, json_feed, rss

HERE = f"{OWN}/news/feed.xml"


def read(body: bytes, content_type: str = "", **limits: int) -> Feed:
    return read_feed(body, HERE, content_type, **limits)


def only(body: bytes, content_type: str = "") -> FeedItem:
    (found,) = read(body, content_type).items
    return found


def with_declaration(encoding: str, title: str) -> str:
    return rss(item("/a", title)).decode().replace("UTF-8", encoding)


RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="urn:c"><title>Mill</title></channel>{}</rdf:RDF>'
)


@pytest.mark.parametrize(
    ("body", "version"),
    [
        (rss(item("/a"), version="0.91"), "rss091u"),
        (rss(item("/a"), version="0.92"), "rss092"),
        (rss(item("/a")), "rss20"),
        (RDF.format(f"<item><title>A</title><link>{OWN}/a</link></item>").encode(), "rss10"),
        (atom(f'<entry><title>A</title><link href="{OWN}/a"/></entry>'), "atom10"),
        (json_feed({"id": "1", "title": "A", "url": f"{OWN}/a"}), "json"),
    ],
)
def test_every_kind_of_feed_gives_its_items(body: bytes, version: str) -> None:
    feed = read(body, "text/plain")
    assert feed.version == version
    assert [(one.title, one.url) for one in feed.items] == [("A", f"{OWN}/a")]


@pytest.mark.parametrize(
    ("body", "content_type", "title"),
    [
        (with_declaration("UTF-8", "Müller").encode("latin-1"), "", "Müller"),
        (with_declaration("ISO-8859-1", "Müller").encode(), "text/xml; charset=ISO-8859-1", "Müller"),
        (with_declaration("windows-1251", "Мельница").encode("cp1251"), "", "Мельница"),
        (with_declaration("UTF-8", "Мельница")[38:].encode("koi8-r"), "text/xml; charset=koi8-r", "Мельница"),
        (with_declaration("Shift_JIS", "水車小屋").encode("shift_jis"), "", "水車小屋"),
        (with_declaration("UTF-16", "Müller").encode("utf-16"), "", "Müller"),
        (b"\n \xef\xbb\xbf" + rss(item("/a", "Müller")), "", "Müller"),
        (b"\xef\xbb\xbf\n\n" + rss(item("/a", "Müller")), "", "Müller"),
    ],
)  # fmt: skip
def test_letters_are_read_whatever_encoding_was_declared(body: bytes, content_type: str, title: str) -> None:
    assert only(body, content_type).title == title


@pytest.mark.parametrize(
    "damage",
    [
        lambda feed: b"<br />\n<b>Warning</b>: something in x.php<br />\n" + feed,
        lambda feed: feed.replace(b"</channel></rss>", b"</channel>"),
        lambda feed: feed.replace(b' xmlns:content="http://purl.org/rss/1.0/modules/content/"', b""),
        lambda feed: feed.replace(b"<link>", b"<link>\x0b\x00"),
        lambda feed: feed.replace(b"<description>Notes", b"<description>Notes &nbsp; & <3 "),
        lambda feed: feed.replace(b"?>", b'?><!DOCTYPE rss [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]>', 1),
    ],
)
def test_damage_is_mended(damage: Any) -> None:
    found = only(damage(rss(item("/a", "Sluice & wheel", LONG))))
    assert (found.title, found.url, is_whole(found)) == ("Sluice & wheel", f"{OWN}/a", True)


def test_of_a_feed_that_ends_in_the_middle_only_whole_items_count() -> None:
    feed = read(rss(item("/a", text=LONG), item("/b", text=LONG))[:-100])
    assert [one.url for one in feed.items] == [f"{OWN}/a"]
    assert feed.incomplete


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b" \n", "empty_feed"),
        (b"<!doctype html><title>Sorry</title>", "not_a_feed"),
        (b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>', "not_a_feed"),
        (b'{"items": []}', "not_a_feed"),
        (b'{"version": "https://jsonfeed.org/version/1", "items": [', "not_a_feed"),
        (b"Not today", "not_a_feed"),
    ],
)
def test_what_is_no_feed_is_refused_with_a_reason(body: bytes, reason: str) -> None:
    with pytest.raises(NotAFeed) as refused:
        read(body)
    assert refused.value.reason == reason
    assert refused.value.detail


def test_a_web_page_names_its_feeds_with_comments_last() -> None:
    links = (
        '<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">'
        '<link rel="alternate" type="application/feed+json" href="feed.json"><link rel="stylesheet" href="/a.css">'
    )
    with pytest.raises(NotAFeed) as refused:
        read(f"<html><head>{links}</head><body><p>Hello</p></body></html>".encode(), "text/html")
    assert refused.value.feeds == (f"{OWN}/news/feed.json", f"{OWN}/comments/feed")


def test_an_items_link_is_its_own_page_whatever_leads_there() -> None:
    feed = read(
        rss(
            "<item><title>a</title><link>/a?x=1&amp;y=2</link></item>",
            f"<item><title>b</title><guid>{OWN}/b</guid></item>",
            '<item><title>c</title><guid isPermaLink="false">c</guid></item>',
            f"<item><title>d</title><link>https://counter.example/d</link><feedburner:origLink "
            f'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0">{OWN}/d</feedburner:origLink></item>',
        )
    )
    assert [one.url for one in feed.items] == [f"{OWN}/a?x=1&y=2", f"{OWN}/b", "", f"{OWN}/d"]


def test_an_atom_entry_is_linked_by_its_alternate_and_based_on_xml_base() -> None:
    entry = (
        '<entry xml:base="https://cdn.mill.example/x/"><title>A</title><link rel="replies" href="/r"/>'
        '<link rel="alternate" type="text/html" href="p/1"/><link rel="alternate" type="application/pdf" href="p.pdf"/>'
        '<content type="html">&lt;a href="more"&gt;More&lt;/a&gt;</content></entry>'
    )
    found = only(atom(entry))
    assert (found.url, found.base) == ("https://cdn.mill.example/x/p/1", "https://cdn.mill.example/x/")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<![CDATA[<p>One <b>two</b></p>]]>", "<p>One <b>two</b></p>"),
        (escape("<p>One <b>two</b></p>"), "<p>One <b>two</b></p>"),
        ("<p>One <b>two</b></p>", "<p>One <b>two</b></p>"),
        (escape(escape("<p>One &amp; two</p>", quote=False), quote=False), "<p>One &amp; two</p>"),
        ("One &amp;amp; two\n\nThree", "<p>One &amp; two</p><p>Three</p>"),
    ],
)
def test_texts_are_html_however_they_were_escaped(text: str, html: str) -> None:
    found = only(rss(f"<item><title>a</title><description>{text}</description></item>"))
    assert found.summary == html


@pytest.mark.parametrize(
    ("title", "read_as"),
    [
        ("Sluice &amp;amp; wheel", "Sluice & wheel"),
        ("Sluice &amp; wheel", "Sluice & wheel"),
        ("<![CDATA[A <b>big</b> wheel]]>", "A big wheel"),
        ("1 &lt; 2", "1 < 2"),
        ("a\n   wheel", "a wheel"),
    ],
)
def test_titles_are_plain_text(title: str, read_as: str) -> None:
    assert only(rss(f"<item><title>{title}</title></item>")).title == read_as


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("Thu, 12 Mar 2026 09:30:00 +0100", "2026-03-12T09:30:00+01:00"),
        ("Thu, 12 Mar 2026 09:30:00 CEST", "2026-03-12T09:30:00+02:00"),
        ("Thu, 12 March 2026 9:30 PST", "2026-03-12T09:30:00-08:00"),
        ("Do, 12 Mär 2026 09:30:00 +0100", "2026-03-12T09:30:00+01:00"),
        ("12 Mar 26", "2026-03-12"),
        ("2026-03-12", "2026-03-12"),
        ("2026-W11-4", "2026-03-12"),
        ("1773307800", "2026-03-12T09:30:00Z"),
        ("Thu Mar 12 09:30:00 2026", "2026-03-12T09:30:00"),
        ("Thu, 32 Mar 2026 09:30:00 GMT", ""),
        ("soon", ""),
    ],
)
def test_dates_are_read_in_whatever_form_with_the_zone_they_name(date: str, iso: str) -> None:
    found = only(rss(f"<item><title>a</title><pubDate>{date}</pubDate></item>", head="<language>de</language>"))
    assert found.published == iso


@pytest.mark.parametrize(
    "dates",
    [
        "<dc:date>2024-05-02</dc:date>",
        "<t:created>2024-05-02</t:created>",
        "<t:issued>2024-05-02</t:issued><t:modified>2024-06-01</t:modified>",
        "<t:created>2024-05-02</t:created><t:modified>2024-06-01</t:modified>",
    ],
)
def test_an_item_is_dated_by_dublin_core_where_the_feeds_own_element_is_missing(dates: str) -> None:
    entry = (
        '<item rdf:about="https://mill.example/w" xmlns:t="http://purl.org/dc/terms/"><title>Wheel</title>'
        f"<link>https://mill.example/w</link>{dates}</item>"
    )
    assert only(RDF.format(entry).encode()).published == "2024-05-02"


def test_authors_are_names() -> None:
    feed = read(
        rss(
            "<item><title>a</title><author>ann@mill.example (Ann Low)</author></item>",
            "<item><title>b</title><dc:creator>Ann Low</dc:creator><dc:creator>Ben High</dc:creator></item>",
            "<item><title>c</title><author>ann@mill.example</author></item>",
            head="<managingEditor>ed@mill.example (The Editor)</managingEditor>",
        )
    )
    assert [one.authors for one in feed.items] == [("Ann Low",), ("Ann Low", "Ben High"), ()]


def test_an_atom_entry_without_an_author_has_that_of_its_feed() -> None:
    entries = "<entry><title>a</title></entry><entry><title>b</title><author><name>Ann Low</name></author></entry>"
    feed = read(atom(entries, head="<author><name>Ben High</name></author>"))
    assert [one.authors for one in feed.items] == [("Ben High",), ("Ann Low",)]


def test_an_episode_has_its_file_duration_picture_and_notes() -> None:
    episode = (
        '<item><title>Ep</title><guid isPermaLink="false">1</guid><description>Notes</description>'
        '<enclosure url="/ep.mp3?x=1" length="12345678" type="audio/mpeg"/><itunes:duration>1:02:33</itunes:duration>'
        '<itunes:image href="/ep.jpg"/></item>'
    )
    found = only(rss(episode))
    assert found.enclosures == (Enclosure(f"{OWN}/ep.mp3?x=1", "audio/mpeg", 12345678, 3753),)
    assert found.image == f"{OWN}/ep.jpg"
    assert is_whole(found)


def test_a_json_feed_has_all_that_its_items_tell() -> None:
    found = only(
        json_feed(
            {
                "id": 7, "url": "/x", "title": "The wheel", "content_html": f"<p>{LONG}</p>", "summary": "A wheel",
                "date_published": "2026-03-12T08:00:00+01:00", "date_modified": "2026-03-13T08:00:00Z",
                "authors": [{"name": "Ann Low"}], "tags": ["Water", 3], "image": "/i.jpg", "language": "de",
                "attachments": [{"url": "/e.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 61,
                                 "size_in_bytes": 9}],
            }
        )
    )  # fmt: skip
    assert (found.id, found.url, found.title, found.authors) == ("7", f"{OWN}/x", "The wheel", ("Ann Low",))
    assert (found.published, found.updated) == ("2026-03-12T08:00:00+01:00", "2026-03-13T08:00:00Z")
    assert (found.categories, found.image, found.language) == (("Water",), f"{OWN}/i.jpg", "de")
    assert found.enclosures == (Enclosure(f"{OWN}/e.mp3", "audio/mpeg", 9, 61),)


@pytest.mark.parametrize(
    ("more", "whole"),
    [
        ({"content": f"<p>{LONG}</p>"}, True),
        ({"content": f"<p>{LONG}</p><p><a href='{OWN}/a'>Continue reading <em>The wheel</em></a></p>"}, False),
        ({"content": f"<p>{LONG} […]</p>"}, False),
        ({"content": f"<p>{LONG}</p><p>Weiterlesen →</p>"}, False),
        ({"content": "<p>Just now.</p>"}, False),
        ({"content": "<p>Just now.</p>", "title": ""}, True),
        ({"content": f"<p>{'水車は夜明けに回り始める。' * 8}</p>"}, True),
        ({"summary": f"<p>{LONG}</p>"}, False),
        ({"summary": f"<p>{LONG * 3}</p>"}, True),
        ({"summary": "<p>Just now.</p>", "url": ""}, True),
        ({}, False),
    ],
)
def test_an_items_text_is_whole_where_it_does_not_read_like_a_teaser(more: dict[str, str], whole: bool) -> None:
    known: dict[str, Any] = {"feed": HERE, "id": "1", "url": f"{OWN}/a", "title": "The wheel", **more}
    assert is_whole(FeedItem(**known)) is whole


def test_items_over_the_limit_are_counted() -> None:
    feed = read(rss(*(item(f"/{number}") for number in range(7))), max_items=3)
    assert ([one.url for one in feed.items], feed.more) == ([f"{OWN}/{number}" for number in range(3)], 4)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_whatever_becomes_of_a_feed_it_is_read_or_refused(data: st.DataObject) -> None:
    known = [rss(item("/a", text=LONG), item("/b")), atom("<entry><title>a</title></entry>"), json_feed({"id": "1"})]
    body = bytearray(data.draw(st.sampled_from(known)))
    for _ in range(data.draw(st.integers(0, 8))):
        at = data.draw(st.integers(0, len(body) - 1))
        body[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6))
        body = body or bytearray(b" ")
    try:
        feed = read(bytes(body))
    except NotAFeed as refused:
        assert refused.reason
    else:
        assert all(one.id for one in feed.items)


HOSTILE = {
    "depth": b"<rss><channel>" + b"<a>" * 300_000,
    "bare signs": b"<rss><channel><item><title>" + b"<" * 2_000_000,
    "a long author": rss(item("/a", more=f"<author>{'a' * 1_000_000}</author>")),
    "many categories": rss(item("/a", more="".join(f"<category>{n}</category>" for n in range(20_000)))),
    "many prefixes": b"<rss>" + b"".join(b"<p%d:a/>" % n for n in range(20_000)) + b"</rss>",
    "many attributes": b"<rss " + b" ".join(b"a%d='1'" % n for n in range(20_000)) + b"><channel/></rss>",
    "deep JSON": b'{"version": "https://jsonfeed.org/version/1", "items": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_feed_costs_no_more_than_its_size(name: str) -> None:
    began = time.process_time()
    try:
        read(HOSTILE[name])
    except NotAFeed as refused:
        assert refused.detail
    # seconds of this process; without limits the worst of them takes minutes
    assert time.process_time() - began < 15
