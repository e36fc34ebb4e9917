"""The passage that a hit shows."""

from hypothesis import given
from hypothesis import strategies as st

from contentbot.index.query import Snippet
from contentbot.index.snippets import snippet


def marks_of(text: str, *words: str) -> list[tuple[int, int]]:
    found = [(at, at + len(word)) for word in words for at in range(len(text)) if text.startswith(word, at)]
    return sorted(found)


def marked(shown: Snippet) -> list[str]:
    return [shown.text[low:high] for low, high in shown.marks]


def test_a_short_text_is_shown_whole() -> None:
    shown = snippet("the water wheel", marks_of("the water wheel", "wheel"), 30)
    assert shown == Snippet("the water wheel", ((10, 15),))


def test_the_window_is_where_most_different_words_matched() -> None:
    text = "wheel " + "filler " * 60 + "the wheel of the mill " + "filler " * 60 + "wheel wheel"
    shown = snippet(text, marks_of(text, "wheel", "mill"), 10)
    assert marked(shown) == ["wheel", "mill"]
    assert shown.text.startswith("… ")
    assert shown.text.endswith(" …")
    assert len(shown.text.split()) == 12


def test_without_a_match_the_beginning_is_shown() -> None:
    assert snippet("one two three four", (), 2).text == "one two …"


def test_white_space_is_one_space() -> None:
    text = "a\n\n  wheel \t of\nwood"
    shown = snippet(text, marks_of(text, "wheel", "wood"), 30)
    assert shown.text == "a wheel of wood"
    assert marked(shown) == ["wheel", "wood"]


def test_a_text_without_spaces_is_cut_too() -> None:
    text = "水" * 5_000 + "車" + "水" * 5_000
    shown = snippet(text, marks_of(text, "車"), 10)
    assert marked(shown) == ["車"]
    assert len(shown.text) < 200


def test_nothing_is_shown_of_nothing() -> None:
    assert snippet("", (), 30) == snippet("text", (), 0) == Snippet()


@given(st.text(alphabet=st.sampled_from("ab  \n"), max_size=300), st.integers(1, 8))
def test_marks_stay_on_their_words(text: str, words: int) -> None:
    shown = snippet(text, marks_of(text, "ab"), words)
    assert all(word == "ab" for word in marked(shown))
    assert bool(shown.marks) == ("ab" in text)
    assert len(shown.text.split()) <= words + 3
