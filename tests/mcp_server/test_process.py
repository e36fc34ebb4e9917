"""The server as a process: what it prints, what it loads, and how it starts and ends."""

import json
import signal
import subprocess
import sys

import pytest
from mcp import Client

from contentbot.documents import ContentDocument
from contentbot.index import open_index
from tests.mcp_server.conftest import ROOT, address, environment, stdio
from tests.mcp_server.library import document

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "probe", "version": "1"},
    },
}
WRONG = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_post", "arguments": {}}}


def start(folder, *options: str, **variables: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "mcp_server", *options],
        cwd=ROOT,
        env=environment(folder, **variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(*messages: dict) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


def test_stdout_carries_the_protocol_and_nothing_else_and_every_call_is_answered_before_the_end(home):
    process = start(home, CONTENTBOT_MCP_LOG_LEVEL="DEBUG")

    out, err = process.communicate(lines(HELLO, WRONG), timeout=60)

    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, 2]
    assert process.returncode == 0
    assert "get_post needs the id or the url" in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_that_waits_for_input(home, number):
    process = start(home)
    process.stdin.write(lines(HELLO))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1

    process.send_signal(number)

    assert process.wait(timeout=30) == 0
    out, err = process.communicate()
    assert out == ""
    assert "Traceback" not in err


def test_the_server_loads_neither_the_crawler_nor_the_extraction():
    code = (
        "import sys, mcp_server.__main__\n"
        "heavy = ('scrapy', 'twisted', 'trafilatura', 'htmldate', 'dateparser')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("variables", "options", "words"),
    [
        ({"CONTENTBOT_MCP_PORT": "many"}, ["--http"], "CONTENTBOT_MCP_PORT"),
        ({"CONTENTBOT_INDEX_URL": "tantivy:"}, [], "index_url"),
    ],
)
def test_a_setting_that_cannot_be_used_ends_the_start_with_its_name(tmp_path, variables, options, words):
    process = start(tmp_path, *options, **variables)

    out, err = process.communicate(timeout=60)

    assert (process.returncode, out) == (1, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.anyio
async def test_a_server_started_before_the_first_crawl_says_so_and_sees_its_documents_without_a_restart(tmp_path):
    async with Client(stdio(tmp_path)) as client:
        empty = await client.call_tool("search_content", {"query": "wheel"})
        assert not empty.is_error
        assert "`contentbot crawl`" in empty.content[0].text
        assert "`contentbot crawl`" in (await client.call_tool("list_categories", {})).content[0].text
        assert "`contentbot crawl`" in (await client.call_tool("list_posts", {"source": "x"})).content[0].text
        missing = await client.call_tool("get_post", {"id": "mill:wheel"})
        assert missing.is_error
        assert "`contentbot crawl`" in missing.content[0].text

        write(tmp_path, document("wheel", "The wheel", "The first wheel is of oak."))
        assert await snippet(client) == "The first **wheel** is of oak."

        write(tmp_path, document("wheel", "The wheel", "The second wheel is of elm."))
        assert await snippet(client) == "The second **wheel** is of elm."


def write(folder, written: ContentDocument) -> None:
    """Index a document in another process than the server's, as a crawl does."""
    code = (
        "import sys\n"
        "from contentbot.documents import ContentDocument\n"
        "from contentbot.index import open_index\n"
        "with open_index(sys.argv[1]) as index:\n"
        "    index.upsert([ContentDocument.model_validate_json(sys.stdin.read())])\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, address(folder)], cwd=ROOT, input=written.model_dump_json(), text=True, check=True
    )


async def snippet(client: Client) -> str:
    result = await client.call_tool("search_content", {"query": "wheel"})
    (hit,) = result.structured_content["hits"]
    return hit["snippet"]


def test_an_index_is_open_for_reading_while_another_process_writes(tmp_path):
    with open_index(address(tmp_path)) as writer:
        writer.upsert([document("wheel", "The wheel", "The wheel is of oak.")])
        process = start(tmp_path)
        out, _ = process.communicate(lines(HELLO), timeout=60)

    assert json.loads(out)["id"] == 1
