import pytest

from contentbot.errors import EngineUnavailable
from contentbot.index import open_index
from mcp_server.configured import ConfiguredSources
from mcp_server.health import readiness
from tests.mcp_server.library import document


def test_a_server_whose_sources_are_all_filled_is_ready(index):
    state = readiness(index, lambda: {"mill": "The mill", "guide": ""})

    assert state == {
        "ready": True,
        "reasons": [],
        "sources": [
            {"id": "guide", "state": "ready", "documents": 1},
            {"id": "mill", "state": "ready", "documents": 13},
        ],
    }


def test_an_empty_index_is_not_ready_even_where_no_source_is_set_up(tmp_path):
    with open_index(f"tantivy:{tmp_path}") as empty:
        state = readiness(empty, dict)
        assert state["ready"] is False
        assert "contentbot crawl" in state["reasons"][0]

        empty.upsert([document("wheel", "The wheel", "The wheel turns.")])
        assert readiness(empty, dict)["ready"] is True


def test_an_index_that_cannot_be_read_is_not_ready_and_says_why(index, monkeypatch):
    def unavailable(*_args, **_others):
        raise EngineUnavailable("the lock is held")

    monkeypatch.setattr(type(index), "overview", unavailable)

    assert readiness(index, dict) == {"ready": False, "reasons": ["the lock is held"], "sources": []}


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_only_enabled_sources_are_listed_and_a_broken_folder_is_logged_once(tmp_path, caplog, enabled):
    file = tmp_path / "mill.yaml"
    file.write_text(f"id: mill\ntitle: The mill\ntype: website\nenabled: {enabled}\nbase-url: https://mill.example\n")
    listed = ConfiguredSources(tmp_path)
    assert listed() == ({"mill": "The mill"} if enabled == "true" else {})

    file.write_text("id: mill\ntype: website\nbase-urll: https://mill.example\n")
    assert listed() == listed() == {}
    assert caplog.text.count("base-urll") == 1
