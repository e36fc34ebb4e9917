"""A language model behind an OpenAI-compatible endpoint: one request, one answer, with patience and with limits.

Spoken is `POST …/chat/completions` as OpenAI, vLLM, Ollama, llama.cpp and most gateways have it. The answer's form is
asked for as `json_schema`; an endpoint that knows no such thing is asked for a JSON object, and then for nothing.
"""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from contentbot.errors import ConfigError, ModelError, ModelRefused, ModelUnavailable
from contentbot.summaries.prompt import Message as ChatMessage

logger = logging.getLogger(__name__)

ATTEMPTS = 4  # requests for one answer, where the endpoint is in trouble
LONGEST_PAUSE = 60.0  # seconds; an endpoint that asks for more is given up
MAX_ANSWER = 4 << 20  # bytes
_AGAIN = frozenset({408, 429, 500, 502, 503, 504, 529})
_NO_SUCH_FORMAT = frozenset({400, 404, 415, 422, 501})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said; `complete` is false where it was cut off."""

    text: str
    model: str = ""
    complete: bool = True


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str) -> None:
        """Follow none: the key is for the configured address only."""


_opener = build_opener(_NoRedirects)


@dataclass
class Endpoint:
    """An endpoint, and what it was found to understand.

    Args:
        url: its base, such as `http://127.0.0.1:11434/v1`, or the whole address of `chat/completions`.
        model: the model's name there.
        key: sent as bearer token; empty for none.
        timeout: seconds for one answer, from the first byte sent to the last one read.
        sleep: waits between two attempts.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    _formats: list[str] = field(default_factory=lambda: ["json_schema", "json_object", ""])

    def __post_init__(self) -> None:
        """Refuse what is no address of an endpoint.

        Raises:
            ConfigError: names the setting.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise ConfigError(
                f"{self.url!r} is no web address", key="CONTENTBOT_LLM_URL", hint="such as http://127.0.0.1:11434/v1"
            )
        if "@" in parts.netloc:
            raise ConfigError(
                "it holds credentials", key="CONTENTBOT_LLM_URL", hint="put the key into CONTENTBOT_LLM_KEY"
            )
        if not self.model:
            raise ConfigError("is empty", key="CONTENTBOT_LLM_MODEL", hint="the name of a model that the endpoint has")
        if not self.url.rstrip("/").endswith("/chat/completions"):
            self.url = f"{self.url.rstrip('/')}/chat/completions"

    def complete(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Reply:
        """Ask for one answer.

        Raises:
            ModelUnavailable: no usable answer, after several attempts where they made sense.
            ModelRefused: the endpoint, or the model, said no.
        """
        while True:
            try:
                return self._patiently({"model": self.model, "messages": list(messages), **self._format(schema)})
            except _Refused as error:
                if error.status not in _NO_SUCH_FORMAT or len(self._formats) == 1:
                    raise ModelRefused(str(error)) from error
                logger.info("%s refused response_format %s", self.url, self._formats.pop(0))

    def _format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        match self._formats[0]:
            case "json_schema":
                named = {"name": "summary", "strict": True, "schema": schema}
                return {"response_format": {"type": "json_schema", "json_schema": named}}
            case "json_object":
                return {"response_format": {"type": "json_object"}}
        return {}

    def _patiently(self, payload: Mapping[str, Any]) -> Reply:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return _reply(self._ask(payload))
            except _Again as error:
                pause = error.pause or 2.0 ** (attempt - 1)
                if attempt == ATTEMPTS or pause > LONGEST_PAUSE:
                    wait = f"; it asks to wait {pause:.0f} s" if error.pause else ""
                    raise ModelUnavailable(f"{self.url}: {error}, {attempt} attempts{wait}") from error
                logger.info("%s: %s, again in %.0f s", self.url, error, pause)
                self.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _ask(self, payload: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "contentbot"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(self.url, json.dumps(payload).encode(), headers, method="POST")  # noqa: S310 - http(s), checked above
        until = time.monotonic() + self.timeout
        try:
            with closing(_opener.open(request, timeout=self.timeout)) as answer:
                return b"".join(_read(answer, until))
        except HTTPError as error:
            with closing(error):
                raise self._problem(error) from None
        except (URLError, HTTPException, OSError) as error:
            raise _Again(f"no answer: {getattr(error, 'reason', '') or error or type(error).__name__}") from error

    def _problem(self, error: HTTPError) -> "_Again | _Refused":
        said = _without(error.read(2_000).decode("utf-8", "replace"), self.key)
        if error.code in _AGAIN:
            return _Again(f"it answers {error.code}", _retry_after(error.headers))
        hint = {401: " (is CONTENTBOT_LLM_KEY right?)", 403: " (may the key use this model?)"}.get(error.code, "")
        return _Refused(f"{self.url} answers {error.code}{hint}: {' '.join(said.split())[:300]}", error.code)


class _Again(ModelError):
    """An attempt that failed for now; `pause` is what the endpoint asks for, 0 where it does not."""

    def __init__(self, problem: str, pause: float = 0.0) -> None:
        self.pause = pause
        super().__init__(problem)


class _Refused(ModelError):
    """An answer that says no."""

    def __init__(self, problem: str, status: int) -> None:
        self.status = status
        super().__init__(problem)


def _read(answer: IO[bytes], until: float) -> Iterator[bytes]:
    """Yield the body; a chunk at a time, so that an endpoint that drips cannot hold on for ever."""
    total = 0
    while piece := answer.read1(1 << 16):  # type: ignore[attr-defined]  # an HTTPResponse has it
        total += len(piece)
        if total > MAX_ANSWER:
            raise ModelRefused(f"an answer of over {MAX_ANSWER >> 20} MiB")
        yield piece
        if time.monotonic() > until:
            raise _Again("it did not come to an end in time")


def _reply(body: bytes) -> Reply:
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        content = message.get("content")
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
        reason, refusal = choice.get("finish_reason") or "stop", message.get("refusal")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise _Again("its answer is no chat completion, or ends in the middle") from error
    if refusal or reason == "content_filter":
        raise ModelRefused(f"the model refuses: {str(refusal or 'filtered')[:300]}")
    return Reply(text, str(answer.get("model") or ""), complete=reason != "length")


def _retry_after(headers: Message) -> float:
    """Return the seconds of a Retry-After header (RFC 9110, 10.2.3); 0 where there is none."""
    said = (headers.get("Retry-After") or "").strip()
    if said.replace(".", "", 1).isdigit():
        return float(said)
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return 0.0


def _without(text: str, secret: str) -> str:
    return text.replace(secret, "***") if secret else text
