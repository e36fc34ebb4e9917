"""Serves a folder of HTML files as a website: addresses without `.html`, redirects, validators, real 404s.

`routes.json` in the folder says what files alone cannot: `{"/path": {"redirect": "/other"}}` answers 301, and
`{"/path": {"file": "name.html"}}` serves a file under an address that would be no good file name.
"""

import json
import mimetypes
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from contentbot.sources.loader import load_source
from contentbot.sources.models import Source


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answers, before validators are looked at."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """A folder seen as a website.

    Args:
        folder: holds the files, and maybe `routes.json`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        routes = self._folder / "routes.json"
        self._routes: Mapping[str, Mapping[str, str]] = json.loads(routes.read_bytes()) if routes.is_file() else {}

    def answer(self, target: str) -> Answer:
        """Return what the request target of a GET answers."""
        path = unquote(urlsplit(target).path)
        route = self._routes.get(path, {})
        if "redirect" in route:
            return Answer(301, headers={"Location": quote(route["redirect"])})
        file = self._folder / route["file"] if "file" in route else self._file(path)
        if file is None:
            return Answer(
                404, b"<!doctype html><title>Not found</title><p>There is no such page.", {"Content-Type": "text/html"}
            )
        body = file.read_bytes()
        return Answer(200, body, {"Content-Type": _content_type(file), "ETag": f'"{sha256(body).hexdigest()[:20]}"'})

    def _file(self, path: str) -> Path | None:
        if "\0" in path or path == "/routes.json":
            return None
        inside = self._folder / path.strip("/")
        for candidate in (inside, inside.with_name(inside.name + ".html"), inside / "index.html"):
            if candidate.is_file() and candidate.resolve().is_relative_to(self._folder):
                return candidate
        return None


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve the folder on 127.0.0.1 at a free port while the block runs; gives the origin, `http://127.0.0.1:PORT`."""
    server = _Server(("127.0.0.1", 0), _handler(Site(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def demo_source() -> Source:
    """Return the source file of the demo site, as it ships with the package."""
    with as_file(files("contentbot.demo") / "demo.yaml") as file:
        return load_source(file)


@contextmanager
def demo_site() -> Iterator[str]:
    """Serve the site that ships with the package."""
    with as_file(files("contentbot.demo") / "site") as folder, serve(folder) as origin:
        yield origin


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that left early: the crawler stops a download when the headers tell enough."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _content_type(file: Path) -> str:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            answer = site.answer(self.path)
            if answer.headers.get("ETag") and self.headers.get("If-None-Match") == answer.headers["ETag"]:
                answer = Answer(304, headers=answer.headers)
            self.send_response(answer.status)
            for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)

        do_HEAD = do_GET  # noqa: N815 - the library's name

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing: the crawl tells what was fetched."""

    return Handler
