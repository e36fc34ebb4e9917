"""Schedules written down for the schedulers of others."""

import shlex
from collections.abc import Iterable

from contentbot.scheduling.timetable import Entry

PROJECT = "contentbot"
SCRAPYD = "http://localhost:6800/"

_CONF = """\
# For scrapyd.conf, read by the launcher of scrapyduler 2: there, set
#   launcher = scrapyduler.launcher.Launcher
# Its times are those of the server's time zone; ours are UTC, so start it with TZ=UTC.
"""
_CRONTAB = """\
# Times are UTC. cronie reads the next line; where cron has no such thing, the machine's time zone has to be UTC.
CRON_TZ=UTC
"""


def scrapyd_conf(entries: Iterable[Entry]) -> str:
    """Return sections for scrapyd.conf as `scrapyduler` reads them, one or two for each source."""
    lines = [(one.source, number, line) for one in entries for number, line in enumerate(one.cron.apscheduler(), 1)]
    return _CONF + "".join(
        f"\n[scheduler.{source}.{number}]\ncron    = {line}\nproject = {PROJECT}\nspider  = {source}\n"
        for source, number, line in lines
    )


def crontab(entries: Iterable[Entry], scrapyd: str = SCRAPYD) -> str:
    """Return lines for crontab(5) that ask a scrapyd for crawls; curl takes name and password from ~/.netrc."""
    url = shlex.quote(f"{scrapyd.rstrip('/')}/schedule.json").replace("%", r"\%")
    call = f"curl -fsS --netrc-optional {url} -d project={PROJECT} -d spider="
    return _CRONTAB + "".join(f"{one.cron.crontab()} {call}{one.source}\n" for one in entries)
