"""Which source is to be crawled when."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from contentbot.sources.cron import Cron
from contentbot.sources.models import Source
from contentbot.sources.scope import hosts_spoken_to

_AT_ONCE = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """A source that has a schedule: the hosts that its crawl speaks to, and when it was last begun."""

    source: str
    cron: Cron
    hosts: frozenset[str]
    last: datetime | None

    def due(self, begun: datetime | None = None) -> datetime:
        """Return from when on it is to be crawled; one that never was, at once.

        However many times were missed since the last run, this is one time.

        Args:
            begun: when it was begun without a record, as far as known.
        """
        moments = [moment for moment in (self.last, begun) if moment]
        return self.cron.after(max(moments)) if moments else _AT_ONCE


def timetable(sources: Iterable[Source], last: Callable[[str], datetime | None]) -> list[Entry]:
    """Return the enabled sources that have a schedule.

    Args:
        last: says when the newest run of a source was begun.
    """
    return [
        Entry(one.id, Cron(one.refresh_cron), frozenset(hosts_spoken_to(one)), last(one.id))
        for one in sources
        if one.enabled and one.refresh_cron
    ]
