"""What one crawl of a source did: counted while it runs, kept as a record when it ends."""

from contentbot.runs.record import RunRecord, SkippedPage, read_run, read_runs, write_run
from contentbot.runs.tally import LEFT_OUT, Tally, Visit

__all__ = ["LEFT_OUT", "RunRecord", "SkippedPage", "Tally", "Visit", "read_run", "read_runs", "write_run"]
