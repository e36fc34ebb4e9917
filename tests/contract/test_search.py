"""What a search finds, in which order, and what it says about it."""

import pytest

from contentbot.access import PUBLIC
from contentbot.errors import InvalidQuery
from contentbot.index import Index
from contentbot.index.query import AnyOf, Between, Equals, SearchRequest, SearchResult, Sort
from tests.contract.differences import RANKS_BY_TEN_WORDS
from tests.contract.documents import document


def search(index: Index, query: str, **more: object) -> SearchResult:
    return index.search(SearchRequest(query, **more), principal=PUBLIC)  # type: ignore[arg-type]


def names(result: SearchResult) -> list[str]:
    return [hit.document.id.split(":", 1)[1] for hit in result.hits]


def marked(result: SearchResult) -> list[str]:
    snippet = result.hits[0].snippet
    return [snippet.text[low:high] for low, high in snippet.marks]


def test_a_document_is_found_by_a_word_of_its_body(index: Index) -> None:
    index.upsert([document("wheel", body="The water turns a wheel."), document("weir", body="The weir holds water.")])
    assert names(search(index, "wheel")) == ["wheel"]


def test_an_index_that_nobody_wrote_is_empty_and_says_so(index: Index) -> None:
    result = search(index, "wheel", facets=("category",))
    assert (result.total, result.facets) == (0, {"category": {}})
    assert "contentbot crawl" in result.notices[0]


def test_a_match_in_the_title_outranks_excerpt_and_body(index: Index) -> None:
    rest = "some other words that stand around here today"
    index.upsert(
        [
            document("body", "Plain name", f"sluice {rest}", excerpt=rest),
            document("excerpt", "Plain name", rest, excerpt=f"sluice {rest}"),
            document("title", "Sluice name", rest, excerpt=rest),
        ]
    )
    assert names(search(index, "sluice ")) == ["title", "excerpt", "body"]


def test_a_title_that_is_the_query_comes_first(index: Index) -> None:
    index.upsert(
        [
            document("long", "All about the water wheel and water wheels", "water wheel water wheel water wheel"),
            document("exact", "Water wheel", "nothing more"),
        ]
    )
    assert names(search(index, "water wheel"))[0] == "exact"


def test_equal_matches_are_ordered_newest_first_then_by_key(index: Index) -> None:
    same = [document(f"p{n}", "Mill", "a wheel", published_date=f"2024-0{1 + n % 3}-01") for n in range(30)]
    index.upsert(same)
    expected = sorted(same, key=lambda one: (-(one.published_timestamp or 0), one.key))
    assert [hit.document.key for hit in search(index, "wheel", limit=30).hits] == [one.key for one in expected]


def test_pages_of_equal_matches_neither_repeat_nor_miss_a_document(index: Index) -> None:
    index.upsert([document(f"p{number}", "Mill", "a wheel") for number in range(250)])
    for sort in Sort:
        pages = [search(index, "wheel", sort=sort, offset=start, limit=20) for start in range(0, 260, 20)]
        assert {page.total for page in pages} == {250}
        seen = [name for page in pages for name in names(page)]
        assert len(seen) == len(set(seen)) == 250


def test_a_document_of_many_matching_sections_is_one_hit(index: Index) -> None:
    sections = "\n\n".join(f"## Part {number}\n\nThe wheel turns." for number in range(200))
    index.upsert([document("long", body=sections), document("short", body="One wheel among many other things here.")])
    result = search(index, "wheel", limit=2)
    assert result.total == 2
    assert sorted(names(result)) == ["long", "short"]


def test_a_hit_names_its_best_section(index: Index) -> None:
    body = "# Guide\n\nIntro.\n\n## Building\n\nWood.\n\n## Tuning\n\nTurn the regulator slowly.\n"
    outline = [
        {"level": 1, "title": "Guide", "anchor": "guide", "lineStart": 1, "lineEnd": 11},
        {"level": 2, "title": "Building", "anchor": "building", "lineStart": 5, "lineEnd": 8},
        {"level": 2, "title": "Tuning", "anchor": "tuning", "lineStart": 9, "lineEnd": 11},
    ]
    index.upsert([document("guide", body=body, outline=outline)])
    hit = search(index, "regulator").hits[0]
    assert hit.heading_path == ("Guide", "Tuning")
    assert hit.anchor == "tuning"
    lines = body.split("\n")[hit.line_start - 1 : hit.line_end]
    assert "Turn the regulator slowly." in lines
    assert hit.document.body == ""
    assert hit.snippet.text == "Turn the regulator slowly."
    assert marked(search(index, "regulator")) == ["regulator"]


def test_a_sorted_search_also_names_the_best_section(index: Index) -> None:
    index.upsert([document("guide", body="## One\n\nwood\n\n## Two\n\nthe regulator")])
    assert search(index, "regulator", sort=Sort.NEWEST).hits[0].heading_path == ("Two",)


def test_the_last_word_of_a_very_long_document_is_found(index: Index) -> None:
    words = " ".join(f"word{number % 5000}" for number in range(70_000))
    index.upsert([document("long", body=f"{words} quuxian"), document("other", body="short")])
    result = search(index, "quuxian ")
    assert names(result) == ["long"]
    assert result.hits[0].snippet.text.endswith("quuxian")


def test_twelve_words_are_all_searched_and_a_longer_query_says_what_it_ignores(index: Index, engine: str) -> None:
    index.upsert([document("rare", body="only a zyzzogeton"), document("common", body="one two three four")])
    twelve = "one two three four five six seven eight nine ten eleven zyzzogeton "
    assert "rare" in names(search(index, twelve))
    assert bool(search(index, twelve).notices) is (engine in RANKS_BY_TEN_WORDS)
    assert "ignored" in search(index, " ".join(f"w{number}" for number in range(50))).notices[0]


def test_ten_thousand_characters_are_answered_with_a_notice(index: Index) -> None:
    index.upsert([document("page", body="the wheel")])
    for query in ("wheel " * 1700, "w" * 10_000, '"' * 10_000, "-" * 10_000, "水" * 10_000, '"wheel ' * 1500):
        assert search(index, query).notices


def test_a_query_of_stop_words_only_is_answered(index: Index) -> None:
    index.upsert([document("who", "The Who", "A band."), document("other", "Else", "Nothing here.")])
    assert names(search(index, "the who")) == ["who"]
    assert names(search(index, "to be")) == []


def test_stop_words_are_marked_and_counted_only_where_there_is_nothing_else(index: Index) -> None:
    index.upsert(
        [document("a", body="The wheel of the mill."), document("b", body="The weir."), document("c", locale="")]
    )
    result = search(index, "the wheel of ")
    assert (names(result), result.total) == (["a"], 1)
    assert marked(result) == ["wheel"]
    result = search(index, "of the ")
    assert (names(result), result.total) == (["a", "b"], 2)
    assert marked(result) == ["The", "of", "the"]


def test_punctuation_and_operators_are_words_or_nothing(index: Index) -> None:
    index.upsert([document("page", "Mill", "the wheel AND (the weir")])
    for query in ("wheel AND (", "title:wheel", "wheel^3", "[wheel TO *}", "wheel\\", "wheel~2", "NOT wheel", "+wheel"):
        assert names(search(index, query)) == ["page"], query
    for query in ("", "   ", "()", "\\", "!!!", '""', "- -"):
        assert search(index, query).total == 1, query


def test_a_phrase_must_stand_in_the_document_as_it_is_quoted(index: Index) -> None:
    index.upsert(
        [
            document("yes", body="They run an open source mill."),
            document("no", body="The source of the river is open."),
            document("apart", body="## A\n\nend with open\n\n## B\n\nsource begins"),
        ]
    )
    assert names(search(index, '"open source"')) == ["yes"]
    assert names(search(index, '"open source" river')) == ["yes"]
    assert search(index, '"open source" "no such thing"').total == 0


def test_two_phrases_may_stand_in_two_sections(index: Index) -> None:
    index.upsert(
        [document("page", "Name", "## A\n\nthe water wheel\n\n## B\n\nthe upper weir"), document("other", body="wheel")]
    )
    result = search(index, '"water wheel" "upper weir"')
    assert (names(result), result.total) == (["page"], 1)


def test_an_excluded_word_excludes_the_whole_document(index: Index) -> None:
    index.upsert(
        [
            document("both", body="## A\n\nwheel wheel\n\n## B\n\nweir"),
            document("one", body="## A\n\nwheel\n\n## B\n\nwood"),
        ]
    )
    result = search(index, "wheel -weir")
    assert (names(result), result.total) == (["one"], 1)
    assert names(search(index, "-weir")) == ["one"]
    assert names(search(index, 'wheel -"no such"')) == ["both", "one"] or search(index, 'wheel -"no such"').total == 2
    assert search(index, "well-known").total == 0


def test_a_phrase_of_a_title_is_found(index: Index) -> None:
    index.upsert([document("page", "The Upper Mill", "body"), document("other", "Mill Upper", "body")])
    assert names(search(index, '"upper mill"')) == ["page"]


def test_an_empty_query_lists_newest_first_with_undated_documents_last(index: Index) -> None:
    index.upsert(
        [
            document("old", published_date="2020-01-01"),
            document("none"),
            document("new", published_date="2024-06-01T10:00:00+02:00"),
        ]
    )
    assert names(search(index, "")) == ["new", "old", "none"]
    assert names(search(index, "", sort=Sort.OLDEST)) == ["old", "new", "none"]


def test_moments_are_compared_across_zones(index: Index) -> None:
    index.upsert(
        [
            document("east", published_date="2023-08-09T01:15:00+02:00"),
            document("utc", published_date="2023-08-08T23:45:00Z"),
        ]
    )
    assert names(search(index, "")) == ["utc", "east"]
    border = document("x", published_date="2023-08-08T23:30:00Z").published_timestamp
    assert names(search(index, "", filter=Between("published", low=border))) == ["utc"]
    assert names(search(index, "", filter=Between("published", high=border))) == ["east"]


def test_a_missing_number_is_never_in_a_range(index: Index) -> None:
    index.upsert([document("none")])
    assert search(index, "", filter=Between("published")).total == 0
    assert search(index, "", filter=Between("published", low=-(10**30), high=10**30)).total == 0


def test_pages_outside_of_the_window_are_refused(index: Index) -> None:
    for page in ({"offset": -1}, {"limit": -1}, {"offset": 10_000, "limit": 1}):
        with pytest.raises(InvalidQuery):
            search(index, "wheel", **page)
    assert search(index, "wheel", offset=9_990, limit=10).hits == []


def test_a_limit_of_nothing_still_counts(index: Index) -> None:
    index.upsert([document("a", body="wheel"), document("b", body="wheel")])
    result = search(index, "wheel", limit=0)
    assert (result.hits, result.total) == ([], 2)


def test_unknown_fields_are_refused_with_the_fields_there_are(index: Index) -> None:
    for request in (
        SearchRequest(filter=Equals("colour", "red")),
        SearchRequest(filter=AnyOf("allow", ("public",))),
        SearchRequest(filter=Between("source", low=1)),
        SearchRequest(facets=("title",)),
    ):
        with pytest.raises(InvalidQuery, match=r"source|published"):
            index.search(request, principal=PUBLIC)
