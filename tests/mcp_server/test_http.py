"""The HTTP endpoint byte by byte: what clients, browsers, proxies and probes send, sloppy or hostile."""

import http.client
import json
import signal
from urllib.parse import urlsplit

import pytest
from mcp import Client

from tests.mcp_server.conftest import HttpServer

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
CALL = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "get_post", "arguments": {"id": "mill:posts/rye"}},
}
JSON = {"Content-Type": "application/json"}


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()

    @property
    def media(self) -> str:
        return self.headers.get_content_type()

    @property
    def message(self) -> dict:
        """The JSON-RPC message of the body, whichever form it has."""
        data = [line[5:] for line in self.text.splitlines() if line.startswith("data:")]
        return json.loads("".join(data) or self.text)


def send(server: HttpServer, method: str = "POST", path: str = "/mcp", body=PING, **headers: str) -> Answer:
    """Send one request with exactly these headers (underscores are hyphens); Host is the server's unless given."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host="Host" in given, skip_accept_encoding=True)
    payload = body if isinstance(body, bytes) else json.dumps(body).encode() if method == "POST" else b""
    for name, value in {**(JSON if method == "POST" else {}), **given, "Content-Length": str(len(payload))}.items():
        connection.putheader(name, value)
    connection.endheaders(payload)
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_the_path_answer_without_a_redirect(http_server, path):
    assert send(http_server, path=path).status == 200


@pytest.mark.parametrize(
    "accept", ["application/json, text/event-stream", "application/json", "*/*", "application/*", "text/html", "junk"]
)
def test_json_is_the_answer_to_whoever_can_read_it_or_says_nothing_useful(http_server, accept):
    answer = send(http_server, body=CALL, Accept=accept)

    assert (answer.status, answer.media) == (200, "application/json")
    assert answer.message["result"]["structuredContent"]["id"] == "mill:posts/rye"


def test_no_accept_header_at_all_is_answered_too(http_server):
    assert send(http_server).message == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("accept", ["text/event-stream", "text/event-stream;q=1, application/json;q=0.2", "text/*"])
def test_an_event_stream_is_the_answer_to_whoever_asks_for_one(http_server, accept):
    answer = send(http_server, body=CALL, Accept=accept)

    assert (answer.status, answer.media) == (200, "text/event-stream")
    assert answer.message["id"] == 7
    assert answer.message["result"]["structuredContent"]["id"] == "mill:posts/rye"


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_revision_with_a_handshake_is_spoken(http_server, revision):
    hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}}

    answer = send(http_server, body={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})

    assert answer.message["result"]["protocolVersion"] == revision
    assert "Mcp-Session-Id" not in answer.headers
    assert send(http_server, body=CALL, **{"MCP-Protocol-Version": revision}).message["result"]["isError"] is False


@pytest.mark.anyio
async def test_the_revision_without_a_handshake_is_spoken(http_server):
    async with Client(http_server.url, mode="2026-07-28") as client:
        result = await client.call_tool("get_post", {"id": "mill:posts/rye"})

    assert result.structured_content["id"] == "mill:posts/rye"


def test_a_session_id_of_an_earlier_life_of_the_server_does_no_harm(http_server):
    answer = send(http_server, body=CALL, **{"Mcp-Session-Id": "0123456789abcdef"})

    assert answer.message["result"]["isError"] is False


def test_a_notification_is_taken_without_an_answer(http_server):
    answer = send(http_server, body={"jsonrpc": "2.0", "method": "notifications/initialized"})

    assert (answer.status, answer.text) == (202, "")


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{not json", 400), (b"[]", 400), (b'{"jsonrpc": "2.0"}', 400), (b"\xff\xfe", 400), (b"", 400)],
)
def test_what_is_no_message_is_refused_as_json_rpc(http_server, body, status):
    answer = send(http_server, body=body)

    assert answer.status == status
    assert answer.message["error"]["code"] in (-32700, -32600, -32602)


def test_a_body_over_the_cap_is_refused(http_server):
    assert send(http_server, body=b" " * (2 << 20)).status == 413


def test_a_person_with_a_browser_gets_a_hint_and_no_error(http_server):
    answer = send(http_server, "GET", Accept="text/html,application/xhtml+xml,*/*;q=0.8")

    assert (answer.status, answer.media) == (200, "text/plain")
    assert f"claude mcp add --transport http contentbot {http_server.url}" in answer.text


@pytest.mark.parametrize("accept", ["text/event-stream", "text/html, text/event-stream", "*/*", "application/json"])
def test_a_client_that_asks_for_a_stream_to_listen_on_never_gets_a_page(http_server, accept):
    answer = send(http_server, "GET", Accept=accept)

    assert (answer.status, answer.headers["Allow"], answer.text) == (405, "POST", "")


def test_there_is_no_session_to_delete(http_server):
    assert send(http_server, "DELETE").status == 405


@pytest.mark.parametrize("host", ["docs.mill.example", "docs.mill.example:443", "localhost", "127.0.0.1:1"])
def test_a_host_that_is_listed_or_this_machine_is_served(http_server, host):
    assert send(http_server, Host=host).status == 200


@pytest.mark.parametrize("host", ["evil.example", "docs.mill.example.evil.example", ""])
def test_another_host_is_refused_and_the_log_names_the_setting(http_server, host):
    answer = send(http_server, Host=host)

    assert answer.status == 421
    assert "CONTENTBOT_MCP_ALLOWED_HOSTS" in answer.message["error"]["message"]
    assert any("421" in line and repr(host) in line and "ALLOWED_HOSTS" in line for line in http_server.log)


def test_a_page_of_another_origin_is_refused(http_server):
    answer = send(http_server, Origin="https://evil.example")

    assert answer.status == 403
    assert "CONTENTBOT_MCP_ALLOWED_ORIGINS" in answer.message["error"]["message"]
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "origin",
    ["https://app.mill.example", "https://docs.mill.example", "http://localhost:6274", "http://127.0.0.1:5173"],
)
def test_a_page_that_may_call_can_ask_first_and_read_the_protocols_headers(http_server, origin):
    asked = send(
        http_server,
        "OPTIONS",
        Origin=origin,
        **{
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type, mcp-protocol-version, mcp-session-id, authorization",
        },
    )
    answer = send(http_server, Origin=origin)

    assert asked.status == 200
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert "mcp-protocol-version" in asked.headers["Access-Control-Allow-Headers"]
    assert answer.headers["Access-Control-Allow-Origin"] in (origin, "*")
    assert "Mcp-Session-Id" in answer.headers["Access-Control-Expose-Headers"]


def test_a_page_that_may_not_call_is_told_so_when_it_asks(http_server):
    asked = send(http_server, "OPTIONS", Origin="https://evil.example", **{"Access-Control-Request-Method": "POST"})

    assert asked.status == 400
    assert "Access-Control-Allow-Origin" not in asked.headers


def test_the_process_lives_while_a_source_is_still_empty(http_server):
    live = send(http_server, "GET", "/health/live")
    ready = send(http_server, "GET", "/health/ready")
    both = send(http_server, "GET", "/health")

    assert (live.status, live.message["live"]) == (200, True)
    assert (ready.status, ready.message["ready"]) == (503, False)
    assert ready.message["reasons"] == ["source attic is empty: run `contentbot crawl attic`"]
    assert {one["id"]: one["state"] for one in ready.message["sources"]} == {
        "attic": "empty",
        "guide": "ready",
        "mill": "ready",
    }
    assert (both.status, both.message["live"], both.message["ready"]) == (200, True, False)


def test_probes_reach_health_under_any_host(http_server):
    assert send(http_server, "GET", "/health/live", Host="10.0.0.7:8000").status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_order(home, number):
    with HttpServer(home) as server:
        assert send(server).status == 200

        server.process.send_signal(number)

        assert server.process.wait(timeout=30) == 0
        assert server.process.stdout.read() == ""
    assert not any("Traceback" in line for line in server.log)
