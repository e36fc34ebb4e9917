"""What the commands of the documentation need: a served copy of the sites that they name, a filled index, a server."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from contentbot.demo.server import demo_site, demo_source
from contentbot.documents import ContentDocument, Page
from contentbot.extract import ExtractRules, extract
from contentbot.index import open_index
from contentbot.sources.loader import load_source
from tests.conftest import Reactor, crawl_once, crawl_settings
from tests.docs.pages import ROOT
from tests.feeds.served import LONG, item, rss
from tests.site.server import Answer, Website

# their own places, as the source files have them, below one origin
POSTS = {
    "/posts/2026/03/12/a-post": "Who pays the maintainers of open source, and how much water reaches the wheel",
    "/de/posts/2026/03/12/ein-beitrag": "Wer die Entwickler bezahlt",
    "/blog/rust": "Rust in the kernel",
}


@dataclass
class Place:
    """Where a command runs: the served copy of the sites, and the folder of its data."""

    origin: str
    data: Path
    running: ExitStack

    def environment(self, data: Path | None = None, **more: str) -> dict[str, str]:
        """Return the variables that keep a command in this place, or in another data folder."""
        folder = data or self.data
        return {
            "CONTENTBOT_SOURCES_DIR": str(ROOT / "sources"),
            "CONTENTBOT_DATA_DIR": str(folder),
            "CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}",
            "PYTHONPATH": str(ROOT),
            **more,
        }

    @cached_property
    def endpoint(self) -> str:
        """The endpoint of an HTTP server that was started as the documentation says."""
        return self.running.enter_context(serving(["--http", "--port", "8000"], self))


@contextmanager
def serving(options: Sequence[str], place: Place) -> Iterator[str]:
    """Start the server on a free port of loopback while the block runs; gives the endpoint."""
    words = [{"8000": "0", "0.0.0.0": "127.0.0.1"}.get(word, word) for word in options]
    port = [] if "--port" in words else ["--port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "mcp_server", *words, *port],
        env={**os.environ, **place.environment()},
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = process.stderr or io.StringIO()
            yield next(line.split()[-1] for line in said if "MCP endpoint" in line)
        finally:
            process.terminate()


def run(*words: str, environment: Mapping[str, str]) -> str:
    """Run Python with these words in a process of its own, and return what it printed; it has to succeed."""
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The sites that the documentation names, served here, and an index with the posts of one of them."""
    with Website() as site, ExitStack() as running:
        site.sitemap("/sitemap.xml", *POSTS)
        for path, title in POSTS.items():
            site.page(path, _post(title))
        site.page("/", _post("The home page"))
        site.answer("/blog/feed.xml", Answer(_feed(), content_type="application/rss+xml"))
        here = Place(site.origin, tmp_path_factory.mktemp("place") / "data", running)
        _fill(here)
        yield here


def _feed() -> bytes:
    return rss(item("/blog/a-post", text=LONG)).replace(b"https://mill.example", b"https://www.example.org")


def _fill(place: Place) -> None:
    """Put into the index what a crawl of open-elements would; that crawls work is for the commands to show."""
    rules = ExtractRules(load_source(ROOT / "sources" / "open-elements.yaml"))
    urls = [f"https://open-elements.com{path}" for path in POSTS if "/posts/" in path]
    pages = [Page(url, url, _post(title).encode()) for url, title in zip(urls, POSTS.values(), strict=False)]
    with open_index(place.environment()["CONTENTBOT_INDEX_URL"]) as index:
        index.upsert([extract(page, rules) for page in pages])


def _post(title: str) -> str:
    head = f'<title>{title}</title><meta property="article:published_time" content="2026-03-12">'
    text = (
        f"<h1>{title}</h1><main><div class='content prose'><p>{f'{title}: rust in the kernel. ' * 5}</p></div></main>"
    )
    return f"<!doctype html><html lang=en><head>{head}</head><body><main>{text}</main></body></html>"


@pytest.fixture
def demo_documents(reactor: Reactor, tmp_path: Path) -> dict[str, ContentDocument]:
    """The documents of the demo site by address."""
    with demo_site() as origin:
        crawled = reactor.result(crawl_once(demo_source(), {"base_url": origin}, crawl_settings(tmp_path)))
    documents: dict[str, ContentDocument] = crawled.documents
    return documents
