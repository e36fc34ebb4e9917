from dataclasses import replace

import pytest

from contentbot.state import PageState, PageStatus, State, open_state
from contentbot.state.surveys import Survey, Surveyed

ONE, TWO = Survey("a" * 64, "en", b"\x01one", "2024-05-01"), Survey("b" * 64, "de", b"\x01two")


@pytest.fixture
def state(database_url: str):
    with open_state(database_url) as opened:
        yield opened


def page(survey: Survey, **more: object) -> PageState:
    known = PageState("mill", f"https://mill.example/{survey.document_key[0]}", PageStatus.INDEXED)
    return replace(known, document_key=survey.document_key, **more)


def test_surveys_come_back_as_they_were_and_of_their_source_only(state: State) -> None:
    assert state.surveys.put("mill", [TWO, ONE])
    assert state.surveys.put("brook", [ONE])
    assert state.surveys.sample("mill", 10) == [ONE, TWO]
    assert (state.surveys.count("mill"), state.surveys.count("brook")) == (2, 1)


def test_a_sample_is_always_the_same_one(state: State) -> None:
    state.surveys.put("mill", [TWO])
    state.surveys.put("mill", [ONE])
    assert state.surveys.sample("mill", 1) == [ONE]


def test_only_a_survey_that_differs_makes_what_was_learned_stale(state: State) -> None:
    assert state.surveys.template("mill") == (b"", False)
    state.surveys.put("mill", [ONE])
    assert state.surveys.template("mill") == (b"", True)
    state.surveys.learned("mill", b"\x01learned")
    assert not state.surveys.put("mill", [ONE])
    assert state.surveys.template("mill") == (b"\x01learned", False)
    assert state.surveys.put("mill", [replace(ONE, survey=b"\x01other")])
    assert state.surveys.template("mill") == (b"\x01learned", True)


def test_a_page_that_has_nothing_to_learn_from_takes_its_survey_away(state: State) -> None:
    assert not state.surveys.put("mill", [Survey(ONE.document_key, "en", b"")])
    state.surveys.put("mill", [ONE])
    assert state.surveys.put("mill", [Survey(ONE.document_key, "en", b"")])
    assert state.surveys.count("mill") == 0


def test_documents_that_no_page_leads_to_are_forgotten(state: State) -> None:
    state.surveys.put("mill", [ONE, TWO])
    state.surveys.learned("mill", b"\x01learned")
    state.pages.put([page(ONE), page(TWO)])
    assert not state.surveys.forget_gone("mill")
    state.pages.put([replace(page(TWO), document_key="", status=PageStatus.GONE)])
    assert state.surveys.forget_gone("mill")
    assert state.surveys.sample("mill", 10) == [ONE]
    assert state.surveys.template("mill") == (b"\x01learned", True)


def test_surveys_are_read_with_what_was_dropped_of_each_page(state: State) -> None:
    state.surveys.put("mill", [ONE, TWO])
    state.pages.put([page(ONE, dropped="0123456789abcdef"), replace(page(TWO), status=PageStatus.FAILED)])
    assert list(state.surveys.surveyed("mill")) == [
        Surveyed("https://mill.example/a", "0123456789abcdef", ONE.survey, "2024-05-01")
    ]
