"""A query as the engine's queries."""

import pytest

from contentbot.index.meilisearch.marks import Marks
from contentbot.index.meilisearch.words import COMPOUND_WEIGHT, MAX_RANKED, Channel, Part, Words
from contentbot.index.question import parse
from contentbot.sources.languages import Languages


def words(query: str, locale: str = "", languages: Languages | None = None) -> Words:
    return Words(parse(query), locale, languages or Languages())


def texts(query: str, locale: str = "") -> list[str]:
    return [part.text for part in words(query, locale).ranking()]


def test_words_are_ranked_as_typed_and_as_stems_of_each_family() -> None:
    parts = words("Mills running ").ranking()
    assert [part.text for part in parts if part.channel is Channel.STEMS] == [
        "mill run ",
        "mill running ",
        "mills running ",
    ]
    assert texts("Mills running ", "en") == ["mills running ", "mill run "]


def test_words_are_parts_of_compounds_where_german_may_be_meant() -> None:
    assert words("Rad ", "de").ranking()[-1] == Part("rad ", Channel.COMPOUNDS, COMPOUND_WEIGHT)
    assert words("Rad ").singles(1.0)[-1] == Part('"rad"', Channel.COMPOUNDS)
    assert Channel.COMPOUNDS not in {part.channel for part in words("wheel ", "en").membership()}


def test_a_beginning_with_a_letter_that_is_folded_also_begins_what_it_folds_to() -> None:
    assert texts("alte Mül", "de")[1] == "alt mul"
    assert texts("alte Mül ", "de")[1] == "alt mul "


def test_the_last_word_is_a_beginning_unless_a_space_follows() -> None:
    assert texts("water whe", "fr")[0] == "water whe"
    assert texts("water whe ", "fr")[0] == "water whe "


def test_stop_words_are_left_out_where_there_are_others() -> None:
    assert texts("the wheel of ", "en")[0] == "wheel "
    assert texts("to be", "en") == ["to be"]
    languages = Languages(stop_words={"de": frozenset({"bitte"})})
    assert words("bitte Mühle ", "de", languages).typed == ["mühle"]
    assert words("bitte Mühle ", "en", languages).typed == ["bitte", "mühle"]


def test_what_belongs_is_found_by_any_word_or_stem() -> None:
    parts = words("mills running ", "en").membership()
    assert [(part.text, part.channel) for part in parts] == [
        ("mills ", Channel.TYPED),
        ("running ", Channel.TYPED),
        ("mill ", Channel.STEMS),
        ("run ", Channel.STEMS),
    ]


def test_phrases_and_exclusions_stand_first_where_nothing_is_cut() -> None:
    parsed = words('open "upper mill" -old -"no such" weir "a b')
    (part,) = parsed.membership()
    assert part.text == '-"old" -"no such" "upper mill" "a b" '
    assert [part.text for part in parsed.ranking()] == ['"upper mill" open weir ', '"a b" open weir ']
    assert parsed.finding() == parsed.ranking()
    assert parsed.spans_sections


def test_signs_of_the_engines_syntax_have_no_meaning_inside_of_words() -> None:
    for query in ('a"b', "--x y", 'say "-no" ', "title:wheel^3 "):
        for part in words(query).ranking() + words(query).membership():
            assert part.text.replace('-"', '"').count("-") == 0, query
            assert part.text.count('"') % 2 == 0, query


@pytest.mark.parametrize(("count", "unranked"), [(1, 0), (10, 0), (11, 1), (25, 15)])
def test_words_past_the_engines_limit_only_add_documents(count: int, unranked: int) -> None:
    query = words("".join(f"word{chr(97 + number)} " for number in range(count)), "fr")
    assert query.unranked == unranked
    assert len(query.ranking()[0].text.split()) == min(count, MAX_RANKED)
    assert len([part for part in query.membership() if part.channel is Channel.TYPED]) == count


def test_positions_in_bytes_become_characters_of_whole_words() -> None:
    text = "Über die Mühlräder"
    start = text.encode().index("Mühl".encode())
    marks = Marks(words("mühl", "de")).of(text, [{"start": start, "length": 5}], "de")
    assert [text[low:high] for low, high in marks] == ["Mühlräder"]


def test_other_forms_are_marked_where_the_engine_saw_none() -> None:
    text = "She was running the mills."
    assert [text[low:high] for low, high in Marks(words("mill run ", "en")).of(text, [], "en")] == ["running", "mills"]
