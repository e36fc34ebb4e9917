"""The normal forms of what was read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.documents import ContentDocument
from contentbot.pipelines.validate import distinct, normal_date, normal_locale, normalised, problem_of

FIELDS = {
    "id": "m:a",
    "key": "k",
    "source": "m",
    "url": "https://mill.example/a",
    "path": "/a",
    "title": "A",
    "body": "B",
}


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("en", "en"),
        ("EN-us", "en-US"),
        ("de_DE.UTF-8", "de-DE"),
        ("pt_br", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("sr-Latn", "sr-Latn"),
        ("de-CH-1996", "de-CH"),
        (" fr ", "fr"),
        ("", ""),
        ("english", ""),
        ("x", ""),
        ("{{ lang }}", ""),
    ],
)
def test_a_locale_has_one_spelling(written: str, normal: str) -> None:
    assert normal_locale(written) == normal


@given(st.text(max_size=20))
def test_a_normal_locale_stays_as_it_is(text: str) -> None:
    assert normal_locale(normal_locale(text)) == normal_locale(text)


def test_names_that_differ_in_case_or_spaces_are_one_and_keep_the_first_spelling() -> None:
    assert distinct(["Open  Source", "open source", " Java\n", "", "JAVA", "Mu\u0308hle"]) == [
        "Open Source",
        "Java",
        "Mühle",
    ]


@pytest.mark.parametrize("date", ["2026-03-12", "2026-03-12T08:00:00+01:00", "2026-03-12T08:00:00Z"])
def test_an_iso_date_stays(date: str) -> None:
    assert normal_date(date) == date


@pytest.mark.parametrize("date", ["", "12.03.2026", "March 12, 2026", "2026-13-01", "yesterday"])
def test_any_other_date_is_none(date: str) -> None:
    assert normal_date(date) == ""


def test_a_document_is_brought_into_normal_form() -> None:
    document = ContentDocument(
        **FIELDS, locale="de_de", categories=["ai", "AI"], author=" Ada  L. ", published_date="soon"
    )
    normal = normalised(document)
    assert (normal.locale, normal.categories, normal.author, normal.published_date) == ("de-DE", ["ai"], "Ada L.", "")


def test_a_document_in_normal_form_is_passed_on_as_it_is() -> None:
    document = ContentDocument(**FIELDS, locale="en")
    assert normalised(document) is document


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [("title", " \n", "no title"), ("body", "", "no text"), ("url", "/a", "no web address: '/a'")],
)
def test_what_can_be_no_document_is_refused(field: str, value: str, problem: str) -> None:
    assert problem_of(ContentDocument(**{**FIELDS, field: value})) == problem
