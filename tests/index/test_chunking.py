"""Sections: what they hold, where they are, and where they are cut."""

from hypothesis import given
from hypothesis import strategies as st

from contentbot.documents import Chunk, ContentDocument
from contentbot.index.chunking import MAX_WORDS, chunks_of
from tests.contract.documents import document


def lines_of(page: ContentDocument, chunk: Chunk) -> list[str]:
    return page.body.split("\n")[chunk.line_start - 1 : chunk.line_end]


def test_a_section_is_what_stands_under_a_heading() -> None:
    page = document("p", body="Intro.\n\n# One\n\nfirst\n\n## Two\n\nsecond\n\n# Three\n\nthird")
    assert [(chunk.heading_path, chunk.text) for chunk in chunks_of(page)] == [
        ([], "Intro."),
        (["One"], "first"),
        (["One", "Two"], "second"),
        (["Three"], "third"),
    ]
    assert lines_of(page, chunks_of(page)[2]) == ["## Two", "", "second", ""]


def test_the_outline_gives_titles_and_anchors_where_there_is_one() -> None:
    outline = [{"level": 2, "title": "Two", "anchor": "two-1", "lineStart": 1, "lineEnd": 3}]
    (chunk,) = chunks_of(document("p", body="## *Two*\n\ntext", outline=outline))
    assert (chunk.heading_path, chunk.anchor, chunk.text) == (["Two"], "two-1", "text")


def test_a_bare_heading_is_kept_only_where_it_stands_over_nothing_else() -> None:
    chunks = chunks_of(document("p", body="# Guide\n\n## Empty\n\n## Full\n\ntext"))
    assert [chunk.heading_path for chunk in chunks] == [["Guide", "Empty"], ["Guide", "Full"]]


def test_a_document_without_a_body_has_one_empty_section() -> None:
    (chunk,) = chunks_of(document("p"))
    assert (chunk.text, chunk.line_start, chunk.line_end) == ("", 1, 1)


def test_a_heading_inside_of_code_is_code() -> None:
    (chunk,) = chunks_of(document("p", body="```sh\n# not a heading\nls\n```\n\nafter"))
    assert chunk.text == "# not a heading\nls\n\nafter"


def test_lines_of_code_and_rows_of_tables_are_never_cut() -> None:
    code = [f"call_{number}(with, some, arguments, and, more, words)  # {'word ' * 8}" for number in range(120)]
    rows = [f"| {number} | {'cell ' * 20}|" for number in range(120)]
    body = "\n".join(["```", *code, "```", "", "| a | b |", "|---|---|", *rows])
    chunks = chunks_of(document("p", body=body))
    assert len(chunks) > 5
    text = "\n".join(chunk.text for chunk in chunks).split("\n")
    assert [line for line in text if line.startswith("call_")] == [line.rstrip() for line in code]
    assert sum(line.startswith(f"{number} cell") for number in range(120) for line in text) >= 120


def test_one_line_of_prose_over_the_limit_is_cut_between_words() -> None:
    words = [f"w{number}" for number in range(1_000)]
    chunks = chunks_of(document("p", body=" ".join(words)))
    assert [len(chunk.text.split()) for chunk in chunks] == [400, 400, 200]
    assert " ".join(chunk.text for chunk in chunks).split() == words
    assert {(chunk.line_start, chunk.line_end) for chunk in chunks} == {(1, 1)}


def test_an_unspaced_script_is_cut_too() -> None:
    chunks = chunks_of(document("p", body="水車" * 2_000))
    assert len(chunks) == 5
    assert "".join(chunk.text for chunk in chunks) == "水車" * 2_000


markdown = st.lists(
    st.sampled_from(
        ["# H", "## G", "", "text of words", "```", "~~~", "| a | b |", "|--|--|", "- item", "> q", "x " * 300]
    ),
    max_size=40,
).map("\n".join)


@given(markdown)
def test_sections_follow_each_other_through_the_document(body: str) -> None:
    page = document("p", body=body)
    chunks = chunks_of(page)
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    ends = [0]
    for chunk in chunks:
        assert ends[-1] <= chunk.line_start <= chunk.line_end <= body.count("\n") + 1
        assert len(chunk.text.split()) <= MAX_WORDS
        ends.append(chunk.line_end)
    words = " ".join(chunk.text for chunk in chunks)
    assert words.count("text of words") == body.count("text of words")
    assert words.count("x x") == body.count("x x")
