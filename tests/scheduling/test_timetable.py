from datetime import UTC, datetime, timedelta

import pytest

from contentbot.scheduling.timetable import Entry, timetable
from contentbot.scheduling.written import crontab, scrapyd_conf
from contentbot.sources.cron import Cron
from contentbot.sources.models import WebsiteSource

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def entry(cron: str = "0 * * * *", last: datetime | None = None) -> Entry:
    return Entry("mill", Cron(cron), frozenset({"mill.example"}), last)


def test_a_source_that_was_never_crawled_is_due_at_once() -> None:
    assert entry().due() < NOON


@pytest.mark.parametrize("missed", [timedelta(minutes=61), timedelta(hours=7), timedelta(days=40)])
def test_missed_runs_are_caught_up_once(missed: timedelta) -> None:
    late = entry(last=NOON - missed)
    assert late.due() <= NOON
    assert entry(last=NOON).due() == NOON + timedelta(hours=1)


def test_a_crawl_that_left_no_record_is_not_begun_again_at_once() -> None:
    locked_out = entry(last=NOON - timedelta(hours=5))
    assert locked_out.due(begun=NOON) == NOON + timedelta(hours=1)


def test_only_enabled_sources_with_a_schedule_are_in_the_timetable() -> None:
    keys = {"type": "website", "base-url": "https://www.mill.example"}
    sources = [
        WebsiteSource.model_validate({"id": name, **keys, **more})
        for name, more in {
            "mill": {"refresh-cron": "15 4 * * *", "hosts": ["docs.mill.example"]},
            "barn": {},
            "shed": {"refresh-cron": "15 4 * * *", "enabled": False},
        }.items()
    ]
    (found,) = timetable(sources, {"mill": NOON}.get)
    assert found == Entry("mill", found.cron, frozenset({"mill.example", "docs.mill.example"}), NOON)
    assert found.due() == datetime(2026, 12, 1, 4, 15, tzinfo=UTC)


def test_weekdays_are_written_as_each_scheduler_counts_them() -> None:
    sunday = [entry("15 4 * * 0")]
    assert "\ncron    = 15 4 * * sun\nproject = contentbot\nspider  = mill\n" in scrapyd_conf(sunday)
    url = "http://localhost:6800/schedule.json"
    assert crontab(sunday).endswith(
        f"\n15 4 * * 0 curl -fsS --netrc-optional {url} -d project=contentbot -d spider=mill\n"
    )


def test_a_percent_sign_is_escaped_for_cron() -> None:
    assert r"http://localhost/a\%20b/schedule.json" in crontab([entry()], "http://localhost/a%20b/")
