"""A website on loopback that answers as a test tells it to, and remembers what it was asked."""

import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Asked:
    """One request: its path with the query, its headers by lower-case name, and when it came."""

    path: str
    headers: Mapping[str, str]
    at: float


@dataclass(frozen=True)
class Answer:
    """One response.

    A body of several pieces is sent chunked. `delay` seconds pass before the headers; `drop` closes the connection
    instead of answering. Header values are sent as latin-1, so that any byte can be one.
    """

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"
    delay: float = 0.0
    drop: bool = False


class Website:
    """The site: paths to answers. A path without one is a 404."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.asked: list[Asked] = []
        self._answers: dict[str, list[Answer | Callable[[Asked], Answer]]] = {}
        # what becomes of the n-th answer on its way, of whatever path
        self.trouble: Callable[[int, Answer], Answer] = lambda _, answer: answer
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.origin = f"{'https' if certificate else 'http'}://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def page(self, path: str, text: str = "", **answer: Any) -> None:
        """Serve a page with a title, and the text as its paragraph, unless it is a whole document."""
        html = text if text.lstrip().startswith("<") else article(path, text)
        self.answer(path, Answer(html.encode(), **answer))

    def redirect(self, path: str, to: str, status: int = 301) -> None:
        """Serve a redirect."""
        self.answer(path, Answer(status=status, headers={"Location": to}))

    def sitemap(self, path: str, *locations: str) -> None:
        """Serve a sitemap of these addresses."""
        self.answer(path, Answer(urlset(*locations), content_type="application/xml"))

    def answer(self, path: str, *answers: Answer | Callable[[Asked], Answer]) -> None:
        """Serve the answers one after the other; the last one stays."""
        self._answers[path] = list(answers)

    def clear(self) -> None:
        """Serve nothing any more."""
        self._answers.clear()

    def paths(self) -> list[str]:
        """Return the paths that were asked for, robots.txt left out."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    def respond(self, asked: Asked) -> Answer:
        """Return the next answer for this request."""
        with self._lock:
            self.asked.append(asked)
            answers = self._answers.get(asked.path) or self._answers.get(asked.path.partition("?")[0])
            if not answers:
                return Answer(b"<h1>Not here</h1>", 404)
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return self.trouble(len(self.asked), answer(asked) if callable(answer) else answer)


def article(title: str, text: str = "", head: str = "") -> str:
    """Return a page as blogs have them."""
    words = text or f"This page is about {title}. " * 5
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head>"
        f"<body><nav>Home</nav><main><h1>{title}</h1><p>{words}</p></main></body></html>"
    )


def self_signed(folder: Path, host: str = "") -> Path:
    """Return a file with a key, and a certificate that nobody else has signed: for a host, or just for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(begin).not_valid_after(begin + timedelta(days=36500))
    if host:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(private + certificate.public_bytes(pem))
    return file


def urlset(*locations: str) -> bytes:
    """Return an XML sitemap."""
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


def sitemapindex(*locations: str) -> bytes:
    """Return an XML sitemap index."""
    entries = "".join(f"<sitemap><loc>{location}</loc></sitemap>" for location in locations)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'.encode()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(
            sys.exception(), ConnectionError | ssl.SSLError
        ):  # the crawler hangs up where it has read enough
            super().handle_error(request, client_address)


def _handler(site: Website) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = site.respond(Asked(unquote(self.path), headers, time.monotonic()))
            time.sleep(answer.delay)
            if answer.drop:
                self.close_connection = True
                return
            self._send(answer)
            # a body that is shorter than it said would be waited for
            self.close_connection |= "Content-Length" in answer.headers

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in _headers(answer).items():
                self.send_header(name, value)
            self.end_headers()
            for piece in _pieces(answer.body):
                self.wfile.write(piece)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _headers(answer: Answer) -> dict[str, str]:
    whole = isinstance(answer.body, bytes)
    length = {"Content-Length": str(len(answer.body))} if whole else {"Transfer-Encoding": "chunked"}
    kind = {"Content-Type": answer.content_type} if answer.content_type else {}
    return {**kind, **length, **answer.headers}


def _pieces(body: bytes | Iterable[bytes]) -> Iterable[bytes]:
    if isinstance(body, bytes):
        yield body
        return
    for piece in body:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"
