import logging
from pathlib import Path

import pytest

from contentbot.config import get_settings, project_root
from contentbot.errors import ConfigError

CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SOURCES_DIR", "DATA_DIR", "INDEX_URL", "INDEX_KEY", "LOG_LEVEL"):
        monkeypatch.delenv(f"CONTENTBOT_{name}", raising=False)


def test_folders_start_from_the_project_wherever_the_command_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").touch()
    (tmp_path / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "down")
    settings = get_settings()
    assert settings.sources_dir == tmp_path / "sources"
    assert settings.index_url == f"tantivy:{tmp_path / 'data' / 'index'}"


def test_outside_of_a_project_the_checkout_of_the_package_is_taken(tmp_path: Path) -> None:
    assert project_root(tmp_path) == CHECKOUT


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CONTENTBOT_SOURCES_DIR", str(tmp_path))
    monkeypatch.setenv("CONTENTBOT_DATA_DIR", "elsewhere")
    monkeypatch.setenv("CONTENTBOT_INDEX_URL", "")
    settings = get_settings()
    assert settings.sources_dir == tmp_path
    assert settings.data_dir == CHECKOUT / "elsewhere"
    assert settings.index_url == f"tantivy:{CHECKOUT / 'elsewhere' / 'index'}"


def test_a_secret_shows_in_no_print_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTBOT_INDEX_KEY", "hunter2")
    settings = get_settings()
    assert settings.index_key.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(settings) + str(settings.model_dump())


def test_a_wrong_value_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTBOT_LOG_LEVEL", "LOUD")
    with pytest.raises(ConfigError, match="CONTENTBOT_LOG_LEVEL"):
        get_settings()


def test_a_variable_that_no_setting_reads_is_warned_about(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CONTENTBOT_SOURCE_DIR", "/somewhere")
    with caplog.at_level(logging.WARNING):
        get_settings()
    assert "CONTENTBOT_SOURCE_DIR is no setting (did you mean CONTENTBOT_SOURCES_DIR?)" in caplog.text
