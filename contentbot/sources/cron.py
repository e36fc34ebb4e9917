"""When a source is refreshed: the five fields of crontab(5), in UTC."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import cast

from cronsim import CronSim, CronSimError

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_ALL_DAYS = range(1, 32)


class Cron:
    """A pattern of times.

    Where day of month and day of week are both given, either is enough, as crontab(5) has it; a field that begins
    with `*` is not given.

    Raises:
        ValueError: the text is no such pattern, or one that not every scheduler understands, or never comes.
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        if len(self.text.split(" ")) != 5:
            raise ValueError(f"{len(self.text.split())} fields instead of five")
        try:
            self._times = CronSim(self.text, datetime(2000, 1, 1, tzinfo=UTC))
            next(self._times)
        except CronSimError as error:
            raise ValueError(str(error).lower()) from error
        except StopIteration as error:
            raise ValueError("there is no such time") from error
        if min(self._times.days) < 0 or any(isinstance(day, tuple) for day in self._times.weekdays):
            raise ValueError("L, LW and # are not understood by every scheduler")

    def after(self, moment: datetime) -> datetime:
        """Return the first time after a moment."""
        return next(CronSim(self.text, moment.astimezone(UTC)))

    def crontab(self) -> str:
        """Return the fields for crontab(5), with plain numbers wherever implementations differ."""
        times = self._times
        values = (times.minutes, times.hours, times.days, times.months, self._weekdays())
        # a star is kept: it says that day of month or day of week is not given
        fields = zip(self.text.split(" "), values, strict=True)
        return " ".join(given if given.startswith("*") else _listed(wanted) for given, wanted in fields)

    def apscheduler(self) -> list[str]:
        """Return the fields for APScheduler's `CronTrigger.from_crontab`, one or two patterns.

        It counts weekdays from Monday, so that names are written, and wants day of month and day of week both to
        match, so that a pattern where either is enough becomes two without a common time.
        """
        times = self._times
        minutes, hours, months = _listed(times.minutes, 60), _listed(times.hours, 24), _listed(times.months, 12)
        days, weekdays = _listed(times.days, 31), self._weekdays()
        names = "*" if len(weekdays) == 7 else ",".join(_WEEKDAYS[day] for day in weekdays)
        if times.day_and:
            return [f"{minutes} {hours} {days} {months} {names}"]
        others = _listed(set(_ALL_DAYS) - times.days)
        both = [(days, "*"), (others, names)] if others else [(days, "*")]
        return [f"{minutes} {hours} {day} {months} {weekday}" for day, weekday in both]

    def _weekdays(self) -> list[int]:
        return sorted({day % 7 for day in cast("set[int]", self._times.weekdays)})


def _listed(values: Collection[int], everything: int = 0) -> str:
    return "*" if len(values) == everything else ",".join(map(str, sorted(values)))
