"""How words find each other: stems, spellings, typos, beginnings, scripts and identifiers."""

import pytest

from contentbot.documents import ContentDocument
from contentbot.index import Index
from tests.contract.differences import COMPLETES_DIGRAPHS, TELLS_ACCENTS
from tests.contract.documents import document
from tests.contract.test_search import marked, names, search


def test_english_words_are_found_in_other_forms(index: Index) -> None:
    index.upsert([document("page", body="She was running the mills.")])
    for query in ("run ", "runs ", "mill ", "milling "):
        assert names(search(index, query)) == ["page"], query


def test_german_words_are_found_in_other_forms_without_naming_the_language(index: Index) -> None:
    index.upsert(
        [document("seite", body="Die alten Häuser am Mühlbach.", locale="de"), document("page", body="houses")]
    )
    for query in ("Haus ", "haeuser ", "häusern ", "Mühlbaches "):
        assert names(search(index, query)) == ["seite"], query


@pytest.mark.parametrize("stored", ["Müller", "Mueller", "Muller"])
@pytest.mark.parametrize("locale", ["de", "en", "fr"])
def test_umlauts_and_their_spellings_find_each_other(index: Index, stored: str, locale: str) -> None:
    index.upsert([document("page", body=f"Gebaut von {stored}.", locale=locale)])
    for asked in ("Müller", "Mueller", "Muller", "MÜLLER", "Mu\u0308ller"):
        assert names(search(index, f"{asked} ")) == ["page"], asked
        assert marked(search(index, f"{asked} ")) == [stored]


@pytest.mark.parametrize(
    ("stored", "asked"), [("Straße", "strasse"), ("Strasse", "Straße"), ("Café", "cafe"), ("naive", "naïve")]
)
def test_accents_and_sharp_s_are_folded(index: Index, stored: str, asked: str) -> None:
    index.upsert([document("page", body=f"Eine {stored} hier.", locale="x")])
    assert names(search(index, asked)) == ["page"]


def test_exact_letters_outrank_folded_ones(index: Index, engine: str) -> None:
    index.upsert([document("plain", "Solheim", "Solheim"), document("stroke", "Sølvik", "Sølvik")])
    assert names(search(index, "Sø")) == ["stroke", "plain"]
    index.upsert([document("resume", "One", "to resume work"), document("cv", "Two", "a résumé work")])
    found = names(search(index, "résumé")), names(search(index, "resume"))
    assert sorted(found[0]) == sorted(found[1]) == ["cv", "resume"]
    if engine in TELLS_ACCENTS:
        assert (found[0][0], found[1][0]) == ("cv", "resume")


def test_a_digraph_being_typed_begins_umlauts_and_itself_only(index: Index, engine: str) -> None:
    index.upsert(
        [
            document("umlaut", "One", "Müller"),
            document("spelled", "Two", "Mueller"),
            document("museum", "Red", "Museum"),
        ]
    )
    assert names(search(index, "mue")) == ["spelled", "umlaut"][: 2 if engine in COMPLETES_DIGRAPHS else 1]
    assert sorted(names(search(index, "mül"))) == ["spelled", "umlaut"]


def test_one_typo_from_five_letters_two_from_nine(index: Index) -> None:
    index.upsert([document("page", body="the mill has a weir and a waterwheel of oakwood")])
    assert names(search(index, "oakwod ")) == ["page"]
    assert names(search(index, "watrewheel ")) == ["page"]
    assert names(search(index, "watrwhel ")) == [], "eight letters allow one typo"
    assert names(search(index, "waterwhl ")) == []
    assert names(search(index, "watrewhel ")) == ["page"]
    assert names(search(index, "wier ")) == [], "four letters allow none"


def test_a_wrong_first_letter_counts_as_two_typos(index: Index) -> None:
    index.upsert([document("page", body="a regulator of copper")])
    assert names(search(index, "topper ")) == []
    assert names(search(index, "segulator ")) == ["page"]
    assert names(search(index, "segulater ")) == []


def test_an_exact_word_outranks_a_typo(index: Index) -> None:
    index.upsert([document("typo", "One", "the whael"), document("exact", "Two", "the wheel"), *_fillers()])
    assert names(search(index, "wheel "))[:2] == ["exact", "typo"]


def test_a_typo_is_marked_where_it_matched(index: Index) -> None:
    index.upsert([document("page", body="The regulator turns.")])
    assert marked(search(index, "regulater ")) == ["regulator"]


def test_only_the_last_word_is_a_beginning_and_only_without_a_space_after_it(index: Index) -> None:
    index.upsert([document("page", body="the regulator"), document("other", body="wood")])
    assert names(search(index, "regu")) == ["page"]
    assert names(search(index, "regu ")) == []
    assert names(search(index, "regu wood")) == ["other"]
    assert marked(search(index, "regu")) == ["regulator"]


def test_chinese_japanese_and_korean_are_found_by_parts_of_a_sentence(index: Index) -> None:
    index.upsert(
        [
            document("ja", body="東京都の水車は古い。", locale="ja"),
            document("zh", body="磨坊的水轮很旧", locale="zh"),
            document("ko", body="오래된 물레방아가 돌아간다", locale="ko"),
        ]
    )
    assert names(search(index, "水車")) == ["ja"]
    assert names(search(index, "水轮")) == ["zh"]
    assert names(search(index, "물레방아")) == ["ko"]
    assert marked(search(index, "東京都")) == ["東京都"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("C++ ", "cpp"),
        ("c# ", "csharp"),
        (".NET ", "net"),
        ("getUserName", "camel"),
        ("username", "camel"),
        ("user name", "camel"),
        ("max_retry_count ", "snake"),
        ("retry count ", "snake"),
        ("org.example.Mill", "dotted"),
        ("HttpServletRequest", "pascal"),
        ("servlet ", "pascal"),
        ("node.js ", "node"),
    ],
)
def test_identifiers_and_names_with_signs_are_found(index: Index, query: str, found: str) -> None:
    bodies = {
        "cpp": "Written in C++ only",
        "csharp": "Written in C# only",
        "net": "Runs on .NET today",
        "camel": "Call `getUserName()` first",
        "snake": "Set `max_retry_count` to 3",
        "dotted": "Import `org.example.Mill` here",
        "pascal": "Takes an HttpServletRequest",
        "node": "Started by node.js",
        "letter": "The letter C on a net",
    }
    index.upsert([document(name, "Page", body) for name, body in bodies.items()])
    assert names(search(index, query))[0] == found


def test_an_author_or_category_is_found_by_name(index: Index) -> None:
    index.upsert([document("page", body="text", author="Ada Byron", categories=["Hydraulics"])])
    assert names(search(index, "byron")) == ["page"]
    assert names(search(index, "hydraulics")) == ["page"]


def _fillers() -> list[ContentDocument]:
    return [document(f"filler{number}", body="nothing of interest") for number in range(5)]
