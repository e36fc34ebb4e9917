"""How often a crawl asks each host, measured at the servers.

    python benchmarks/politeness.py [--hosts 20] [--seconds 60] [--rate 2] [--crawl-delay 0] [--json]

So many hosts, each on a loopback address of its own (127.0.0.2 and up), are crawled as so many sources by one process.
Every site lists more pages than can be asked for in that time; when it is over, the crawl is killed. The servers note
when each request arrives, robots.txt and sitemap included. Then, for every host: no window of one second, and none of
ten, may hold more requests than the rate allows and one more (a request may be on its way for longer than the next);
with `--crawl-delay`, which the robots.txt of every host then asks for, no two requests may be closer than that. Exit
status 1 when one is. Linux only.
"""

import argparse
import http.server
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = (1, 10)
PAGE = "<!doctype html><html lang=en><title>{path}</title><main><h1>{path}</h1><p>" + "Grain becomes flour here. " * 20


@dataclass(frozen=True)
class Host:
    """What one server was asked: windows in seconds by the most requests that any of them held."""

    host: str
    requests: int
    in_1_second: int
    in_10_seconds: int
    smallest_gap: float
    kept: bool


def main() -> None:
    """Serve, crawl, and print what the servers saw."""
    arguments = _arguments()
    if arguments.child:
        _crawl(json.loads(arguments.child))
        return
    hosts = measure(arguments.hosts, arguments.seconds, arguments.rate, arguments.crawl_delay)
    if arguments.json:
        print(json.dumps({"hosts": [asdict(host) for host in hosts], "ok": all(host.kept for host in hosts)}, indent=1))
    else:
        print(table(hosts))
    sys.exit(not all(host.kept for host in hosts))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long is crawled")
    parser.add_argument(
        "--rate", type=float, default=2.0, help="requests a second and host; 2 is the default of sources"
    )
    parser.add_argument("--crawl-delay", type=float, default=0.0, help="what the robots.txt of every host asks for")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(hosts: int, seconds: float, rate: float, crawl_delay: float) -> list[Host]:
    """Crawl so many hosts for so long, and return what each of them saw."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        pages = math.ceil(seconds * rate) * 2
        sites = [stack.enter_context(_serving(f"127.0.0.{2 + number}", pages, crawl_delay)) for number in range(hosts)]
        order = {"folder": folder, "rate": rate, "origins": [site.origin for site in sites]}
        _crawl_for(seconds, order, sites)
        return [_seen(site, rate, crawl_delay) for site in sites]


def _crawl_for(seconds: float, order: dict[str, Any], sites: Sequence["_Site"]) -> None:
    # in a process of its own, so that the servers do not take turns with the crawler
    command, environment = [sys.executable, __file__, "--child", json.dumps(order)], {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, start_new_session=True) as child:
        while child.poll() is None and not any(site.asked for site in sites):
            time.sleep(0.1)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # its workers, too
        else:
            sys.exit("the crawl came to an end before its time")


def _seen(site: "_Site", rate: float, crawl_delay: float) -> Host:
    moments = sorted(site.asked)
    most = [busiest(moments, window) for window in WINDOWS]
    gap = min((later - earlier for earlier, later in pairwise(moments)), default=math.inf)
    within = all(count <= math.floor(rate * window) + 1 for count, window in zip(most, WINDOWS, strict=True))
    return Host(site.server_address[0], len(moments), most[0], most[1], round(gap, 4), within and gap >= crawl_delay)


def busiest(moments: Sequence[float], window: float) -> int:
    """Return the most of these ascending moments that any window of so many seconds holds, its end left out."""
    most = first = 0
    for last, moment in enumerate(moments):
        while moment - moments[first] >= window:
            first += 1
        most = max(most, last - first + 1)
    return most


def table(hosts: Sequence[Host]) -> str:
    """Return the hosts as text."""
    head = f"{'host':14} {'requests':>9} {'most in 1 s':>12} {'most in 10 s':>13} {'smallest gap':>13}  kept"
    rows = [
        f"{host.host:14} {host.requests:9} {host.in_1_second:12} {host.in_10_seconds:13} {host.smallest_gap:11.3f} s  "
        f"{'yes' if host.kept else 'NO'}"
        for host in hosts
    ]
    return "\n".join([head, *rows])


# --- the process that crawls


def _crawl(order: dict[str, Any]) -> None:
    from contentbot.crawling import Job, run_jobs  # noqa: PLC0415 - its import is none of the servers' business
    from contentbot.sources.models import WebsiteSource  # noqa: PLC0415 - as above

    keys = {"type": "website", "sitemaps": "/sitemap.xml", "rate-limit": order["rate"]}
    jobs = [
        Job(WebsiteSource.model_validate({"id": f"host-{number}", "base-url": origin, **keys}))
        for number, origin in enumerate(order["origins"])
    ]
    settings = {
        "LOG_LEVEL": "ERROR",
        "CONTENTBOT_DATA_DIR": order["folder"],
        "CONTENTBOT_INDEX_URL": f"tantivy:{order['folder']}/index",
        "CONTENTBOT_PROGRESS_SECONDS": 0,
    }
    for record in run_jobs(jobs, settings).values():
        if record.error:
            sys.exit(f"{record.source}: {record.finish_reason}: {record.error}")


# --- the hosts


class _Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: str, pages: int, crawl_delay: float) -> None:
        self.asked: list[float] = []
        self.robots = f"User-agent: *\nCrawl-delay: {crawl_delay:g}\n" if crawl_delay else "User-agent: *\nAllow: /\n"
        self.sitemap = "".join(f"<url><loc>/{number}</loc></url>" for number in range(pages))
        super().__init__((address, 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # the crawl is killed while it is answered
            super().handle_error(request, client_address)

    @property
    def origin(self) -> str:
        return f"http://{self.server_address[0]}:{self.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Site

    def do_GET(self) -> None:
        self.server.asked.append(time.monotonic())
        kind, text = "text/html", PAGE.format(path=self.path)
        if self.path == "/robots.txt":
            kind, text = "text/plain", self.server.robots
        elif self.path == "/sitemap.xml":
            entries = self.server.sitemap
            kind = "application/xml"
            text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _serving(address: str, pages: int, crawl_delay: float) -> Iterator[_Site]:
    with _Site(address, pages, crawl_delay) as site:
        thread = threading.Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


if __name__ == "__main__":
    main()
