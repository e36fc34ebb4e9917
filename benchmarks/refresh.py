"""What a second run costs, beside the first.

    python benchmarks/refresh.py SITE [--source ID] [--trust] [--workers 0] [--profile FILE] [--json]

SITE is a folder of HTML files, which is served on loopback without validators, or the address of a site that is served
already. With `--source` it is crawled as a copy of that source, by its rules and its `lastmod`; `--trust` sets
`lastmod: trust` whatever the source says. The rate limit and AutoThrottle are off. The site is crawled twice into one
new folder, each time by a process of its own; nothing changes in between.

Requests are counted by the status of their answers, next to the network, with the bytes of the bodies as they came;
writes are documents that the index was given. The CPU of a page is the CPU time of the run, that of all its processes
together, less that of a run over one page of the same site, divided by the pages that are included: Python's start, the
imports and the opening of the index cost the same however many pages there are.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from crawl import ROOT, SITEMAP, served  # beside this file

COLUMNS = ("run", "pages", "requests", "by status", "KiB", "writes", "seconds", "CPU s", "CPU ms/page")


def main() -> None:
    """Measure a site, and print its two runs."""
    arguments = _arguments()
    if arguments.child:
        _child(json.loads(arguments.site))
        return
    rows = measure(arguments)
    print(json.dumps(rows, indent=1) if arguments.json else table(rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", metavar="SITE", help="a folder of HTML files, or an address")
    parser.add_argument("--source", default="", help="crawl it as a copy of this source, by its rules")
    parser.add_argument("--trust", action="store_true", help="do not request what the sitemap says is unmodified")
    parser.add_argument("--workers", type=int, default=0, help="extraction processes; 0 means one per CPU")
    parser.add_argument("--profile", default="", metavar="FILE", help="write a cProfile of the second run")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Crawl the site twice, and one page of it twice for what a run costs anyway; return a row for each whole run."""
    with served(arguments.site) as origin, tempfile.TemporaryDirectory() as folder:
        order = {
            "origin": origin,
            "source": arguments.source,
            "trust": arguments.trust,
            "workers": arguments.workers,
            "sitemap": SITEMAP if Path(arguments.site).is_dir() else "",
        }
        small = [_run({**order, "folder": f"{folder}/small", "small": True}) for _ in range(2)]
        first = _run({**order, "folder": f"{folder}/whole"})
        second = _run({**order, "folder": f"{folder}/whole", "profile": arguments.profile})
    return [
        {"run": name, **run, "cpu_ms_per_page": _cpu_of_a_page(run, base)}
        for name, run, base in zip(("first", "second"), (first, second), small, strict=True)
    ]


def _run(order: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, __file__, json.dumps(order), "--child"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, check=True).stdout
    counted: dict[str, Any] = json.loads(answer)
    return counted


def _cpu_of_a_page(run: dict[str, Any], small: dict[str, Any]) -> float:
    pages = run["pages"] - small["pages"]
    return 1000 * (run["cpu_seconds"] - small["cpu_seconds"]) / pages if pages > 0 else 0.0


def table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as text."""
    lines = [COLUMNS, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["run"],
        str(row["pages"]),
        str(row["requests"]),
        ", ".join(f"{number} x {status}" for status, number in sorted(row["by_status"].items())),
        f"{row['bytes'] / 1024:.0f}",
        str(row["writes"]),
        f"{row['seconds']:.1f}",
        f"{row['cpu_seconds']:.2f}",
        f"{row['cpu_ms_per_page']:.1f}",
    )


# --- the measured process


class Counter:
    """A downloader middleware next to the network: answers by status, and the bytes of their bodies."""

    by_status: dict[str, int] = {}  # noqa: RUF012 - one per process, read when the crawl has ended
    body_bytes = 0

    def process_response(self, request: Any, response: Any) -> Any:  # noqa: ARG002 - Scrapy's interface
        """Count one answer."""
        Counter.by_status[str(response.status)] = Counter.by_status.get(str(response.status), 0) + 1
        Counter.body_bytes += len(response.body)
        return response


def _child(order: dict[str, Any]) -> None:
    if not order.get("profile"):
        print(json.dumps(_crawl(order)))
        return
    import cProfile  # noqa: PLC0415 - for this one use

    profile = cProfile.Profile()
    print(json.dumps(profile.runcall(_crawl, order)))
    profile.dump_stats(order["profile"])


def _crawl(order: dict[str, Any]) -> dict[str, Any]:
    from contentbot.crawling import Job, project_settings, run_jobs  # noqa: PLC0415 - its import is part of the run

    source, arguments = _source(order)
    middlewares = {**project_settings().getdict("DOWNLOADER_MIDDLEWARES"), Counter: 950}
    settings = {
        "LOG_LEVEL": "ERROR",
        "CONTENTBOT_DATA_DIR": order["folder"],
        "CONTENTBOT_INDEX_URL": f"tantivy:{order['folder']}/index",
        "CONTENTBOT_EXTRACT_WORKERS": order["workers"],
        "CONTENTBOT_PROGRESS_SECONDS": 0,
        "DOWNLOADER_MIDDLEWARES": middlewares,
    }
    record = run_jobs([Job(source, arguments)], settings)[source.id]
    if not record.succeeded:
        sys.exit(f"the crawl ended with {record.finish_reason}: {record.error}")
    used = os.times()
    return {
        "pages": record.counts.get("included", 0),
        "requests": sum(Counter.by_status.values()),
        "by_status": Counter.by_status,
        "bytes": Counter.body_bytes,
        "writes": record.counts.get("indexed", 0),
        "unchanged": record.counts.get("unchanged", 0),
        "seconds": record.seconds,
        "cpu_seconds": used.user + used.system + used.children_user + used.children_system,
    }


def _source(order: dict[str, Any]) -> tuple[Any, dict[str, str]]:
    from contentbot.config import get_settings  # noqa: PLC0415 - as above
    from contentbot.sources.loader import load_sources  # noqa: PLC0415
    from contentbot.sources.models import WebsiteSource  # noqa: PLC0415

    changes: dict[str, Any] = {"lastmod": "trust"} if order["trust"] else {}
    if order["source"]:
        source: Any = load_sources(get_settings().sources_dir)[order["source"]]
        arguments = {"base_url": order["origin"], "rate_limit": "off"}
    else:
        keys: dict[str, Any] = {"id": "benchmark", "type": "website", "base-url": order["origin"], "rate-limit": 0}
        source, arguments = WebsiteSource.model_validate(keys), {}
        changes |= {"sitemaps": order["sitemap"]} if order["sitemap"] else {}
    if order.get("small"):
        # a site of one page: where a run begins and ends costs the same
        changes |= {"sitemaps": [], "max-depth": 0}
    known = source.model_dump(by_alias=True)
    return WebsiteSource.model_validate({**known, **changes}, by_alias=True, by_name=False), arguments


if __name__ == "__main__":
    main()
