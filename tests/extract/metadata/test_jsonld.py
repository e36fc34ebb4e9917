"""JSON-LD with the faults of the web, and which of its nodes are about the page."""

import json

import pytest

from contentbot.extract.metadata.jsonld import parse_lenient
from tests.extract.metadata.pages import URL, json_ld, read


@pytest.mark.parametrize(
    "text",
    [
        '{"headline": "Wheel"}',
        '{"headline": "Wheel"};',
        '{"headline": "Wheel",}',
        '<!-- {"headline": "Wheel"} -->',
        '//<![CDATA[\n{"headline": "Wheel"}\n//]]>',
        '/* <![CDATA[ */ {"headline": "Wheel"} /* ]]> */',
        '\ufeff{"headline": "Wheel"}',
        "{&quot;headline&quot;: &quot;Wheel&quot;}",
        '{"headline": "Wheel"}{"headline": "broken',
    ],
)
def test_a_block_is_read_in_spite_of_its_faults(text):
    assert parse_lenient(text) == [{"headline": "Wheel"}]


def test_control_characters_and_wrong_escapes_in_strings_are_mended():
    assert parse_lenient('{"a": "one\ntwo\tthree"}') == [{"a": "one\ntwo\tthree"}]
    assert parse_lenient(r'{"a": "it\'s", "b": "C:\\wheel"}') == [{"a": r"it\'s", "b": r"C:\wheel"}]


def test_quotation_marks_inside_a_string_are_part_of_it():
    assert parse_lenient('{"a": "the "big" wheel", "b": "a 5" pipe", "c": ["x"]}') == [
        {"a": 'the "big" wheel', "b": 'a 5" pipe', "c": ["x"]}
    ]


def test_several_faults_at_once_are_mended():
    text = '{"headline": "The \\wide "old" weir", /* by hand */ "author": {"name": "Ada Muster",},}'
    assert parse_lenient(text) == [{"headline": r'The \wide "old" weir', "author": {"name": "Ada Muster"}}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"headline": "Weir", "articleBody": "The water ru', {"headline": "Weir"}),
        ('{"a": {"b": [1, {"c": "d"}, 2', {"a": {"b": [1, {"c": "d"}]}}),
        ('{"a": {"b": "1"}', {"a": {"b": "1"}}),
    ],
)
def test_of_a_block_that_breaks_off_the_whole_members_are_read(text, value):
    assert parse_lenient(text) == [value]


def test_comments_and_an_assignment_are_no_part_of_the_value():
    text = 'var page = {"url": "https://mill.example/a//b", /* set by hand */\n"n": 1, // last\n};'
    assert parse_lenient(text) == [{"url": "https://mill.example/a//b", "n": 1}]


@pytest.mark.parametrize("piece", ['x" ', "/*", "//", '"', "\\", '[{"a":1},', 'a" '])
def test_no_repair_takes_long_on_hostile_text(piece):
    assert parse_lenient('{"a": "' + piece * (200_000 // len(piece))) == []


@pytest.mark.parametrize(
    "author",
    [
        {"@list": [{"@type": "Person", "name": "Ada Muster"}]},
        {"@type": "Person", "givenName": "Ada", "familyName": "Muster"},
        {"name": {"@value": "Ada Muster", "@language": "de"}},
        {"name": [{"name": "Ada Muster"}]},
    ],
)
def test_a_name_is_found_in_every_form_of_a_person(author):
    block = {"@type": "Article", "headline": "Wheel", "author": author}
    assert read(json_ld(json.dumps(block))).authors == ("Ada Muster",)


def test_a_comma_in_a_string_is_no_trailing_comma():
    assert parse_lenient('{"a": "x,]", "b": [1,],}') == [{"a": "x,]", "b": [1]}]


def test_what_is_no_json_gives_nothing():
    assert parse_lenient("window.page = 1") == []
    assert parse_lenient("[" * 100_000) == []


def test_a_broken_block_costs_itself_only():
    page = read(json_ld('{"@type": "Article", "headline": ') + json_ld('{"@type": "Article", "headline": "Wheel"}'))
    assert page.title == "Wheel"


def test_a_line_break_in_a_headline_is_a_space():
    page = read(json_ld('{"@type":"Article","headline":"Wheel\nand water","datePublished":"2026-05-02"}'))
    assert (page.title, page.published_date) == ("Wheel and water", "2026-05-02")


def test_entities_in_strings_are_decoded():
    page = read(json_ld('{"@type": "Article", "headline": "Wheel &amp;amp; Water &#8211; a tale"}'))
    assert page.title == "Wheel & Water – a tale"


def test_references_into_a_graph_are_followed():
    page = read(
        json_ld(
            """{"@context": "https://schema.org", "@graph": [
            {"@type": "Person", "@id": "#ada", "name": "Ada Muster"},
            {"@type": "WebSite", "name": "Mill Notes"},
            {"@type": ["Article", "BlogPosting"], "headline": "Wheel", "author": {"@id": "#ada"}}]}"""
        )
    )
    assert (page.title, page.authors, page.site_name) == ("Wheel", ("Ada Muster",), "Mill Notes")


def test_the_node_that_names_this_page_wins_over_its_neighbours():
    page = read(
        json_ld(
            f"""[{{"@type": "BlogPosting", "headline": "Gears", "url": "https://www.mill.example/notes/gears",
            "author": "Ben Other", "datePublished": "2026-01-01"}},
            {{"@type": "BlogPosting", "headline": "Wheel", "mainEntityOfPage": {{"@id": "{URL}/"}},
            "author": "Ada Muster", "datePublished": "2026-03-12"}}]"""
        )
    )
    assert (page.title, page.author, page.published_date) == ("Wheel", "Ada Muster", "2026-03-12")


def test_items_of_a_list_are_not_the_page():
    page = read(
        "<h1>All notes</h1>"
        + json_ld(
            """{"@type": "CollectionPage", "mainEntity": {"@type": "ItemList", "itemListElement": [
            {"@type": "ListItem", "item": {"@type": "Article", "headline": "Gears", "author": "Ben Other",
            "datePublished": "2026-01-01"}}]}}"""
        )
    )
    assert (page.title, page.author, page.published_date) == ("All notes", "", "")


def test_several_articles_of_which_none_is_this_page_say_nothing():
    page = read(
        "<h1>Wheel</h1>"
        + json_ld(
            '[{"@type": "Article", "headline": "Gears", "datePublished": "2026-01-01"},'
            '{"@type": "Article", "headline": "Stones", "datePublished": "2026-01-02"}]'
        )
    )
    assert (page.title, page.published_date) == ("Wheel", "")
