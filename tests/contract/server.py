"""A real Meilisearch for the tests: one that answers already, or one that is started from the PATH.

CONTENTBOT_TEST_MEILI_URL   where one answers; what the tests write there is removed again
CONTENTBOT_TEST_MEILI_KEY   its master key, or one that may do everything
"""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import requests
from pydantic import SecretStr

from contentbot.index.meilisearch.connection import Connection

URL, KEY = "CONTENTBOT_TEST_MEILI_URL", "CONTENTBOT_TEST_MEILI_KEY"
PROGRAM = "meilisearch"
ABSENT = f"no Meilisearch to test with: none at {URL}, no program {PROGRAM!r} on the PATH"

_START_SECONDS = 60


@dataclass
class Server:
    """A server that answers, and the key that may do everything on it."""

    url: str
    key: str

    def connection(self) -> Connection:
        return Connection(self.url, SecretStr(self.key))

    def drop(self, prefix: str) -> None:
        """Delete every index of a prefix, staged ones included."""
        connection = self.connection()
        found = connection.ask(lambda client: client.get_indexes({"limit": 1_000}))["results"]
        connection.finish([connection.drop(index.uid) for index in found if index.uid.startswith(prefix)])
        connection.close()


@dataclass
class OwnServer(Server):
    """A server of the tests' own, which may be killed and started again on the same data."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="contentbot-meilisearch-")))
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        address = self.url.removeprefix("http://")
        # the engine sets up buffers by the memory that it may use, for every task: a second of work for much of it
        memory = ["--max-indexing-memory", "128MiB"]
        command = [PROGRAM, "--http-addr", address, "--db-path", str(self.folder / "data"), "--no-analytics", *memory]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=os.environ | {"MEILI_MASTER_KEY": self.key}, stdout=log, stderr=log
            )
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self.url):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2_000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill it without warning."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def remove(self) -> None:
        """Kill it and remove its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def own_server() -> OwnServer | None:
    """Start a server on a free port; None without a program."""
    if not shutil.which(PROGRAM):
        return None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = OwnServer(f"http://127.0.0.1:{port}", secrets.token_hex(16))
    try:
        server.start()
    except BaseException:
        server.remove()
        raise
    return server


def given_server() -> Server | None:
    """Return the server that the environment names."""
    url = os.environ.get(URL, "").rstrip("/")
    if not url:
        return None
    if not _answers(url):
        raise RuntimeError(f"no Meilisearch answers at {url}, which {URL} names")
    return Server(url, os.environ.get(KEY, ""))


def _answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/health", timeout=5).ok
    except requests.RequestException:
        return False
