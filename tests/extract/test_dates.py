"""Dates in machine formats and in sentences."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.extract.calendars import from_persian
from contentbot.extract.dates import Order, find_dates, is_plausible, learn_order, number_order, parse_timestamp


def found(text: str, language: str = "", order: Order | None = None) -> list[str]:
    return [one.iso for one in find_dates(text, language=language, order=order)]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-03-12", "2026-03-12"),
        ("2026-3-5", "2026-03-05"),
        ("2026-03-12T07:27:00.000Z", "2026-03-12T07:27:00Z"),
        ("2026-03-12T07:27:00+0200", "2026-03-12T07:27:00+02:00"),
        ("2026-03-12 07:27", "2026-03-12T07:27"),
        ("Thu, 12 Mar 2026 07:27:00 GMT", "2026-03-12T07:27:00Z"),
        ("Thu, 12 Mar 2026 07:27:00 -0500", "2026-03-12T07:27:00-05:00"),
        ("Thu Mar 12 2026 07:27:00 GMT+0100 (CET)", "2026-03-12T07:27:00+01:00"),
        ("1773300420", "2026-03-12T07:27:00Z"),
        ("1773300420000", "2026-03-12T07:27:00Z"),
        ("20260312", "2026-03-12"),
        ("20260312T072700Z", "2026-03-12T07:27:00Z"),
        ("12.03.2026 07:27", "2026-03-12T07:27"),
        ("March 12, 2026", "2026-03-12"),
    ],
)
def test_a_machine_value_keeps_its_precision_and_zone(text, iso):
    assert parse_timestamp(text) == iso


@pytest.mark.parametrize("text", ["", "2026", "2026-03", "March 2026", "0000-00-00", "2026-02-30", "soon", "12345"])
def test_a_value_without_a_day_that_exists_is_no_date(text):
    assert parse_timestamp(text) == ""


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("7 min read • April 12, 2026", "en", "2026-04-12"),
        ("10 Minuten Lesezeit, 5. März 2026", "de", "2026-03-05"),
        ("Montag, 2. Februar 2026, 14:30 Uhr", "de", "2026-02-02T14:30"),
        ("Mar. 2nd, 2026 at 10:15 pm EST", "en", "2026-03-02T22:15-05:00"),
        ("the 2nd of May, 2026", "en", "2026-05-02"),
        ("12 de marzo de 2026", "es", "2026-03-12"),
        ("1er février 2026", "fr", "2026-02-01"),
        ("3 maja 2026", "pl", "2026-05-03"),
        ("2026. március 12.", "hu", "2026-03-12"),
        ("2 мая 2026 г.", "ru", "2026-05-02"),
        ("2026年5月2日", "ja", "2026-05-02"),
        ("5 listopadu 2026", "cs", "2026-11-05"),
        ("5 listopada 2026", "hr", "2026-10-05"),
        ("5 listopada 2026", "pl", "2026-11-05"),
    ],
)
def test_a_date_is_read_in_the_language_of_the_page(text, language, iso):
    assert found(text, language) == [iso]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("VENDREDI 14 AOUT 2026", "fr"),
        ("14 d'agost del 2026", "ca"),
        ("14 AĞUSTOS 2026 Cuma", "tr"),
        ("14 серп. 2026", "uk"),
        ("14 ΑΥΓΟΥΣΤΟΥ 2026", "el"),
        ("١٤ أغسطس ٢٠٢٦", "ar"),
        ("14 آب/أغسطس 2026", "ar"),
        ("14 באוגוסט 2026", "he"),
        ("14 اوت 2026", "fa"),
        ("۲۳ مرداد ۱۴۰۵", "fa"),
        ("1405/05/23", "fa"),
        ("2026年8月14日", "zh"),
        ("令和8年8月14日", "ja"),
        ("民國115年8月14日", "zh-TW"),
        ("2026년 8월 14일", "ko"),
        ("2026. 8. 14.", "ko"),
        ("ngày 14 tháng 8 năm 2026", "vi"),
        ("๑๔ สิงหาคม ๒๕๖๙", "th"),
        ("14 ส.ค. 69", "th"),
        ("14/08/2569", "th"),
        ("14 Agustus 2026", "id"),
        ("१४ अगस्त २०२६", "hi"),
        ("2026. gada 14. augustā", "lv"),
        ("2026 m. rugpjūčio 14 d.", "lt"),
        ("14. kolovoza 2026.", "hr"),
        ("14. 8. 2026", "cs"),
    ],
)
def test_a_day_is_the_same_in_the_words_figures_and_calendars_of_many_languages(text, language):
    assert found(text, language) == ["2026-08-14"]


@pytest.mark.parametrize(
    ("year", "month", "day", "iso"),
    [
        (1403, 1, 1, "2024-03-20"),
        (1403, 12, 30, "2025-03-20"),
        (1404, 1, 1, "2025-03-21"),
        (1404, 7, 1, "2025-09-23"),
        (1370, 1, 1, "1991-03-21"),
        (1404, 12, 30, None),
        (1404, 7, 31, None),
        (1404, 13, 1, None),
    ],
)
def test_a_persian_day_is_the_gregorian_one_of_the_almanac(year, month, day, iso):
    assert from_persian(year, month, day) == (date.fromisoformat(iso) if iso else None)


@pytest.mark.parametrize("text", ["۱۴۰۵/۰۵/۲۳", "14/08/2569", "1405/05/23"])
def test_figures_of_another_calendar_are_no_date_where_the_language_does_not_say_so(text):
    assert found(text, "en") == []


@pytest.mark.parametrize(
    "text",
    [
        "Tel. 030 2012 1103, § 12 Abs. 3",
        "Version 1.12.2023 of the wheel",
        "© 2019 Mill Company",
        "192.168.12.20",
        "chapter 10.12.2.1",
        "since 2024 and until 2026",
        "a 3/4/5 split",
    ],
)
def test_numbers_of_other_kinds_are_no_dates(text):
    assert found(text, "de") == []


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("03/04/2026", "en-US", "2026-03-04"),
        ("03/04/2026", "en-GB", "2026-04-03"),
        ("03/04/2026", "fr", "2026-04-03"),
        ("25/04/2026", "en", "2026-04-25"),
        ("04/25/2026", "en", "2026-04-25"),
        ("03.04.2026", "en", "2026-04-03"),
        ("04.03.26", "de", "2026-03-04"),
    ],
)
def test_language_and_region_say_which_number_is_the_month(text, language, iso):
    assert found(text, language) == [iso]


def test_an_ambiguous_date_is_refused_where_nothing_decides():
    assert found("03/04/2026", "en") == []
    assert number_order("en") is Order.UNKNOWN


def test_other_dates_of_the_page_give_the_order_away():
    assert learn_order("03/04/2026 and 25/12/2025") is Order.DAY_FIRST
    assert learn_order("03/04/2026 and 12/25/2025") is Order.MONTH_FIRST
    assert learn_order("03/04/2026", known_day="2026-03-04T10:00:00Z") is Order.MONTH_FIRST
    assert learn_order("03/04/2026", known_day="2026-11-11") is Order.UNKNOWN


def test_a_time_in_a_zone_with_several_meanings_keeps_its_day_only():
    assert found("March 12, 2026 10:15 IST", "en") == ["2026-03-12"]


def test_dates_from_before_the_web_and_after_tomorrow_are_implausible():
    now = datetime(2026, 5, 10, 23, 0, tzinfo=UTC)
    assert is_plausible("2026-05-11T23:00:00Z", now)
    assert not is_plausible("2026-05-12", now)
    assert not is_plausible("1969-12-31", now)
    assert not is_plausible("", now)


@given(st.text(max_size=200), st.sampled_from(["", "de", "en-US", "xx", "-"]))
def test_no_text_makes_it_raise_and_every_date_exists(text, language):
    for iso in (*found(text, language), parse_timestamp(text, language=language)):
        assert not iso or datetime.fromisoformat(iso)


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2099, 12, 31)))
def test_every_spelling_of_a_day_is_that_day(day):
    year, month, number = day.year, day.month, day.day
    english, german = day.strftime("%B"), GERMAN_MONTHS[month - 1]
    for text in (f"{english} {number}, {year}", f"{number} {english[:3]} {year}", f"{number}. {german} {year}"):
        assert found(f"Published {text}.", "de") == [day.isoformat()], text
    assert found(f"am {number:02}.{month:02}.{year} und", "de") == [day.isoformat()]


GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
