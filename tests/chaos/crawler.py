"""The real command in a process of its own, which can be ended at any moment; and a look at what it left behind."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from contentbot.access import PUBLIC
from contentbot.config import state_file
from contentbot.index import open_index
from contentbot.index.query import SearchRequest
from contentbot.runs import RunRecord
from contentbot.state import PageStatus, open_state
from contentbot.state.locks import lock_all
from contentbot.state.outbox import Outbox
from tests.chaos.town import Town

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
_SOURCE = "id: town\ntype: website\nbase-url: {origin}\nsitemaps: /sitemap.xml\nrate-limit: off\n"
_SETTINGS = {
    "CONTENTBOT_BATCH_DOCUMENTS": "4",
    "CONTENTBOT_EXTRACT_WORKERS": "1",
    "CONTENTBOT_BACKOFF_SECONDS": "0.01",
    "RETRY_TIMES": "1",
}


@dataclass
class Place:
    """Where one town is crawled to: everything is below one folder, state and index perhaps elsewhere.

    An engine that only stands in for one is not searched.
    """

    town: Town
    folder: Path
    database_url: str = ""
    server: str = ""
    searchable: bool = True
    survivors: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "sources").mkdir(parents=True, exist_ok=True)
        (self.folder / "sources" / "town.yaml").write_text(_SOURCE.format(origin=self.town.site.origin))

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    @property
    def index_url(self) -> str:
        """The index."""
        return self.server or f"tantivy:{self.data / 'index'}"

    @property
    def state_url(self) -> str:
        """The state database."""
        return self.database_url or state_file(self.data)

    def environment(self) -> dict[str, str]:
        """What the command finds its place by."""
        return {
            **os.environ,
            "CONTENTBOT_SOURCES_DIR": str(self.folder / "sources"),
            "CONTENTBOT_DATA_DIR": str(self.data),
            "CONTENTBOT_INDEX_URL": self.index_url,
            "CONTENTBOT_DATABASE_URL": self.database_url,
        }

    def start(self, *more: str) -> "subprocess.Popen[bytes]":
        """Begin a crawl."""
        settings = [word for name, value in _SETTINGS.items() for word in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "town", *settings, *more]
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=ROOT, env=self.environment(), stdout=log, stderr=log)

    def crawl(self, *more: str) -> RunRecord:
        """Crawl to the end, and return the record of the run."""
        self.start(*more).wait(PATIENCE)
        with open_state(self.state_url) as state:
            return state.runs.latest("town", 1)[0]

    def texts(self) -> dict[str, str]:
        """What the index holds: the text of each document by its URL."""
        with open_index(self.index_url, read_only=True) as index:
            return {document.url: document.plain_text for document in index.export("town", principal=PUBLIC)}

    def log(self) -> str:
        """What the last crawl said."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def is_writing(self) -> bool:
        """Say whether a process is writing a batch into the index now."""
        try:
            node = (self.data / "index" / "write.lock").stat().st_ino
        except FileNotFoundError:
            return False
        # asked of the kernel: to try the lock would be to hold it
        held = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        return any(line.split()[1] == "FLOCK" and line.split()[5].endswith(f":{node}") for line in held)

    def problems(self) -> list[str]:
        """Compare everything that is kept with the town; empty when all of it is right."""
        truth = self.town.truth()
        with open_index(self.index_url, read_only=True) as index:
            stored = list(index.export("town", principal=PUBLIC))
            keys = index.keys("town")
            query = SearchRequest("painted" if self.searchable else "", limit=1)
            found = index.search(query, principal=PUBLIC).total
            identity = index.settings().identity
        texts = {document.url: document.plain_text for document in stored}
        wrong = [f"missing: {url}" for url in truth.keys() - texts.keys()]
        wrong += [f"not deleted: {url}" for url in texts.keys() - truth.keys()]
        wrong += [
            f"stale: {url}: {texts[url]!r}" for url in truth.keys() & texts.keys() if truth[url] not in texts[url]
        ]
        if not len(stored) == len(texts) == len(keys) == found:
            wrong.append(f"duplicates: {len(stored)} documents, {len(texts)} URLs, {len(keys)} keys, {found} found")
        with open_state(self.state_url) as state:
            pages = list(state.pages.with_document("town"))
            last = state.runs.latest("town", 1)[0]
        hashes = {document.key: document.content_hash for document in stored}
        if {page.document_key for page in pages} != keys:
            wrong.append(f"the state knows {len(pages)} pages with documents, the index has {len(keys)}")
        wrong += [
            f"state: {page}"
            for page in pages
            if (page.status, page.index_identity, page.content_hash)
            != (PageStatus.INDEXED, identity, hashes.get(page.document_key))
        ]
        wrong += [] if last.succeeded else [f"the run ended {last.finish_reason}: {last.error}"]
        lock_all(self.data / "locks", ["town", self.town.site.origin.partition("//")[2]]).close()
        outbox = Outbox(self.data / "outbox.db")
        wrong += [f"in the outbox: {len(outbox)}"] if len(outbox) or outbox.set_aside() else []
        outbox.close()
        return sorted(wrong)


def kill(process: "subprocess.Popen[bytes]", place: Place) -> tuple[bool, bool]:
    """End a process by SIGKILL; say whether it was alive until then, and whether it was writing to the index.

    Notes how long the processes that it had started were still there.
    """
    if process.poll() is not None:
        return False, False
    process.send_signal(signal.SIGSTOP)
    started = psutil.Process(process.pid).children(recursive=True)
    writing = place.is_writing()
    process.kill()
    process.wait(PATIENCE)
    begin = time.monotonic()
    _, alive = psutil.wait_procs(started, timeout=PATIENCE)
    if started:
        place.survivors.append(time.monotonic() - begin)
    assert not alive, "processes of a crawl that was killed are still there"
    return process.returncode == -signal.SIGKILL, writing
