"""Log lines of every entry point: text for people, JSON for machines, each with the run that it belongs to.

The run is a context variable: every task of a crawl, and every thread that it hands work to, has a copy.
"""

import json
import logging
import re
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

LINE = "%(asctime)s %(levelname)s %(name)s: %(run)s%(message)s"
MOMENT = "%Y-%m-%dT%H:%M:%S"

_RUN: ContextVar[tuple[str, str]] = ContextVar("contentbot_run", default=("", ""))

# user and password of an address, and what is passed as a secret by name
_USERINFO = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_NAMED = re.compile(
    r"(?i)\b((?:api[-_]?key|token|secret|password|passwd|authorization)[\"']?\s*[=:]\s*[\"']?(?:bearer\s+|basic\s+)?)"
    r"[^\s\"',;&]+"
)


def enter_run(source: str, run: str) -> None:
    """Let every later line of the current task, and of those it starts, carry the source and the run's id."""
    _RUN.set((source, run))


def redacted(text: str) -> str:
    """Return the text without passwords and keys."""
    return _NAMED.sub(r"\1***", _USERINFO.sub("***", text))


def formatter_for(kind: str, line: str = LINE) -> logging.Formatter:
    """Return the formatter of CONTENTBOT_LOG_FORMAT, `json` or `text`; `line` is the form of the text."""
    return JsonFormatter() if kind == "json" else TextFormatter(line, MOMENT)


class TextFormatter(logging.Formatter):
    """The standard library's, with the id of the run as `%(run)s`; it names the source."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and the traceback below it."""
        _, run = _RUN.get()
        record.run = f"[{run}] " if run else ""
        return redacted(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message; source, run, url, reason and traceback where known."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object."""
        source, run = _RUN.get()
        named = _named(record)
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redacted(record.getMessage()),
            "source": source or str(getattr(record.__dict__.get("spider"), "name", "")),
            "run": run,
            "url": redacted(_url(named)),
            "reason": str(named.get("reason") or ""),
            "traceback": redacted(self.formatException(record.exc_info)) if record.exc_info else "",
        }
        # ASCII only: a page's address may hold what no encoding has
        return json.dumps({name: value for name, value in line.items() if value})


def _named(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return what the line was given by name: as its arguments, or beside them."""
    arguments = record.args if isinstance(record.args, Mapping) else {}
    return {**record.__dict__, **arguments}


def _url(named: Mapping[str, Any]) -> str:
    return str(named.get("url") or getattr(named.get("request"), "url", "") or "")
