"""The `since` parameter: a date, a point in time, or a span back from now."""

import re
from datetime import UTC, datetime, timedelta

from mcp.server.mcpserver.exceptions import ToolError

_SPAN = re.compile(r"(\d{1,5})\s*(h|hours?|d|days?|w|weeks?|m|months?|y|years?)(\s+ago)?", re.IGNORECASE)
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30.44, "y": 365.25}
_PARTIAL = re.compile(r"(\d{4})(?:-(\d{1,2}))?")


def since_seconds(text: str, now: datetime) -> int:
    """Return the Unix seconds from which on a document counts.

    Raises:
        ToolError: the text is none of the forms; the message shows them.
    """
    text = text.strip()
    try:
        return int(_moment(text, now).timestamp())
    except (ValueError, OverflowError) as error:
        raise ToolError(
            f"since: {text[:40]!r} is no date ({error}); write it as 2026-03-12, 2026-03, 2026, "
            "2026-03-12T08:30:00Z, or as a span back from now: 24h, 30d, 6w, 3m, 1y"
        ) from error


def _moment(text: str, now: datetime) -> datetime:
    if match := _SPAN.fullmatch(text):
        return now - timedelta(days=int(match[1]) * _DAYS[match[2][0].lower()])
    if (word := text.casefold()) in ("today", "yesterday"):
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=word == "yesterday")
    if match := _PARTIAL.fullmatch(text):
        return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC)
