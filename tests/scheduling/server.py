"""A real scrapyd on loopback, in a folder of its own."""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from contentbot.config import state_file
from contentbot.runs import RunRecord
from contentbot.state import open_state

ROOT = Path(__file__).parents[2]
NAME, PASSWORD = "miller", "grain"
# nothing listens there: a crawl needs the address of a copy
SOURCE = "id: {name}\ntype: website\nbase-url: http://127.0.0.1:9\nsitemaps: /sitemap.xml\nrate-limit: off\n"
# the launcher of scrapyduler, but what is scheduled is due as soon as the server has started, where a test wants it
LAUNCHER = """\
from datetime import datetime, timezone
from pathlib import Path

from scrapyduler.launcher import Launcher


class Impatient(Launcher):
    def startService(self):
        super().startService()
        for job in self._scheduler.get_jobs() if Path("at-once").exists() else ():
            job.modify(next_run_time=datetime.now(timezone.utc))
"""

T = TypeVar("T")


def eventually(ask: Callable[[], T | None], seconds: float = 240) -> T:
    """Return the first answer that is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := ask():
            return answer
        time.sleep(0.2)
    raise AssertionError("it did not happen in time")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Scrapyd:
    """The server of a test; its configuration is the example that ships, with what a test needs changed.

    Args:
        schedules: sections for the launcher of scrapyduler.
    """

    def __init__(self, folder: Path, schedules: str) -> None:
        self.folder, self.data, self.port = folder / "server", folder / "data", free_port()
        self.folder.mkdir()
        conf = (ROOT / "docs" / "scrapyd.conf").read_text(encoding="utf-8")
        given = {"http_port": self.port, "username": NAME, "password": PASSWORD, "poll_interval": 0.1}
        for key, value in given.items():
            conf, count = re.subn(rf"^{key} *=.*$", f"{key} = {value}", conf, flags=re.MULTILINE)
            assert count == 1, key
        conf = conf.replace("# launcher     = scrapyduler.launcher.Launcher", "launcher = impatient.Impatient")
        (self.folder / "impatient.py").write_text(LAUNCHER, encoding="utf-8")
        (self.folder / "scrapyd.conf").write_text(f"{conf}\n{schedules}", encoding="utf-8")
        (self.folder / ".netrc").write_text(f"machine localhost login {NAME} password {PASSWORD}\n", encoding="utf-8")
        (self.folder / ".netrc").chmod(0o600)
        self.log = self.folder / "scrapyd.log"
        self.process = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the server and wait until it answers."""
        words = [sys.executable, "-m", "scrapyd"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, cwd=self.folder, env=self.environment(), stdout=log, stderr=log)
        eventually(self._answers)
        return self.process

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables of the server, in which nothing leads to this checkout."""
        # the egg has its byte code, so that a job does not compile it
        left_out = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
        inherited = {name: value for name, value in os.environ.items() if name not in left_out}
        return {**inherited, "CONTENTBOT_DATA_DIR": str(self.data), "HOME": str(self.folder), "TZ": "UTC", **more}

    def run(self, *words: str, **variables: str) -> str:
        """Run a command of Scrapy in the deployed project as the server does, and return what it prints."""
        environment = self.environment(SCRAPY_PROJECT="contentbot", **variables)
        command = [sys.executable, "-m", "scrapyd.runner", *words]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            return bool(self.ask("daemonstatus.json")["status"] == "ok")
        except OSError:
            return False

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the server, and every crawl that it left behind."""
        for pid in {self.process.pid, *self.crawls()}:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(timeout=30)

    def crawls(self) -> set[int]:
        """Return the processes of this server's crawls, also those of a server that was killed."""
        started = {int(pid) for pid in re.findall(r"Process started:.*? pid=(\d+)", self.said())}
        return {pid for pid in started if _folder(pid) == str(self.folder)}

    def ask(self, call: str, **data: str) -> Any:
        """Call the API: with data it is a POST."""
        secret = base64.b64encode(f"{NAME}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{call}",
            urllib.parse.urlencode(data).encode() if data else None,
            {"Authorization": f"Basic {secret}"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def deploy(self, project: Path) -> str:
        """Run scrapyd-deploy in a checkout, with the target that ships but for its port; ~/.netrc has the password."""
        cfg = project / "scrapy.cfg"
        target = f"url = http://localhost:{self.port}/"
        text, count = re.subn(r"^url = http://localhost:6800/$", target, cfg.read_text(), flags=re.MULTILINE)
        assert count == 1
        cfg.write_text(text)
        deploy = Path(sys.executable).with_name("scrapyd-deploy")
        environment = self.environment()
        done = subprocess.run(
            [deploy], cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def schedule(self, spider: str, **arguments: str) -> str:
        """Ask for a crawl, and return the job."""
        setting = "CONTENTBOT_EXTRACT_WORKERS=1"
        job: str = self.ask("schedule.json", project="contentbot", spider=spider, setting=setting, **arguments)["jobid"]
        return job

    def jobs(self, *states: str) -> dict[str, str]:
        """Return the spider of every job that is in one of these states, `pending`, `running` or `finished`."""
        found = self.ask("listjobs.json?project=contentbot")
        return {one["id"]: one["spider"] for state in states for one in found[state]}

    def finish(self, job: str) -> None:
        """Wait until a job has ended."""
        eventually(lambda: job in self.jobs("finished"))

    def kill(self) -> None:
        """End the server as a crash would."""
        self.process.kill()
        self.process.wait(timeout=30)

    def log_of(self, spider: str, job: str) -> str:
        file = self.folder / "logs" / "contentbot" / spider / f"{job}.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def runs(self, source: str) -> list[RunRecord]:
        """Return the history of a source, newest first."""
        with open_state(state_file(self.data)) as state:
            return state.runs.latest(source)


def _folder(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:  # it has ended
        return ""


def checkout(folder: Path, *names: str) -> Path:
    """Return a copy of this checkout with source files of its own."""
    project = folder / "checkout"
    for package in ("contentbot", "mcp_server"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, project / package, symlinks=True, ignore=ignored)
    for file in ("pyproject.toml", "scrapy.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, project / file)
    (project / "sources").mkdir()
    for name in names:
        (project / "sources" / f"{name}.yaml").write_text(SOURCE.format(name=name))
    return project
