import json
import shlex
from pathlib import Path

from contentbot.cli.connecting import claude_command, client_config
from tests.cli.conftest import ROOT, call, environment_for

CONNECTED = {"CONTENTBOT_INDEX_URL": "tantivy:/my data/index"}


def test_the_demo_goes_from_a_served_site_to_an_answer_over_mcp(tmp_path: Path) -> None:
    # the user's own source files do not matter to it, not even when there are none
    done = call("demo", "--json", environment=environment_for(tmp_path, tmp_path / "nowhere"))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["documents"]) == 11
    assert told["documents"][0]["title"] == "Mühlentag: die Steine drehen sich"
    assert "search_content" in told["tools"]
    first = told["answer"]["hits"][0]
    assert first["url"] == "https://demo.contentbot.example/news/2025/09/measuring-the-race"
    assert "Traceback" not in done.stderr


def test_the_demo_tells_a_person_how_to_connect_an_agent(tmp_path: Path) -> None:
    done = call("demo", "--query", "Roggenbrot", environment=environment_for(tmp_path))
    assert done.returncode == 0, done.stderr
    for part in ("Mehltypen, kurz erklärt", "“Roggenbrot”", '"mcpServers"', "claude mcp add", "--http"):
        assert part in done.stdout


def test_the_demos_source_file_is_the_one_among_the_sources() -> None:
    shipped = ROOT / "sources" / "demo.yaml"
    assert (ROOT / "contentbot" / "demo" / "demo.yaml").read_bytes() == shipped.read_bytes()


def test_what_is_pasted_carries_the_environment() -> None:
    server = json.loads(client_config(CONNECTED))["mcpServers"]["contentbot"]
    assert server["env"] == CONNECTED
    assert server["args"] == ["-m", "mcp_server"]
    words = shlex.split(claude_command(CONNECTED))
    assert words[:4] == ["claude", "mcp", "add", "contentbot"]
    assert "CONTENTBOT_INDEX_URL=tantivy:/my data/index" in words
