"""The image: its steps, and that what they install is whole and works without the checkout."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest

from tests.deploy.files import ROOT, dockerfile

EXPECTED = {
    "contentbot/state/migrations/env.py",
    "contentbot/state/migrations/versions/0001_pages_and_runs.py",
    "contentbot/declared/open-elements.yaml",
    "contentbot/demo/site/index.html",
    "contentbot/py.typed",
    "mcp_server/__main__.py",
}


def test_it_is_built_in_stages_from_a_pinned_python() -> None:
    stages = [what for word, what in dockerfile() if word == "FROM"]
    assert len(stages) == 2
    assert all(re.match(r"python:3\.\d+-slim-\w+( AS \w+)?$", stage) for stage in stages)


def test_it_runs_as_a_user_without_rights() -> None:
    steps = dockerfile()
    last = max(at for at, (word, _) in enumerate(steps) if word == "FROM")
    users = [what for word, what in steps[last:] if word == "USER"]
    assert users == ["10001"]
    assert any("useradd" in what and "--uid 10001" in what for word, what in steps[last:] if word == "RUN")
    after = steps[[word for word, _ in steps].index("USER") :]
    assert not any(word in {"RUN", "COPY", "ADD"} for word, _ in after)


def test_it_holds_no_secret_and_no_build_tool_of_its_own() -> None:
    text = " ".join(what for _, what in dockerfile())
    assert not re.search(r"(?i)(key|token|password)=", text)
    assert "apt-get" not in text


def test_what_is_copied_is_in_the_build_context() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        word for kind, what in dockerfile() if kind == "COPY" and "--from" not in what for word in what.split()[:-1]
    }
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_its_folders_are_those_that_the_services_mount() -> None:
    text = (ROOT / "Dockerfile").read_text()
    for folder in ("/srv/sources", "/data", "/run/keys/search", "/run/keys/write"):
        assert folder in text


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as the image does, but from a copy, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("contentbot", "mcp_server", "sources"):
        kept = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / "src" / name, symlinks=True, ignore=kept)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "src" / name)
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(folder)]
    subprocess.run([*build, str(folder / "src")], check=True, capture_output=True, text=True)
    return next(folder.glob("contentbot-*.whl"))


def test_the_wheel_is_whole(wheel: Path) -> None:
    names = {*zipfile.ZipFile(wheel).namelist()}
    assert names >= EXPECTED
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "contentbot", "--version"], "contentbot 0.1.0"),
        (["-m", "contentbot", "sources", "list"], "open-elements"),
        (["-m", "contentbot", "schedule", "--list", "--json"], '"source": "open-elements"'),
        (["-m", "contentbot", "reindex", "--json"], '"ok": true'),
        (["-m", "mcp_server", "--help"], "--allow-write-key"),
    ],
)
def test_what_is_installed_works_without_the_checkout(wheel: Path, tmp_path: Path, words: list[str], said: str) -> None:
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CONTENTBOT_")},
        "PYTHONPATH": str(installed),
        "CONTENTBOT_DATA_DIR": str(tmp_path / "data"),
        "CONTENTBOT_SOURCES_DIR": str(installed / "contentbot" / "declared"),
    }
    code = "import contentbot; print(contentbot.__file__)"
    run = partial(subprocess.run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    where = run([sys.executable, "-c", code])
    assert where.stdout.startswith(str(installed))
    done = run([sys.executable, *words])
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
