import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from contentbot.index import Index, open_index
from mcp_server.server import build_server
from tests.mcp_server.library import library

ROOT = Path(__file__).parents[2]
LISTED = {"mill": "The mill", "guide": "The guide", "attic": "The attic"}
SOURCE_FILE = "id: {id}\ntitle: {title}\ntype: website\nbase-url: https://{id}.example\n"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def home(tmp_path_factory) -> Path:
    """A folder with a filled index and three source files, one of which was never crawled."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "sources").mkdir()
    for name, title in LISTED.items():
        (folder / "sources" / f"{name}.yaml").write_text(SOURCE_FILE.format(id=name, title=title), encoding="utf-8")
    with open_index(address(folder)) as index:
        index.upsert(library())
    return folder


def address(folder: Path) -> str:
    return f"tantivy:{folder / 'index'}"


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "CONTENTBOT_INDEX_URL": address(folder),
        "CONTENTBOT_DATA_DIR": str(folder / "data"),
        "CONTENTBOT_SOURCES_DIR": str(folder / "sources"),
        **more,
    }


@pytest.fixture(scope="session")
def index(home) -> Iterator[Index]:
    with open_index(address(home), read_only=True) as opened:
        yield opened


class HttpServer:
    """`python -m mcp_server --http` in a process of its own."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mcp_server", "--http", "--port", "0", *options],
            cwd=ROOT,
            env=environment(folder, **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log: list[str] = []
        self.url = self._listening()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _listening(self) -> str:
        for line in self.process.stderr:
            self.log.append(line)
            if match := re.search(r"MCP endpoint: (\S+)", line):
                return match[1]
        raise AssertionError(f"the server did not start: {''.join(self.log)}")

    def _read(self) -> None:
        self.log.extend(self.process.stderr)

    def __enter__(self) -> "HttpServer":
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(timeout=30)
        self._reader.join(timeout=30)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture(scope="session")
def http_server(home) -> Iterator[HttpServer]:
    names = ("--allowed-host", "docs.mill.example", "--allowed-origin", "https://app.mill.example")
    with HttpServer(home, *names) as server:
        yield server


def stdio(folder: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "mcp_server"], cwd=str(ROOT), env=environment(folder)
    )


@pytest.fixture(scope="module", params=["memory", "handshake", "http", "stdio"])
async def client(request, home, index) -> AsyncIterator[Client]:
    """A connected client: in memory in both protocol eras, over HTTP and over stdio to other processes."""
    kind = request.param
    if kind == "http":
        target = request.getfixturevalue("http_server").url
    elif kind == "stdio":
        target = stdio(home)
    else:
        target = build_server(index, listed=lambda: LISTED)
    async with Client(target, mode="legacy" if kind == "handshake" else "auto") as connected:
        yield connected


@pytest.fixture(scope="module")
async def memory(index) -> AsyncIterator[Client]:
    """A client in memory, where the transport is not the point."""
    async with Client(build_server(index, listed=lambda: LISTED)) as connected:
        yield connected
