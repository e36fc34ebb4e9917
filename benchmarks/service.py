"""What the extraction service costs: served pages to articles, one after the other, side by side, and from memory.

    python benchmarks/service.py [--pages N]

The pages are those of the demo site, served on loopback without pauses; the workers run before the clock does. At the
end, bodies of a few kilobytes that inflate to 300 MiB: what becomes of them, and how far the process grows.
"""

import argparse
import gzip
import resource
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import anyio
import brotli
import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from contentbot.articles import ArticleService
from contentbot.demo.server import demo_site
from contentbot.loading import AddressGuard, Loader, LoadLimits

PATHS = ("/news/2025/03/how-the-wheel-was-saved", "/news/2025/05/reading-a-millstone", "/guide/how-a-mill-works")
BOMB = 300 << 20
CODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "br": partial(brotli.compress, quality=1),
    "zstd": zstandard.ZstdCompressor(level=1).compress,
}


def service(kept_seconds: float = 0.0) -> ArticleService:
    """Return a service that may speak to this machine, and keeps no distance."""
    limits = LoadLimits(pause=0.0, kept_seconds=kept_seconds)
    return ArticleService(Loader(AddressGuard(["127.0.0.0/8"]), limits), workers=2)


async def measure(pages: int, origin: str) -> None:
    """Extract so many pages in each way, and print the figures."""
    urls = [f"{origin}{PATHS[number % len(PATHS)]}?n={number}" for number in range(pages)]
    with service() as asked, service(kept_seconds=60.0) as kept:
        for one in (asked, kept):
            await one.extract_many(urls[:4])
        times = []
        for url in urls:
            begun = time.perf_counter()
            assert (await asked.extract_url(url)).success
            times.append((time.perf_counter() - begun) * 1000)
        p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"one after the other: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
        begun = time.perf_counter()
        assert all(output.success for output in await asked.extract_many(urls))
        print(f"side by side: {pages / (time.perf_counter() - begun):.0f} pages a second")
        await kept.extract_many(urls)
        begun = time.perf_counter()
        assert all(output.debug.from_cache for output in await kept.extract_many(urls))
        print(f"from memory: {pages / (time.perf_counter() - begun):.0f} pages a second")


class Bombs(BaseHTTPRequestHandler):
    """Answers every path with its code of 300 MiB of zeros, and robots.txt with 404."""

    bodies: dict[str, bytes]

    def do_GET(self) -> None:
        """Answer."""
        coding = self.path.strip("/")
        body = self.bodies.get(coding, b"")
        self.send_response(200 if body else 404)
        if body:
            self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


async def defuse() -> None:
    """Ask for every bomb, and print what the service makes of it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Bombs) as server, service() as asked:
        Thread(target=server.serve_forever, daemon=True).start()
        for coding, body in Bombs.bodies.items():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            begun = time.perf_counter()
            output = await asked.extract_url(f"http://127.0.0.1:{server.server_port}/{coding}")
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
            reason = output.error.details.reason if output.error else "extracted"
            spent = (time.perf_counter() - begun) * 1000
            print(f"{coding} bomb of {len(body) >> 10} KiB: {reason} after {spent:.0f} ms, {grown} MiB more")
        server.shutdown()


def bombs() -> dict[str, bytes]:
    """Return the bodies; made in another process, so that they do not count as grown memory."""
    from multiprocessing import get_context  # noqa: PLC0415 - only here

    with get_context("spawn").Pool(1) as pool:
        return dict(zip(CODERS, pool.map(bomb, CODERS), strict=True))


def bomb(coding: str) -> bytes:
    """Return 300 MiB of zeros in a code."""
    return CODERS[coding](bytes(BOMB))


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=200)
    given = parser.parse_args()
    with demo_site() as origin:
        anyio.run(measure, given.pages, origin)
    Bombs.bodies = bombs()
    anyio.run(defuse)


if __name__ == "__main__":
    main()
