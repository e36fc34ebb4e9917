"""What a whole crawl costs, beside plain Scrapy on the same pages.

    python benchmarks/crawl.py SITE [SITE ...] [--source ID] [--rounds 3] [--workers 0] [--json]

SITE is a folder of HTML files, which is served on loopback, or the address of a site that is served already. With
`--source` it is crawled as a copy of that source, by its rules; without, every page of it is taken. The rate limit and
AutoThrottle are off. Each round crawls with contentbot (fetch, extract in worker processes, validate, write to an
embedded index), then fetches the same pages with a bare Scrapy spider that does nothing with them; the table has the
medians. A crawl runs in a process of its own; its CPU time and memory are those of that process and all it starts,
Python's start and imports included; pages a second count from the spider's start to its end. Memory is the peak of the
sum of proportional set sizes (PSS), sampled. Linux only.
"""

import argparse
import contextlib
import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

ROOT = Path(__file__).resolve().parent.parent
SITEMAP = "/benchmark-sitemap.xml"
SAMPLE_SECONDS = 0.05
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What one crawl took."""

    pages: int
    seconds: float
    cpu_seconds: float
    peak_mib: float

    @property
    def pages_per_second(self) -> float:
        """From the spider's start to its end."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def cpu_ms_per_page(self) -> float:
        """Of all processes together."""
        return 1000 * self.cpu_seconds / self.pages if self.pages else 0.0


def main() -> None:
    """Measure every site, and print the table."""
    arguments = _arguments()
    if arguments.child:
        _CHILDREN[arguments.child](json.loads(arguments.sites[0]))
        return
    results = [row for site in arguments.sites for row in measure(site, arguments)]
    if arguments.json:
        print(json.dumps(results, indent=1))
    else:
        print(table(results))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+", metavar="SITE", help="a folder of HTML files, or an address")
    parser.add_argument("--source", default="", help="crawl it as a copy of this source, by its rules")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=0, help="extraction processes; 0 means one per CPU")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(site: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Crawl a site in turn with contentbot and with plain Scrapy; return a row for each, medians over the rounds."""
    costs: dict[str, list[Cost]] = {"contentbot": [], "plain Scrapy": []}
    with served(site) as origin:
        for _ in range(arguments.rounds):
            with tempfile.TemporaryDirectory() as folder:
                order = {
                    "origin": origin,
                    "folder": folder,
                    "source": arguments.source,
                    "workers": arguments.workers,
                    "sitemap": SITEMAP if Path(site).is_dir() else "",
                }
                costs["contentbot"].append(_child("contentbot", order))
                costs["plain Scrapy"].append(_child("plain", order))
    return [{"site": site, "crawler": name, **_median(rows)} for name, rows in costs.items()]


def _median(costs: Sequence[Cost]) -> dict[str, Any]:
    row = {key: statistics.median(getattr(cost, key) for cost in costs) for key in asdict(costs[0])}
    rates = ("pages_per_second", "cpu_ms_per_page")
    return {**row, **{key: statistics.median(getattr(cost, key) for cost in costs) for key in rates}}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as text."""
    head = f"{'site':32} {'crawler':14} {'pages':>7} {'pages/s':>9} {'CPU ms/page':>12} {'peak MiB':>9}"
    lines = [
        f"{row['site'][-32:]:32} {row['crawler']:14} {row['pages']:7.0f} {row['pages_per_second']:9.1f} "
        f"{row['cpu_ms_per_page']:12.1f} {row['peak_mib']:9.0f}"
        for row in rows
    ]
    return "\n".join([head, *lines])


# --- the measured process


def _child(kind: str, order: dict[str, Any]) -> Cost:
    command = [sys.executable, __file__, json.dumps(order), "--child", kind]
    # a session of its own: what it starts is found by it, whoever the parent is by then
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, start_new_session=True, cwd=ROOT, env=_environment()
    ) as child:
        cpu_seconds, peak_mib = _watched(child)
        answer = json.loads(child.stdout.read() if child.stdout else b"")
    return Cost(answer["pages"], answer["seconds"], cpu_seconds, peak_mib)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _watched(child: "subprocess.Popen[bytes]") -> tuple[float, float]:
    """Return the CPU seconds and the peak memory in MiB of the child's whole session."""
    ticks: dict[int, int] = {}
    peak = 0
    while child.poll() is None:
        session = list(_session(child.pid))
        ticks.update(session)
        peak = max(peak, sum(_memory(pid) for pid, _ in session))
        time.sleep(SAMPLE_SECONDS)
    return sum(ticks.values()) / TICKS, peak / 1024


def _session(leader: int) -> Iterator[tuple[int, int]]:
    """Yield the processes of a session with the clock ticks they used."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            # proc(5): after the name, which may hold anything, come state, ppid, pgrp, session; utime is the 12th
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                yield int(entry.name), int(fields[11]) + int(fields[12])


def _memory(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


# --- what runs in it


def _contentbot(order: dict[str, Any]) -> None:
    from contentbot.crawling import Job, run_jobs  # noqa: PLC0415 - its import belongs to the measured process

    folder = Path(order["folder"])
    source, arguments = _source(order)
    settings = {
        "LOG_LEVEL": "ERROR",
        "CONTENTBOT_DATA_DIR": str(folder),
        "CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}",
        "CONTENTBOT_EXTRACT_WORKERS": order["workers"],
        "CONTENTBOT_PROGRESS_SECONDS": 0,
    }
    record = run_jobs([Job(source, arguments)], settings)[source.id]
    if not record.succeeded:
        sys.exit(f"the crawl ended with {record.finish_reason}: {record.error}")
    print(json.dumps({"pages": record.counts.get("indexed", 0), "seconds": record.seconds}))


def _source(order: dict[str, Any]) -> tuple[Any, dict[str, str]]:
    from contentbot.config import get_settings  # noqa: PLC0415 - as above
    from contentbot.sources.loader import load_sources  # noqa: PLC0415
    from contentbot.sources.models import WebsiteSource  # noqa: PLC0415

    if order["source"]:
        sources = load_sources(get_settings().sources_dir)
        return sources[order["source"]], {"base_url": order["origin"], "rate_limit": "off"}
    keys: dict[str, Any] = {"id": "benchmark", "type": "website", "base-url": order["origin"], "rate-limit": 0}
    if order["sitemap"]:
        keys["sitemaps"] = order["sitemap"]
    return WebsiteSource.model_validate(keys), {}


def _plain(order: dict[str, Any]) -> None:
    import scrapy  # noqa: PLC0415 - its import belongs to the measured process
    from scrapy.crawler import CrawlerProcess  # noqa: PLC0415

    class Plain(scrapy.Spider):
        name = "plain"
        start_urls = _indexed_urls(order)

        def parse(self, response: Any, **_: Any) -> None:
            pages.append(response.status)

    pages: list[int] = []
    process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False})
    crawler = process.create_crawler(Plain)
    process.crawl(crawler)
    process.start()
    stats = crawler.stats.get_stats()
    print(json.dumps({"pages": len(pages), "seconds": stats["elapsed_time_seconds"]}))


def _indexed_urls(order: dict[str, Any]) -> list[str]:
    """Return the addresses that contentbot asked for, at the place where the site is served."""
    from contentbot.access import PUBLIC  # noqa: PLC0415 - as above
    from contentbot.index import open_index  # noqa: PLC0415
    from contentbot.sources.urls import clean_url  # noqa: PLC0415

    source, _ = _source(order)
    own = clean_url(source.base_url, "")
    with open_index(f"tantivy:{Path(order['folder']) / 'index'}", read_only=True) as index:
        documents = list(index.export(source.id, principal=PUBLIC))
    listed = [(document.additional_urls or [document.url])[0] for document in documents]
    return [url.replace(urljoin(own, "/"), f"{order['origin']}/", 1) for url in listed]


_CHILDREN: dict[str, Callable[[dict[str, Any]], None]] = {"contentbot": _contentbot, "plain": _plain}


# --- the served folder


@contextlib.contextmanager
def served(site: str) -> Iterator[str]:
    """Yield the origin of a site; a folder is served by a thread of this process, with a sitemap of its HTML files."""
    if not Path(site).is_dir():
        yield site.rstrip("/")
        return
    folder = Path(site).resolve()
    handler = partial(_Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path != SITEMAP:
            super().do_GET()
            return
        body = _sitemap(Path(self.directory))
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _sitemap(folder: Path) -> bytes:
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.html"))
    entries = "".join(f"<url><loc>/{quote(file)}</loc></url>" for file in files)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


if __name__ == "__main__":
    main()
