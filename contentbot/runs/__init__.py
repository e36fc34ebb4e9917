"""What one crawl of a source did: counted while it runs, kept as a record when it ends."""

from contentbot.runs.record import RUNNING, RunRecord, SkippedPage
from contentbot.runs.tally import LEFT_OUT, Tally, Visit

__all__ = ["LEFT_OUT", "RUNNING", "RunRecord", "SkippedPage", "Tally", "Visit"]
