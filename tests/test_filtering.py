"""Which documents the rules of a source keep."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.documents import ContentDocument
from contentbot.filtering import keeps_until, refusal
from contentbot.sources.filters import RuleSet

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)


def document(text: str = "The mill grinds rye and wheat.", **fields: Any) -> ContentDocument:
    url = "https://mill.example/a"
    given = {"title": "Flour", "locale": "en", "categories": ["News"], "published_date": "2026-06-01", **fields}
    return ContentDocument(id="mill:a", key="k", source="mill", url=url, path="/a", body=text, plain_text=text, **given)


def refused(rules: dict[str, Any], of: ContentDocument) -> str:
    found = refusal(of, RuleSet.model_validate(rules), NOW)
    return found.reason if found else ""


@pytest.mark.parametrize(
    ("rules", "fields", "reason"),
    [
        ({"min-words": 6}, {}, ""),
        ({"min-words": 7}, {}, "too_few_words"),
        ({"min-words": 4}, {"text": "水車は小麦を挽く"}, ""),
        ({"min-words": 5}, {"text": "水車は小麦を挽く"}, "too_few_words"),
        ({"languages": "en"}, {"locale": "en-GB"}, ""),
        ({"languages": "pt-BR"}, {"locale": "pt"}, "other_language"),
        ({"languages": "pt-BR"}, {"locale": "pt-BR"}, ""),
        ({"languages": "de, fr"}, {}, "other_language"),
        ({"languages": "de"}, {"locale": ""}, ""),
        ({"languages": "de"}, {"locale": "den"}, "other_language"),
        ({"categories-require": "news, Events"}, {}, ""),
        ({"categories-require": "Events"}, {}, "category_missing"),
        ({"categories-require": "Events"}, {"categories": []}, "category_missing"),
        ({"categories-exclude": "NEWS"}, {}, "category_excluded"),
        ({"categories-exclude": "New"}, {}, ""),
        ({"words-require": "RYE"}, {}, ""),
        ({"words-require": "ry"}, {}, "words_missing"),
        ({"words-require": "ry*"}, {}, ""),
        ({"words-require": "flour"}, {}, ""),
        ({"words-require": "rye  and wheat"}, {"text": "rye\nand wheat"}, ""),
        ({"words-exclude": "grind"}, {}, ""),
        ({"words-exclude": "grind*"}, {}, "words_excluded"),
        ({"words-exclude": ["c++"]}, {"text": "Written in C++, mostly."}, "words_excluded"),
        ({"words-exclude": "小麦"}, {"text": "水車は小麦を挽く"}, "words_excluded"),
        ({"words-exclude": "straße"}, {"text": "In der STRASSE"}, "words_excluded"),
        ({"max-age": 29}, {}, "too_old"),
        ({"max-age": "30d"}, {}, ""),
        ({"max-age": "1y"}, {"published_date": "", "modified_date": "2024-02-29"}, "too_old"),
        ({"since": "2026-06-01"}, {}, ""),
        ({"since": "2026-06-02"}, {}, "too_old"),
        ({"since": 2026}, {"published_date": "2026-01-01T00:30:00+02:00"}, ""),
        ({"since": "2026"}, {"published_date": ""}, ""),
        ({"since": "2026", "undated": "refuse"}, {"published_date": ""}, "undated"),
        ({"undated": "refuse"}, {"published_date": ""}, ""),
    ],
)
def test_a_document_is_refused_by_the_rule_that_it_breaks(
    rules: dict[str, Any], fields: dict[str, Any], reason: str
) -> None:
    assert refused(rules, document(**fields)) == reason


def test_a_refusal_names_the_rule_what_the_document_has_and_what_was_asked() -> None:
    found = refusal(document(), RuleSet.model_validate({"min-words": 100}), NOW)
    assert str(found) == "rules.min-words: 6 words, fewer than 100"


def test_no_rules_refuse_nothing() -> None:
    assert refusal(document("", title="", locale="", categories=[], published_date=""), RuleSet(), NOW) is None


@given(st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)), st.integers(1, 4000))
def test_a_document_is_kept_exactly_until_the_moment_that_is_told(published: datetime, days: int) -> None:
    rules, dated = RuleSet.model_validate({"max-age": days}), document(published_date=published.isoformat() + "+00:00")
    until = keeps_until(dated, rules)
    assert until is not None
    last = datetime.fromtimestamp(until - 1, UTC)
    assert refusal(dated, rules, last - timedelta(seconds=1)) is None
    assert refusal(dated, rules, last + timedelta(seconds=1)) is not None


def test_a_document_that_no_rule_ages_is_kept_for_ever() -> None:
    assert keeps_until(document(), RuleSet()) is None
    assert keeps_until(document(published_date=""), RuleSet.model_validate({"max-age": 1})) is None
