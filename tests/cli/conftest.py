import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from contentbot.demo.server import demo_site

ROOT = Path(__file__).parents[2]
Command = Callable[..., subprocess.CompletedProcess[str]]


def call(*arguments: str, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run the real command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "contentbot", *arguments],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def environment_for(folder: Path, sources: Path = ROOT / "sources") -> dict[str, str]:
    return {
        "CONTENTBOT_SOURCES_DIR": str(sources),
        "CONTENTBOT_DATA_DIR": str(folder),
        "CONTENTBOT_INDEX_URL": f"tantivy:{folder / 'index'}",
        "PYTHONWARNINGS": "default",
    }


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """Crawl the demo site by the real command; gives the data folder, and what the command said."""
    folder = tmp_path_factory.mktemp("data")
    with demo_site() as origin:
        done = call("crawl", "demo", "--base-url", origin, "--json", environment=environment_for(folder))
    return folder, done


@pytest.fixture
def indexed(crawled: tuple[Path, object], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the settings of this process at the crawled demo site."""
    for name, value in environment_for(crawled[0]).items():
        monkeypatch.setenv(name, value)
    return crawled[0]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the settings of this process at an index that nobody has written to."""
    for name, value in environment_for(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path
