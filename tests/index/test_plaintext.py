"""Markdown to the words a reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.index.plaintext import inline_text, plain_text, read_lines


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("a [link](https://x.example/a_(b) 'title') here", "a link here"),
        ("a [link](<https://x.example/a b>) here", "a link here"),
        ("see [the *old* mill][ref] now", "see the old mill now"),
        ("![a wheel](wheel.png) turns", "a wheel turns"),
        ('[![badge](b.svg "t")](https://x.example) text', "badge text"),
        ("**bold** and *slanted* and ***both*** and ~~gone~~", "bold and slanted and both and gone"),
        (
            "_under_ and __strong__ but snake_case_name and 2 * 3 * 4",
            "under and strong but snake_case_name and 2 * 3 * 4",
        ),
        ("`code *as it* is` and ``a ` tick``", "code *as it* is and a ` tick"),
        (r"escaped \*stars\* and \[brackets\]", "escaped *stars* and [brackets]"),
        ("<https://x.example/a> and <b>tags</b><br>", "https://x.example/a and tags"),
        ("a < b and c > d", "a < b and c > d"),
        ("lonely * star and [bracket", "lonely * star and [bracket"),
    ],
)
def test_inline_marks_go_and_their_words_stay(markdown: str, words: str) -> None:
    assert inline_text(markdown) == words


def test_block_marks_go_and_their_words_stay() -> None:
    markdown = (
        "# Title #\n\n> quoted\n> > deeper\n\n- item\n  - [x] done\n1. first\n\n---\n\n"
        "| a | b |\n|:--|--:|\n| 1 \\| 2 | **3** |\n\n```python\nx = [1](2)\n```\nafter"
    )
    assert plain_text(read_lines(markdown)).split("\n") == [
        *("Title", "", "quoted", "deeper", "", "item", "done", "first", "", ""),
        *("a b", "1 | 2 3", "", "x = [1](2)", "after"),
    ]


def test_a_fence_ends_at_its_own_kind_and_length_only() -> None:
    assert plain_text(read_lines("````\n```\n~~~\n*x*\n````\n*y*")) == "```\n~~~\n*x*\ny"


def test_windows_line_ends_leave_no_trace() -> None:
    assert plain_text(read_lines("# A\r\n\r\ntext\r\n```\r\ncode\r\n```\r\n")) == "A\n\ntext\ncode"


@given(st.text(alphabet=st.sampled_from("ab *_`[]()!<>\\|~#-\n\"'"), max_size=200))
def test_every_line_keeps_its_number(markdown: str) -> None:
    assert [line.number for line in read_lines(markdown)] == list(range(1, markdown.count("\n") + 2))


@pytest.mark.parametrize("part", ["[", "![](", "*a", "`", "<a ", "[a](", "\\", "_a_", "[[a]", "**a*", "<!--"])
def test_hostile_lines_are_read_in_linear_time(part: str) -> None:
    # a backtracking expression would not come back from these
    assert isinstance(inline_text(part * 5_000), str)
