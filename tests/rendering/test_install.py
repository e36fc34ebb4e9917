"""What is missing for rendering is named, with the ways to get it."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from contentbot.errors import ConfigError
from contentbot.rendering.install import executable, flags, require


def test_the_browser_that_is_named_is_taken(tmp_path: Path) -> None:
    program = tmp_path / "my-chromium"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert executable(str(program)) == str(program)
    with pytest.raises(ConfigError, match="CONTENTBOT_BROWSER"):
        executable(str(tmp_path / "none"))


def test_a_machine_without_a_browser_is_told_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        executable()


def test_a_missing_package_names_package_and_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match="pip install") as caught:
        require()
    assert "apt-get install" in str(caught.value)


@pytest.mark.parametrize("user", [0, 1000])
def test_only_root_goes_without_the_sandbox(monkeypatch: pytest.MonkeyPatch, user: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--no-sandbox" in flags()) == (user == 0)
    assert "--disable-background-networking" in flags()
