"""Reading what a person types."""

from hypothesis import given
from hypothesis import strategies as st

from contentbot.index.question import MAX_CHARACTERS, MAX_WORDS, parse


def test_words_phrases_and_exclusions_are_told_apart() -> None:
    parsed = parse('mill "water wheel" -weir -"old stone" whe')
    assert parsed.words == ("mill", "whe")
    assert parsed.phrases == ("water wheel",)
    assert parsed.excluded == ("weir", "old stone")
    assert parsed.open_ended


def test_a_word_is_open_while_it_is_the_last_thing_typed() -> None:
    assert parse("whe").open_ended
    for closed in ("whe ", "whe.", 'whe "a"', "whe -a", '"whe', ""):
        assert not parse(closed).open_ended, closed


def test_an_unclosed_quote_runs_to_the_end() -> None:
    assert parse('"water whe').phrases == ("water whe",)


def test_a_hyphen_inside_of_a_word_excludes_nothing() -> None:
    assert parse("well-known").excluded == ()
    assert parse("- well").excluded == ()


def test_what_is_cut_is_said() -> None:
    assert parse("a " * 100).notices == (f"only the first {MAX_WORDS} words of the query were used, 68 were ignored",)
    assert len(parse("a" * 5_000).words[0]) == MAX_CHARACTERS


@given(st.text(max_size=300))
def test_any_text_is_a_query(text: str) -> None:
    parsed = parse(text)
    assert len(parsed.words) + len(parsed.phrases) + len(parsed.excluded) <= MAX_WORDS
