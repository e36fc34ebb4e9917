"""Exchanges with a real server, recorded once and played back.

A test asks for a connection by the name of a file here. Usually the file's exchanges are played back, and a request
that is not the recorded one fails the test. With `CONTENTBOT_TEST_MEILI_RECORD=1` and a server (see
`tests/contract/server.py`) the requests are sent, and what was said is written to the file: run that after a change of
what is sent, and read the difference. Headers are not recorded, so no key is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import requests
from requests.adapters import BaseAdapter, HTTPAdapter

FOLDER = Path(__file__).with_name("exchanges")
RECORD = "CONTENTBOT_TEST_MEILI_RECORD"
PASSING = frozenset({"requestUid", "enqueuedAt", "startedAt", "finishedAt", "duration", "createdAt", "updatedAt"})
"""What differs each time and is not looked at; moments stay the first ones that were seen."""

Exchange = dict[str, Any]
"""`ask` (method and path), `sent` (what the body says), and `status` with `told`, or `fails`."""


class Recorder(HTTPAdapter):
    """Sends requests, and remembers what was said."""

    def __init__(self) -> None:
        super().__init__()
        self.exchanges: list[Exchange] = []

    def send(self, request: requests.PreparedRequest, *args: Any, **more: Any) -> requests.Response:
        response = super().send(request, *args, **more)
        self.exchanges.append(
            {
                **_asked(request),
                "status": response.status_code,
                "told": _settled(json.loads(response.content or b"null")),
            }
        )
        return response

    def save(self, name: str) -> None:
        """Write one exchange a line."""
        lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in self.exchanges)
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


class Replay(BaseAdapter):
    """Plays exchanges back, in their order."""

    def __init__(self, exchanges: list[Exchange]) -> None:
        super().__init__()
        self.exchanges, self.left = exchanges, list(exchanges)

    @classmethod
    def of(cls, name: str) -> "Replay":
        """Return the exchanges of a file."""
        lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
        return cls([json.loads(line) for line in lines if line])

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        asked = _asked(request)
        assert self.left, f"nothing is recorded after this: {asked}"
        exchange = self.left.pop(0)
        assert asked["ask"] == exchange["ask"]
        assert asked["sent"] == exchange.get("sent", asked["sent"])
        if "fails" in exchange:
            raise requests.ConnectionError(exchange["fails"])
        return _response(request, exchange)

    def close(self) -> None:
        """There is nothing to close."""


def _asked(request: requests.PreparedRequest) -> Exchange:
    return {"ask": f"{request.method} {request.path_url}", "sent": _said(request.body)}


def _said(body: Any) -> Any:
    text = body.decode() if isinstance(body, bytes) else body or "null"
    lines = [line for line in text.split("\n") if line]
    return json.loads(lines[0]) if len(lines) == 1 else [json.loads(line) for line in lines]


def _settled(told: Any) -> Any:
    """Return an answer without what differs each time."""
    if isinstance(told, Mapping):
        moment = "2026-01-01T00:00:00.5Z"
        return {
            name: (moment if name.endswith("At") and value else _settled(value))
            for name, value in told.items()
            if name not in PASSING or name.endswith("At")
        }
    return [_settled(each) for each in told] if isinstance(told, list) else told


def _response(request: requests.PreparedRequest, exchange: Exchange) -> requests.Response:
    response = requests.Response()
    response.status_code, response.request, response.url = exchange["status"], request, str(request.url)
    response._content = json.dumps(exchange["told"]).encode()
    return response
