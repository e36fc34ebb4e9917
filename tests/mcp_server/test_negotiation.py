import pytest

from mcp_server.endpoint import prefers_stream


@pytest.mark.parametrize(
    "accept",
    [
        "",
        "*/*",
        "application/json",
        "application/json, text/event-stream",
        "text/event-stream, application/json",
        "application/*",
        "text/html",
        "application/json;q=1, text/event-stream;q=0.5",
        "text/event-stream;q=oops, application/json",
    ],
)
def test_json_answers_whoever_can_read_it(accept):
    assert not prefers_stream(accept)


def test_where_progress_is_told_whoever_can_read_a_stream_gets_one():
    assert prefers_stream("application/json, text/event-stream", tells_progress=True)
    assert not prefers_stream("application/json, text/event-stream;q=0.5", tells_progress=True)
    assert not any(prefers_stream(accept, tells_progress=True) for accept in ("", "*/*", "application/json"))


@pytest.mark.parametrize(
    "accept", ["text/event-stream", "TEXT/Event-Stream; q=0.9", "text/*", "text/event-stream, application/json;q=0.1"]
)
def test_a_stream_answers_whoever_asks_for_one(accept):
    assert prefers_stream(accept)
