"""An endpoint in trouble is asked again, one that says no is not, and the key goes to nobody else."""

import time
from email.utils import formatdate
from typing import Any

import pytest

from contentbot.errors import ConfigError, ModelRefused, ModelUnavailable
from contentbot.summaries import Endpoint
from contentbot.summaries.endpoint import MAX_ANSWER
from contentbot.summaries.model import draft_schema
from tests.summaries.endpoint import ModelServer, Scripted, says

GOOD = says("{}")
BUSY = Scripted(b'{"error": "busy"}', 429)


def ask(server: ModelServer, *, pauses: list[float] | None = None, **options: Any) -> str:
    waited = [] if pauses is None else pauses
    endpoint = Endpoint(server.url, "mill-1", sleep=waited.append, **options)
    return endpoint.complete([{"role": "user", "content": "Hello"}], draft_schema()).text


def test_the_request_is_a_chat_completion_with_schema_and_key() -> None:
    with ModelServer(GOOD) as server:
        assert ask(server, key="secret-key") == "{}"
    (asked,) = server.asked
    assert (asked.path, asked.format) == ("/v1/chat/completions", "json_schema")
    assert asked.headers["authorization"] == "Bearer secret-key"
    assert asked.payload["model"] == "mill-1"
    assert asked.payload["response_format"]["json_schema"]["schema"] == draft_schema()


def test_without_a_key_none_is_sent() -> None:
    with ModelServer(GOOD) as server:
        ask(server)
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_an_endpoint_in_trouble_is_asked_again_after_longer_and_longer_pauses(status: int) -> None:
    pauses: list[float] = []
    with ModelServer(*[Scripted(b"", status)] * 3, GOOD) as server:
        assert ask(server, pauses=pauses) == "{}"
    assert pauses == [1, 2, 4]


@pytest.mark.parametrize(("in_words", "least", "most"), [(False, 7, 7), (True, 5, 30)], ids=["seconds", "date"])
def test_the_pause_that_it_asks_for_is_kept(in_words: bool, least: float, most: float) -> None:
    header = formatdate(time.time() + 30, usegmt=True) if in_words else "7"
    pauses: list[float] = []
    with ModelServer(Scripted(b"", 429, {"Retry-After": header}), GOOD) as server:
        ask(server, pauses=pauses)
    assert least <= pauses[0] <= most


def test_one_that_asks_for_too_long_a_pause_is_given_up_and_says_so() -> None:
    with (
        ModelServer(Scripted(b"", 429, {"Retry-After": "3600"})) as server,
        pytest.raises(ModelUnavailable, match="asks to wait 3600 s"),
    ):
        ask(server)
    assert len(server.asked) == 1


def test_one_that_stays_in_trouble_is_given_up() -> None:
    with ModelServer(BUSY) as server, pytest.raises(ModelUnavailable, match="it answers 429, 4 attempts"):
        ask(server)
    assert len(server.asked) == 4


@pytest.mark.parametrize("garbage", [Scripted(b"<html>gateway</html>"), Scripted(b"{}"), Scripted(b'{"choices": []}')])
def test_what_is_no_completion_is_asked_again(garbage: Scripted) -> None:
    with ModelServer(garbage, GOOD) as server:
        assert ask(server) == "{}"


def test_an_answer_that_breaks_off_is_asked_again() -> None:
    with ModelServer(Scripted(GOOD.body, cut=40), GOOD) as server:
        assert ask(server) == "{}"


def test_nobody_there_is_told_with_the_address() -> None:
    with ModelServer(GOOD) as server:
        pass
    with pytest.raises(ModelUnavailable, match="no answer") as caught:
        ask(server)
    assert server.url in str(caught.value)


def test_an_endpoint_that_drips_is_given_up() -> None:
    with ModelServer(Scripted(GOOD.body, drip=0.02)) as server, pytest.raises(ModelUnavailable, match="in time"):
        ask(server, timeout=0.2)


def test_an_answer_without_end_is_refused() -> None:
    with ModelServer(Scripted(b"x" * (MAX_ANSWER + 1))) as server, pytest.raises(ModelRefused, match="over 4 MiB"):
        ask(server)


def test_an_endpoint_without_schemas_is_asked_for_an_object_and_then_for_nothing() -> None:
    no = Scripted(b'{"error": "response_format is not supported"}', 400)
    with ModelServer(no, no, GOOD) as server:
        endpoint = Endpoint(server.url, "mill-1")
        for _ in range(2):
            endpoint.complete([{"role": "user", "content": "Hello"}], draft_schema())
    # it is remembered for the next answer
    assert [asked.format for asked in server.asked] == ["json_schema", "json_object", "", ""]


@pytest.mark.parametrize(("status", "hint"), [(401, "is CONTENTBOT_LLM_KEY right"), (403, "may the key"), (402, "402")])
def test_a_no_is_told_without_the_key(status: int, hint: str) -> None:
    with (
        ModelServer(Scripted(b"no: your key is secret-key", status)) as server,
        pytest.raises(ModelRefused, match=hint) as caught,
    ):
        ask(server, key="secret-key")
    assert len(server.asked) == 1
    assert "secret-key" not in str(caught.value)


def test_a_redirect_is_not_followed() -> None:
    with ModelServer(GOOD) as other, ModelServer(Scripted(b"", 307, {"Location": other.url})) as server:
        with pytest.raises(ModelRefused, match="307"):
            ask(server, key="secret-key")
        assert other.asked == []


@pytest.mark.parametrize(
    ("url", "model", "message"),
    [
        ("localhost:11434", "m", "CONTENTBOT_LLM_URL"),
        ("http://user:word@host/v1", "m", "CONTENTBOT_LLM_KEY"),
        ("http://host/v1", "", "CONTENTBOT_LLM_MODEL"),
    ],
)
def test_settings_that_name_no_model_are_refused_by_name(url: str, model: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Endpoint(url, model)


def test_the_key_is_in_no_representation() -> None:
    assert "secret-key" not in repr(Endpoint("http://host/v1", "m", "secret-key"))
