"""A language model's endpoint on loopback: it answers as a test has written it, and remembers what it was asked."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

JSON = "application/json"


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]
    payload: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything that the messages say."""
        return "\n".join(message["content"] for message in self.payload["messages"])

    @property
    def format(self) -> str:
        """The form of the answer that was asked for."""
        return str(self.payload.get("response_format", {}).get("type", ""))


@dataclass(frozen=True)
class Scripted:
    """One answer.

    `cut` bytes of the body are sent, and the connection is closed; 0 sends all of it. With `drip`, a byte is sent every
    so many seconds.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0
    drip: float = 0.0


def says(content: Any, *, finish: str = "stop", **message: Any) -> Scripted:
    """Answer with a chat completion; a dictionary is written as JSON."""
    text = content if isinstance(content, str | list) or content is None else json.dumps(content)
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    answer = {"id": "1", "object": "chat.completion", "model": "mill-1", "choices": [choice]}
    return Scripted(json.dumps(answer).encode())


class ModelServer:
    """The endpoint: answers in the order of the script; the last one again and again."""

    def __init__(self, *script: Scripted | Callable[[Asked], Scripted]) -> None:
        self.script = list(script)
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, asked: Asked) -> Scripted:
        self.asked.append(asked)
        scripted = self.script[min(len(self.asked), len(self.script)) - 1]
        return scripted if isinstance(scripted, Scripted) else scripted(asked)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            scripted = server.answer(Asked(self.path, headers, json.loads(body)))
            self.send_response(scripted.status)
            self.send_header("Content-Type", JSON)
            self.send_header("Content-Length", str(len(scripted.body)))
            for name, value in scripted.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            body = scripted.body[: scripted.cut] if scripted.cut else scripted.body
            with suppress(ConnectionError):  # whoever asked has gone
                for at in range(0, len(body), 1 if scripted.drip else len(body)):
                    self.wfile.write(body[at : at + 1] if scripted.drip else body)
                    time.sleep(scripted.drip)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
