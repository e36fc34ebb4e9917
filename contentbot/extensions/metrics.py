"""Metrics for Prometheus: served while crawling, or left in a file for node_exporter's textfile collector.

A process that serves counts from its start. The file goes on from what it says already, so that its counters grow from
run to run, whoever wrote the last.
"""

import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from contentbot.equipment import Equipment
from contentbot.runs import RunRecord
from contentbot.runs.metrics import HELP, Samples, counters, ended
from contentbot.runs.signals import run_finished
from contentbot.state.outbox import Outbox

logger = logging.getLogger(__name__)

_OUTBOX = ("contentbot_outbox_documents", ())


class Board:
    """The samples of one process: finished runs, and those that go on."""

    def __init__(self) -> None:
        self.samples: Samples = {}
        self.running: dict[str, Callable[[], Mapping[str, Any]]] = {}

    def add(self, growth: Samples, gauges: Samples) -> None:
        """Let counters grow, and set gauges."""
        for key, value in growth.items():
            self.samples[key] = self.samples.get(key, 0.0) + value
        self.samples.update(gauges)

    def now(self) -> Samples:
        """Return all samples of this moment."""
        total = dict(self.samples)
        for source, stats in list(self.running.items()):
            for key, value in counters(source, dict(stats())).items():
                total[key] = total.get(key, 0.0) + value
        return total

    def collect(self) -> Iterator[Any]:
        """Yield metric families; what a Prometheus registry asks of a collector."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415 - an extra

        families: dict[str, Any] = {}
        for (name, labels), value in sorted(self.now().items()):
            if name not in families:
                kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
                families[name] = kind(name, HELP.get(name, name), labels=[label for label, _ in labels])
            families[name].add_metric([text for _, text in labels], value)
        yield from families.values()


_BOARD = Board()
_SERVING: list[int] = []


class MetricsExporter:
    """Counts one crawl.

    Args:
        source: the source's id.
        stats: returns Scrapy's statistics.
        board: where the crawls of this process are counted.
        file: what is written when the run ends.
        outbox: the file of what waits for the index.
    """

    def __init__(
        self, source: str, stats: Callable[[], Mapping[str, Any]], board: Board, *, file: Path | None, outbox: Path
    ) -> None:
        self._source, self._stats, self._board, self._file, self._outbox = source, stats, board, file, outbox

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "MetricsExporter":
        """Take CONTENTBOT_METRICS_PORT, CONTENTBOT_METRICS_HOST and CONTENTBOT_METRICS_FILE."""
        settings = crawler.settings
        port, file = str(settings["CONTENTBOT_METRICS_PORT"]), settings["CONTENTBOT_METRICS_FILE"]
        if not port and not file:
            raise NotConfigured("CONTENTBOT_METRICS_PORT and CONTENTBOT_METRICS_FILE are empty")
        try:
            if port:
                serve(_BOARD, settings["CONTENTBOT_METRICS_HOST"], int(port))
            import prometheus_client  # noqa: F401, PLC0415 - an extra
        except ImportError as error:
            logger.error("no metrics: prometheus-client is missing; pip install 'contentbot[metrics]'")  # noqa: TRY400 - it says all
            raise NotConfigured("prometheus-client is missing") from error
        outbox = Path(settings["CONTENTBOT_DATA_DIR"]) / "outbox.db"
        exporter = cls(
            Equipment.of(crawler).source.id,
            crawler.stats.get_stats,
            _BOARD,
            file=Path(file) if file else None,
            outbox=outbox,
        )
        crawler.signals.connect(exporter.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(exporter.run_finished, signal=run_finished)
        return exporter

    def spider_opened(self) -> None:
        """Count the run from now on."""
        self._board.running[self._source] = self._stats

    def run_finished(self, record: RunRecord) -> None:
        """Add the run to the finished ones, and write the file."""
        self._board.running.pop(self._source, None)
        more, gauges = ended(record)
        growth = {**counters(self._source, dict(self._stats())), **more}
        if self._outbox.exists():
            outbox = Outbox(self._outbox)
            gauges[_OUTBOX] = float(len(outbox))
            outbox.close()
        self._board.add(growth, gauges)
        if self._file:
            try:
                write(self._file, growth, gauges)
            except OSError as error:
                logger.error("the metrics could not be written to %s: %s", self._file, error)  # noqa: TRY400 - it says all


def serve(board: Board, host: str, port: int) -> None:
    """Serve /metrics, once in a process, for as long as it lives; a port that is taken is logged."""
    if _SERVING:
        return
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415 - an extra

    registry = CollectorRegistry(auto_describe=False)
    registry.register(board)
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        logger.error("no metrics on %s:%d: %s", host, port, error)  # noqa: TRY400 - it says all
        return
    _SERVING.append(server.server_port)
    logger.info("metrics: http://%s:%d/metrics", host, server.server_port)


def write(file: Path, growth: Samples, gauges: Samples) -> None:
    """Let the counters in the file grow, set its gauges, and put the whole in its place at once."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - an extra

    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_name(f".{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # freed when it is closed
        board = Board()
        board.samples = _read(file)
        board.add(growth, gauges)
        registry = CollectorRegistry(auto_describe=False)
        registry.register(board)
        # node_exporter reads *.prom only
        fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
        fresh.write_bytes(generate_latest(registry))
        fresh.replace(file)


def _read(file: Path) -> Samples:
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 - an extra

    if not file.exists():
        return {}
    families = text_string_to_metric_families(file.read_text(encoding="utf-8"))
    try:
        return {
            (one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples
        }
    except ValueError as error:
        logger.warning("%s is begun anew: it cannot be read: %s", file, error)
        return {}
