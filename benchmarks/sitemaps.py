"""How fast sitemaps are read, and in how much memory: ours beside the parser that Scrapy brings.

    python benchmarks/sitemaps.py [URLS ...]

Every row is a process of its own that reads the same compressed sitemap: the CPU time to the first entry and to the
last, and how far the process grew beyond holding the download.
"""

import gzip
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

URL = "https://shop.example/sitemap.xml"
ENTRY = """  <url>
    <loc>https://shop.example/posts/2026/{0:07}/a-slug-of-ordinary-length</loc>
    <lastmod>2026-03-12T10:30:00+01:00</lastmod>
    <changefreq>weekly</changefreq>
  </url>
"""


def sitemap(urls: int) -> bytes:
    """Return an urlset of that many pages, compressed."""
    text = "".join(ENTRY.format(number) for number in range(urls))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return gzip.compress(f"{head}{text}</urlset>\n".encode(), 6)


def read_ours(body: bytes) -> Iterator[str]:
    """Read with this project's reader."""
    from contentbot.discovery.sitemaps import PageEntry, read_sitemap  # noqa: PLC0415 - only the process that uses it

    return (entry.url for entry in read_sitemap(body, URL, max_bytes=1 << 40) if isinstance(entry, PageEntry))


def read_scrapys(body: bytes) -> Iterator[str]:
    """Read as Scrapy's SitemapSpider does."""
    from scrapy.spiders.sitemap import iterloc  # noqa: PLC0415
    from scrapy.utils.gz import gunzip, gzip_magic_number  # noqa: PLC0415
    from scrapy.utils.sitemap import Sitemap  # noqa: PLC0415

    class Answer:
        def __init__(self) -> None:
            self.body = body

    inflated = gunzip(body) if gzip_magic_number(Answer()) else body  # type: ignore[arg-type]  # it reads the body only
    return iterloc(Sitemap(inflated))


READERS: dict[str, Callable[[bytes], Iterator[str]]] = {"contentbot": read_ours, "scrapy": read_scrapys}


def measure(reader: str, file: Path) -> None:
    """Read the sitemap in the file once, and print the figures."""
    body = file.read_bytes()
    list(READERS[reader](sitemap(10)))  # the imports are no part of it
    before = _peak()
    start = time.process_time()
    entries = READERS[reader](body)
    next(entries)
    first = time.process_time()
    count = 1 + sum(1 for _ in entries)
    end = time.process_time()
    print(
        f"{reader:12}{count:>9,} {(first - start) * 1e3:>9.1f} {end - start:>7.2f} {_peak() - before:>9.1f}", flush=True
    )


def _peak() -> float:
    # MiB; kilobytes on Linux, bytes on macOS
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main(sizes: list[int]) -> None:
    """Print one row per reader and size."""
    print(f"{'':12}{'entries':>9} {'first ms':>9} {'all s':>7} {'peak MiB':>9}", flush=True)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sitemap.xml.gz"
        for urls in sizes:
            # made elsewhere: Linux counts the parent's size at the fork as the child's peak
            _again("write", str(urls), str(file))
            for reader in READERS:
                _again(reader, str(file))


def _again(*arguments: str) -> None:
    subprocess.run([sys.executable, __file__, *arguments], check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", urls, file]:
            Path(file).write_bytes(sitemap(int(urls)))
        case [reader, file] if reader in READERS:
            measure(reader, Path(file))
        case sizes:
            main([int(size) for size in sizes] or [100_000, 1_000_000])
