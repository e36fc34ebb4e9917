import logging

import pytest

from contentbot.errors import ConfigError
from mcp_server.settings import server_settings


def test_lists_are_written_with_commas_in_the_environment(monkeypatch):
    monkeypatch.setenv("CONTENTBOT_MCP_ALLOWED_HOSTS", "docs.mill.example, mill.example:8443")

    assert server_settings().allowed_hosts == ["docs.mill.example", "mill.example:8443"]


def test_an_option_goes_before_the_environment_and_an_empty_variable_is_none(monkeypatch):
    monkeypatch.setenv("CONTENTBOT_MCP_PORT", "9000")
    monkeypatch.setenv("CONTENTBOT_MCP_HOST", "")

    assert (server_settings(port=9001).port, server_settings().port, server_settings().host) == (
        9001,
        9000,
        "127.0.0.1",
    )


def test_a_value_that_cannot_be_used_names_its_variable(monkeypatch):
    monkeypatch.setenv("CONTENTBOT_MCP_MAX_BODY_BYTES", "-1")

    with pytest.raises(ConfigError, match="CONTENTBOT_MCP_MAX_BODY_BYTES"):
        server_settings()


def test_a_variable_that_no_setting_reads_is_warned_about(monkeypatch, caplog):
    monkeypatch.setenv("CONTENTBOT_MCP_ALLOWED_HOST", "docs.mill.example")

    with caplog.at_level(logging.WARNING):
        server_settings()

    assert "CONTENTBOT_MCP_ALLOWED_HOST is no setting (did you mean CONTENTBOT_MCP_ALLOWED_HOSTS?)" in caplog.text
