"""What one crawl of a source did: counted while it runs, kept as a record when it ends."""

from contentbot.runs.record import RUNNING, RunRecord, SkippedPage
from contentbot.runs.tally import BY_RULE, FILTERED, LEFT_OUT, Tally, Visit

__all__ = ["BY_RULE", "FILTERED", "LEFT_OUT", "RUNNING", "RunRecord", "SkippedPage", "Tally", "Visit"]
