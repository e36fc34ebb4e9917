"""What runs did, as Prometheus samples: read from Scrapy's statistics while a run goes on, and from its record then.

Names follow https://prometheus.io/docs/practices/naming/: base units, `_total` for what only grows.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from contentbot.runs.record import RunRecord

# the name, and the labels in the order of their names
Key = tuple[str, tuple[tuple[str, str], ...]]
Samples = dict[Key, float]

HELP = {
    "contentbot_pages_total": "Pages by what became of them; the outcomes are the counts of a run, and overlap.",
    "contentbot_pages_skipped_total": "Pages and addresses that gave no document, by reason.",
    "contentbot_sitemaps_failed_total": "Sitemaps that were not read to their end.",
    "contentbot_responses_total": "Responses by HTTP status.",
    "contentbot_retries_total": "Requests that were repeated.",
    "contentbot_downloaded_bytes_total": "Bytes of responses as they came over the network.",
    "contentbot_runs_total": "Runs by how they ended.",
    "contentbot_run_duration_seconds": "How long the last run took.",
    "contentbot_run_suspect": "1 when the last run is suspect, else 0.",
    "contentbot_last_success_timestamp_seconds": "When a run last came to its end.",
    "contentbot_documents": "Documents of the source in the index after its last complete look.",
    "contentbot_outbox_documents": "Documents that wait for the index, of all sources.",
}

_STATS = {
    "contentbot/failed_sitemaps": "contentbot_sitemaps_failed_total",
    "retry/count": "contentbot_retries_total",
    "downloader/response_bytes": "contentbot_downloaded_bytes_total",
}
_LABELLED = {
    "contentbot/skipped/": ("contentbot_pages_skipped_total", "reason"),
    "downloader/response_status_count/": ("contentbot_responses_total", "status"),
    "contentbot/": ("contentbot_pages_total", "outcome"),
}


def counters(source: str, stats: Mapping[str, Any]) -> Samples:
    """Return what a run has counted so far."""
    return {key: float(stats[name]) for name in stats for key in _keys(source, name)}


def _keys(source: str, name: str) -> Iterator[Key]:
    if metric := _STATS.get(name):
        yield metric, (("source", source),)
        return
    for prefix, (metric, label) in _LABELLED.items():
        value = name.removeprefix(prefix)
        if value != name and "/" not in value:
            yield metric, tuple(sorted((("source", source), (label, value))))
            return


def ended(record: RunRecord) -> tuple[Samples, Samples]:
    """Return what a run adds to the counters when it ends, and the gauges that it sets."""
    of = (("source", record.source),)
    gauges: Samples = {
        ("contentbot_run_duration_seconds", of): record.seconds,
        ("contentbot_run_suspect", of): float(bool(record.suspect)),
    }
    if record.succeeded and record.finished:
        gauges["contentbot_last_success_timestamp_seconds", of] = record.finished.timestamp()
    if record.documents is not None:
        gauges["contentbot_documents", of] = float(record.documents)
    return {("contentbot_runs_total", (("finish", record.finish_reason), *of)): 1.0}, gauges
