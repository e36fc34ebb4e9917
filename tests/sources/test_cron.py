from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from apscheduler.triggers.cron import CronTrigger
from hypothesis import given
from hypothesis import strategies as st

from contentbot.errors import ConfigError
from contentbot.sources.cron import Cron
from contentbot.sources.loader import load_source

NOW = datetime(2026, 11, 30, 17, 20, 7, tzinfo=UTC)


def field(low: int, high: int) -> st.SearchStrategy[str]:
    """Every form that crontab(5) knows for the values of a field."""
    number = st.integers(low, high)
    pair = st.tuples(number, number).map(sorted)
    step = st.integers(1, 12)
    part = st.one_of(
        number.map(str),
        pair.map(lambda ends: f"{ends[0]}-{ends[1]}"),
        st.tuples(pair, step).map(lambda both: f"{both[0][0]}-{both[0][1]}/{both[1]}"),
    )
    return st.one_of(st.just("*"), step.map(lambda by: f"*/{by}"), st.lists(part, min_size=1, max_size=3).map(",".join))


# days up to 28: every pattern comes
patterns = st.tuples(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7)).map(" ".join)


@given(patterns)
def test_what_is_written_for_scrapyduler_comes_at_the_same_times(pattern: str) -> None:
    cron = Cron(pattern)
    triggers = [CronTrigger.from_crontab(line, timezone="UTC") for line in cron.apscheduler()]
    ours = theirs = NOW
    for _ in range(4):
        ours = cron.after(ours)
        coming = [trigger.get_next_fire_time(None, theirs + timedelta(seconds=1)) for trigger in triggers]
        assert len([one for one in coming if one == ours]) == 1  # nothing is begun twice
        theirs = min(coming)
        assert theirs == ours


@given(patterns)
def test_what_is_written_for_cron_comes_at_the_same_times(pattern: str) -> None:
    cron, written = Cron(pattern), Cron(Cron(pattern).crontab())
    ours = theirs = NOW
    for _ in range(4):
        ours, theirs = cron.after(ours), written.after(theirs)
        assert ours == theirs


@pytest.mark.parametrize(
    ("pattern", "coming"),
    [
        ("15 * * * *", datetime(2026, 11, 30, 18, 15, tzinfo=UTC)),
        ("0 4 * * 0", datetime(2026, 12, 6, 4, tzinfo=UTC)),
        ("0 4 * * sun", datetime(2026, 12, 6, 4, tzinfo=UTC)),
        ("0 0 29 2 *", datetime(2028, 2, 29, tzinfo=UTC)),
        ("0 0 2 * mon", datetime(2026, 12, 2, tzinfo=UTC)),  # either is enough
    ],
)
def test_the_next_time_is_that_of_crontab(pattern: str, coming: datetime) -> None:
    assert Cron(pattern).after(NOW) == coming


@pytest.mark.parametrize(
    "pattern",
    ["hourly", "@daily", "* * * *", "0 * * * * *", "60 * * * *", "0 24 * * *", "0 0 30 2 *", "0 0 L * *", "0 0 * * 1#2",
     "*/0 * * * *", "5-1 * * * *", "-1 * * * *"],
)  # fmt: skip
def test_a_schedule_that_is_none_is_refused_by_name_and_line(pattern: str, tmp_path: Path) -> None:
    file = tmp_path / "mill.yaml"
    file.write_text(f"id: mill\ntype: website\nbase-url: https://mill.example\nrefresh-cron: '{pattern}'\n")
    with pytest.raises(ConfigError, match=r"mill\.yaml: refresh-cron: line 4: .* is no schedule: .*quotes") as caught:
        load_source(file)
    assert caught.value.key == "refresh-cron"


@pytest.mark.parametrize("written", ["", "'15 * * * *'", "' 15  4 * * MON-FRI '"])
def test_a_schedule_may_be_left_out_and_blanks_do_not_count(written: str, tmp_path: Path) -> None:
    file = tmp_path / "mill.yaml"
    file.write_text(f"id: mill\ntype: website\nbase-url: https://mill.example\nrefresh-cron: {written or repr('')}\n")
    assert load_source(file).refresh_cron == " ".join(written.strip("'").split())
