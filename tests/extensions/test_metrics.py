"""What Prometheus is told: live by HTTP, and from run to run by a file."""

import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from scrapy.exceptions import NotConfigured

from contentbot.extensions import metrics
from contentbot.extensions.metrics import Board, MetricsExporter, write
from contentbot.runs.metrics import HELP, counters
from tests.conftest import Crawl
from tests.site.server import Website

FETCHED = ("contentbot_pages_total", (("outcome", "fetched"), ("source", "mill")))


def told(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def value(samples: dict[tuple[str, tuple[tuple[str, str], ...]], float], name: str, **labels: str) -> float:
    return samples[name, tuple(sorted(labels.items()))]


def test_the_file_goes_on_from_run_to_run(website: Website, crawl: Crawl, tmp_path: Path) -> None:
    website.sitemap("/sitemap.xml", "/a", "/b", "/gone")
    website.page("/a")
    website.page("/b")
    file = tmp_path / "metrics" / "contentbot.prom"
    settings = {"CONTENTBOT_METRICS_FILE": str(file)}
    crawl(settings, sitemaps="/sitemap.xml", id="shop")
    for number in (1, 2):
        record = crawl(settings, sitemaps="/sitemap.xml").record
        samples = told(file.read_text())
        assert value(samples, "contentbot_pages_total", source="mill", outcome="listed") == 3 * number
        assert value(samples, "contentbot_pages_total", source="mill", outcome="indexed") == 2
        assert value(samples, "contentbot_pages_skipped_total", source="mill", reason="http_404") == number
        assert value(samples, "contentbot_runs_total", source="mill", finish="finished") == number
        assert value(samples, "contentbot_responses_total", source="mill", status="404") >= number
        assert value(samples, "contentbot_downloaded_bytes_total", source="mill") > 0
        assert value(samples, "contentbot_documents", source="mill") == 2
        assert value(samples, "contentbot_outbox_documents") == 0
        assert record.finished
        success = value(samples, "contentbot_last_success_timestamp_seconds", source="mill")
        assert success == pytest.approx(record.finished.timestamp())
        assert value(samples, "contentbot_pages_total", source="shop", outcome="listed") == 3, "the other one stays"
    assert {name for name, _ in samples} <= HELP.keys()
    assert [path.name for path in file.parent.iterdir() if path.suffix == ".prom"] == ["contentbot.prom"]


def test_a_file_that_cannot_be_read_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "x.prom"
    file.write_text("what is {this")
    write(file, {FETCHED: 2.0}, {})
    write(file, {FETCHED: 3.0}, {})
    assert told(file.read_text())[FETCHED] == 5


def test_metrics_are_served_while_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ports: list[int] = []
    monkeypatch.setattr(metrics, "_SERVING", ports)
    board, stats = Board(), {"contentbot/fetched": 4, "contentbot/skipped/timeout": 1, "retry/count": 2}
    board.running["mill"] = lambda: stats
    metrics.serve(board, "127.0.0.1", 0)
    metrics.serve(board, "127.0.0.1", 0)
    (port,) = ports
    for fetched in (4, 5):
        stats["contentbot/fetched"] = fetched
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            samples = told(answer.read().decode())
        assert samples[FETCHED] == fetched
    assert value(samples, "contentbot_retries_total", source="mill") == 2
    assert value(samples, "contentbot_pages_skipped_total", source="mill", reason="timeout") == 1


def test_a_port_that_is_taken_is_logged_and_stops_nothing(
    website: Website, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(metrics, "_SERVING", [])
    port = int(website.origin.rpartition(":")[2])
    metrics.serve(Board(), "127.0.0.1", port)
    assert f"no metrics on 127.0.0.1:{port}" in caplog.text


def test_without_a_port_and_a_file_there_are_none() -> None:
    crawler = type("Crawler", (), {"settings": {"CONTENTBOT_METRICS_PORT": "", "CONTENTBOT_METRICS_FILE": ""}})()
    with pytest.raises(NotConfigured, match="CONTENTBOT_METRICS_PORT and CONTENTBOT_METRICS_FILE are empty"):
        MetricsExporter.from_crawler(crawler)


def test_statistics_of_scrapy_that_are_none_of_ours_are_left_out() -> None:
    assert counters("mill", {"item_scraped_count": 3, "contentbot/robots/requested": 1, "finish_reason": "x"}) == {}
