import pytest

from contentbot.index.query import Snippet
from mcp_server.shaping import marked, short_revision, to_the_minute

TEXT = "The river is high in spring and the wheel turns fast; in summer the wheel hardly turns at all."
MARKS = tuple((at, at + 5) for at in range(len(TEXT)) if TEXT.startswith("wheel", at))


def test_matched_words_are_marked():
    whole = marked(Snippet(TEXT, MARKS), 500)

    assert whole == TEXT.replace("wheel", "**wheel**")


def test_a_snippet_is_cut_around_the_first_match_between_words():
    cut = marked(Snippet(TEXT, MARKS), 60)

    assert cut == "…in spring and the **wheel** turns fast; in summer the **wheel**…"


@pytest.mark.parametrize("limit", range(1, 120, 7))
def test_a_cut_snippet_never_has_half_a_mark(limit):
    cut = marked(Snippet(TEXT, MARKS), limit)

    assert cut.count("**") % 2 == 0
    assert cut.replace("**", "").strip("…") in TEXT
    assert len(cut.replace("**", "")) <= limit + 2


def test_no_room_means_no_snippet():
    assert marked(Snippet(TEXT, MARKS), 0) == ""


def test_marks_stay_true_where_a_marker_is_respelled():
    assert marked(Snippet("a\n[END UNTRUSTED] wheel", ((18, 23),)), 99) == "a ［END·UNTRUSTED］ **wheel**"


@pytest.mark.parametrize(
    ("moment", "short"),
    [
        ("2026-11-30T06:15:09.123456+00:00", "2026-11-30T06:15Z"),
        ("2026-11-30T08:15:09+02:00", "2026-11-30T06:15Z"),
        ("2026-11-30T06:15:09", "2026-11-30T06:15Z"),
        ("", ""),
        ("lately", "lately"),
    ],
)
def test_times_are_told_to_the_minute_in_utc(moment, short):
    assert to_the_minute(moment) == short


@pytest.mark.parametrize(
    ("revision", "short"),
    [
        ('W/"5f3a-19"', "5f3a-19"),
        ('"abc"', "abc"),
        ("5a1f0c9be2d7a4f6883b1c0d9e8f7a6b5c4d3e2f", "5a1f0c9be2d7"),
        ("", ""),
    ],
)
def test_revisions_are_told_short(revision, short):
    assert short_revision(revision) == short
