from datetime import UTC, datetime

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_server.since import since_seconds

NOW = datetime(2026, 5, 20, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-12", datetime(2026, 3, 12, tzinfo=UTC)),
        (" 2026-03 ", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03-12T08:30:00Z", datetime(2026, 3, 12, 8, 30, tzinfo=UTC)),
        ("2026-03-12T08:30:00+02:00", datetime(2026, 3, 12, 6, 30, tzinfo=UTC)),
        ("2026-03-12 08:30", datetime(2026, 3, 12, 8, 30, tzinfo=UTC)),
        ("30d", datetime(2026, 4, 20, 10, 30, tzinfo=UTC)),
        ("2 weeks ago", datetime(2026, 5, 6, 10, 30, tzinfo=UTC)),
        ("24H", datetime(2026, 5, 19, 10, 30, tzinfo=UTC)),
        ("yesterday", datetime(2026, 5, 19, tzinfo=UTC)),
        ("Today", datetime(2026, 5, 20, tzinfo=UTC)),
    ],
)
def test_dates_times_and_spans_are_understood(text, moment):
    assert since_seconds(text, NOW) == int(moment.timestamp())


@pytest.mark.parametrize(
    "text", ["last spring", "2026-02-30", "12.03.2026", "2026-13", "99999y", "0000", "1741737600000"]
)
def test_what_is_no_date_is_refused_with_the_forms_there_are(text):
    with pytest.raises(ToolError, match=r"since: .*2026-03-12.*30d"):
        since_seconds(text, NOW)
