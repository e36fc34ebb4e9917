"""A site that is really served, and a crawl that really runs against it.

The crawl has a process of its own, for a reactor runs only once.

As a script: `python -m tests.middlewares.served` reads a job as JSON and prints what happened.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import monotonic
from typing import Any


@dataclass
class Answer:
    """What the server says."""

    status: int = 200
    body: bytes = b"a page"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Served:
    """A running server: its port, and what was asked, as (seconds, path)."""

    port: int
    asked: list[tuple[float, str]]
    cookies: list[str]

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for _, path in self.asked]


@contextmanager
def serve(answer: Callable[[str, int], Answer]) -> Iterator[Served]:
    """Serve what `answer` returns for a path and the number of times it was asked before."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            before = served.paths.count(self.path)
            served.asked.append((monotonic(), self.path))
            served.cookies.extend(self.headers.get_all("Cookie", []))
            said = answer(self.path, before)
            self.send_response(said.status)
            for name, value in {"Content-Length": str(len(said.body)), **said.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said.body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Served(server.server_address[1], [], [])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True)
class Outcome:
    """What a crawl came to: status or reason of every URL, delay of every slot, statistics, the log."""

    results: Mapping[str, int | str]
    delays: Mapping[str, float]
    stats: Mapping[str, Any]
    log: str


def crawl(urls: Sequence[str], **settings: Any) -> Outcome:
    """Request the URLs, all at once, with the middlewares of this package and the settings on top."""
    job = json.dumps({"urls": list(urls), "settings": settings})
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", __name__],
        input=job,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = json.loads(done.stdout)
    return Outcome(told["results"], told["delays"], told["stats"], done.stderr)


def main() -> None:
    """Run one job."""
    from scrapy import Request, Spider, signals  # noqa: PLC0415 - only the process that crawls loads Scrapy
    from scrapy.crawler import CrawlerProcess  # noqa: PLC0415

    job = json.load(sys.stdin)
    results: dict[str, int | str] = {}
    delays: dict[str, float] = {}

    class Once(Spider):
        name = "once"

        async def start(self) -> Any:
            for url in job["urls"]:
                yield Request(url, self.parse, errback=self.failed, dont_filter=True, cb_kwargs={"asked": url})

        def parse(self, response: Any, asked: str) -> None:
            results[asked] = response.status

        def failed(self, failure: Any) -> None:
            error = failure.value
            results[failure.request.cb_kwargs["asked"]] = getattr(error, "reason", "") or type(error).__name__

    def idle(spider: Any) -> None:
        delays.update({key: slot.delay for key, slot in spider.crawler.engine.downloader.slots.items()})

    process = CrawlerProcess(
        {
            "LOG_LEVEL": "INFO",
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "DOWNLOAD_DELAY_JITTER": 0,
            "HTTPERROR_ALLOW_ALL": True,
            "CONTENTBOT_BACKOFF_SECONDS": 0.01,
            "USER_AGENT": "TeaBot/2.0 (+https://tea.example)",
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "contentbot.middlewares.robots.RobotsMiddleware": 100,
                "contentbot.middlewares.backoff.BackOff": 560,
            },
            "EXTENSIONS": {
                "scrapy.extensions.throttle.AutoThrottle": None,
                "contentbot.extensions.throttle.PoliteThrottle": 0,
            },
            **job["settings"],
        }
    )
    crawler = process.create_crawler(Once)
    crawler.signals.connect(idle, signal=signals.spider_idle)
    process.crawl(crawler)
    process.start()
    stats = {key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, int | str)}
    print(json.dumps({"results": results, "delays": delays, "stats": stats}))


if __name__ == "__main__":
    main()
