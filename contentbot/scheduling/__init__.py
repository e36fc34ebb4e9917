"""Sources crawled when their `refresh-cron` says so: by a process of our own, or by others it is written down for."""

from contentbot.scheduling.scheduler import Outcome, Scheduler, Started
from contentbot.scheduling.timetable import Entry, timetable

__all__ = ["Entry", "Outcome", "Scheduler", "Started", "timetable"]
