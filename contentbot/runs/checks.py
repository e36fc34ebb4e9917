"""What is odd about a run that came to its end: a broken template or a moved listing fails no single request.

Plain functions over the records of runs, because the records hold the history already: spidermon has the same checks,
but keeps a history of its own (pickled statistics per spider, runs that were refused or killed among them), and runs
them when the spider is closed, too late for the record that is written then.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from contentbot.runs.record import RunRecord
from contentbot.runs.tally import BY_RULE

FEWEST_PAGES = 5  # below it, a share says nothing about a run
FEWEST_DOCUMENTS = 10  # the same, about fields

_FIELDS = {"title": "a title of their own", "date": "a date", "author": "an author"}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares from 0 to 1 above which a run is suspect; 1 takes a check away.

    Attributes:
        errors: of the pages, those that failed.
        loss: of the pages that had a document after the run before, those that have none now.
        fields: of the documents that were read, those that lack a field more than in an earlier run.
    """

    errors: float = 0.2
    loss: float = 0.3
    fields: float = 0.3


def suspicions(run: RunRecord, history: Sequence[RunRecord], thresholds: Thresholds) -> list[str]:
    """Return a sentence for each thing that is odd about a run that has just ended.

    Args:
        run: the run.
        history: earlier runs of the source, newest first.
        thresholds: what is too much.
    """
    earlier = [one for one in history if one.id != run.id and one.succeeded]
    found = [_errors(run, thresholds.errors)]
    if run.succeeded:
        found += [_loss(run, earlier, thresholds.loss), *_fields(run, earlier, thresholds.fields)]
    return [sentence for sentence in found if sentence]


def _errors(run: RunRecord, threshold: float) -> str:
    failed = {reason: count for reason, count in run.skipped.items() if reason not in BY_RULE}
    bad = sum(failed.values())
    pages = bad + _living(run)
    if pages < FEWEST_PAGES or bad <= threshold * pages:
        return ""
    reason, count = max(failed.items(), key=lambda item: (item[1], item[0]))
    return f"{bad} of {pages} pages failed, most often {reason} ({count}); suspect-errors is {threshold:.0%}"


def _loss(run: RunRecord, earlier: Sequence[RunRecord], threshold: float) -> str:
    living = _living(run)
    before = _living(earlier[0]) if earlier else 0
    if not living and before < FEWEST_PAGES and threshold < 1:
        return "no page gave a document"
    if before < FEWEST_PAGES or before - living <= threshold * before:
        return ""
    return f"{living} pages have a document, {before} had one after the run before; suspect-loss is {threshold:.0%}"


def _living(run: RunRecord) -> int:
    return sum(run.counts.get(name, 0) for name in ("indexed", "unchanged", "kept_for_later"))


def _fields(run: RunRecord, earlier: Iterable[RunRecord], threshold: float) -> Iterator[str]:
    documents = run.fields.get("documents", 0)
    before = next((one for one in earlier if one.fields.get("documents", 0) >= FEWEST_DOCUMENTS), None)
    if before is None or documents < FEWEST_DOCUMENTS:
        return
    for field, words in _FIELDS.items():
        have, had = run.fields.get(field, 0), before.fields.get(field, 0) / before.fields["documents"]
        if had - have / documents > threshold:
            yield (
                f"{have} of {documents} documents that were read have {words}, {had:.0%} had in the run of "
                f"{before.started:%Y-%m-%d %H:%M}; suspect-fields is {threshold:.0%}"
            )
