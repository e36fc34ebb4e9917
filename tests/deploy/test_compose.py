"""compose.yaml starts what there is, with settings that exist, and no more rights than needed."""

import re
from typing import Any

import pytest
from starlette.routing import Route

from contentbot.config import Settings
from contentbot.index import open_index
from mcp_server.__main__ import _parser
from mcp_server.health import health_routes
from mcp_server.settings import ServerSettings
from tests.deploy.files import ROOT, check_contentbot, compose, examples, services, variables

OURS = ("keys", "scheduler", "mcp")


def command(name: str) -> list[str]:
    return [str(word) for word in services()[name]["command"]]


def mounts(name: str) -> dict[str, str]:
    """Return where volumes are mounted, by their target; a volume's or folder's name, with `:ro` where it is so."""
    parts = [one.split(":") for one in services()[name]["volumes"]]
    return {target: ":".join([source, *more]) for source, target, *more in parts}


def test_engine_scheduler_and_server_are_there() -> None:
    assert {*services()} == {"meilisearch", *OURS}


@pytest.mark.parametrize("name", ["keys", "scheduler"])
def test_a_service_runs_a_command_that_exists(name: str) -> None:
    program, *words = command(name)
    assert program == "contentbot"
    check_contentbot(words)


def test_the_server_is_started_with_options_that_exist() -> None:
    assert command("mcp")[:3] == ["python", "-m", "mcp_server"]
    assert _parser().parse_args(command("mcp")[3:]).http


def test_every_setting_exists_and_can_be_used() -> None:
    known = {"CONTENTBOT_" + name.upper() for name in Settings.model_fields}
    known |= {"CONTENTBOT_MCP_" + name.upper() for name in ServerSettings.model_fields}
    for name in OURS:
        assert {*services()[name]["environment"]} <= known, name
    with open_index(services()["mcp"]["environment"]["CONTENTBOT_INDEX_URL"], read_only=True) as index:
        assert index is not None


def test_a_health_check_asks_for_what_is_served() -> None:
    with open_index("tantivy:/nowhere", read_only=True) as index:
        served = {route.path for route in health_routes(index, dict) if isinstance(route, Route)}
    asked = re.findall(r"127\.0\.0\.1:8000(/[\w/]+)", " ".join(services()["mcp"]["healthcheck"]["test"]))
    assert asked
    assert {*asked} <= served
    check_contentbot(services()["scheduler"]["healthcheck"]["test"][2:])
    assert services()["meilisearch"]["healthcheck"]["test"][-1].endswith("/health")
    assert services()["keys"]["healthcheck"] == {"disable": True}


def test_what_is_asked_for_health_is_python_that_runs() -> None:
    for check in (services()["mcp"]["healthcheck"]["test"], services()["scheduler"]["healthcheck"]["test"]):
        assert check[0] == "CMD"
    compile(services()["mcp"]["healthcheck"]["test"][-1], "health", "exec")


def test_images_are_pinned() -> None:
    assert re.fullmatch(r"getmeili/meilisearch:v\d+\.\d+\.\d+", services()["meilisearch"]["image"])
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert {services()[name]["image"] for name in OURS} == {f"contentbot:{version[1]}"}


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_no_rights_to_spare(name: str) -> None:
    service = services()[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in service  # the image's own, which is not root
    assert "privileged" not in service


def test_nobody_has_more_keys_than_it_needs() -> None:
    with_master = {name for name, one in services().items() if "MEILI_MASTER_KEY" in variables(one)}
    assert with_master == {"meilisearch", "keys"}
    assert mounts("scheduler")["/run/keys/write"] == "write-key:ro"
    assert mounts("mcp")["/run/keys/search"] == "search-key:ro"
    assert "/run/keys/search" not in mounts("scheduler")
    assert "/run/keys/write" not in mounts("mcp")
    for name in ("scheduler", "mcp"):
        file = services()[name]["environment"]["CONTENTBOT_INDEX_KEY_FILE"]
        assert file.rpartition("/")[0] in mounts(name)
        assert file in command("keys")


def test_the_server_writes_nothing_and_reads_what_the_crawler_writes() -> None:
    assert (mounts("scheduler")["/data"], mounts("mcp")["/data"]) == ("data", "data:ro")
    for name in ("scheduler", "mcp"):
        environment = services()[name]["environment"]
        assert mounts(name)[environment["CONTENTBOT_SOURCES_DIR"]] == "./sources:ro"
        assert environment["CONTENTBOT_DATA_DIR"] in mounts(name)


def test_only_the_server_can_be_reached_and_only_from_this_machine() -> None:
    published: dict[str, Any] = {name: one["ports"] for name, one in services().items() if "ports" in one}
    assert [*published] == ["mcp"]
    assert all(port.startswith("127.0.0.1:") for port in published["mcp"])
    assert compose()["networks"]["engine"] == {"internal": True}
    assert services()["meilisearch"]["networks"] == ["engine"]


def test_what_is_used_is_declared() -> None:
    used = {source for name in services() for source in mounts(name).values()}
    named = {one.partition(":")[0] for one in used if not one.startswith(".")}
    assert named == {*compose()["volumes"]}
    assert {each for one in services().values() for each in one["networks"]} == {*compose()["networks"]}
    waited_for = {
        (each, how["condition"]) for one in services().values() for each, how in one.get("depends_on", {}).items()
    }
    assert waited_for == {("meilisearch", "service_healthy"), ("keys", "service_completed_successfully")}


def test_the_example_of_the_settings_has_every_variable_with_its_default() -> None:
    read = variables(compose())
    assert {*examples()} == {*read}
    assert {name: value for name, value in examples().items() if read[name] is not None} == {
        name: default for name, default in read.items() if default is not None
    }
    assert examples()["MEILI_MASTER_KEY"] == ""
    assert "/.env" in (ROOT / ".gitignore").read_text().splitlines()
