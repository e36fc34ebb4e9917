"""A real scrapyd runs what scrapyd-deploy hands it: spiders, extraction and the source files come out of the egg."""

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentbot.access import PUBLIC
from contentbot.index import open_index
from contentbot.scheduling import Entry
from contentbot.scheduling.written import crontab, scrapyd_conf
from contentbot.sources.cron import Cron
from tests.scheduling.server import SOURCE, Scrapyd, checkout, eventually
from tests.site.server import Answer, Asked, Website, article

BARN = Entry("barn", Cron("15 4 * * 0"), frozenset(), None)


@pytest.fixture(scope="module")
def scrapyd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    """A scrapyd with a deployed project, whose checkout is gone."""
    folder = tmp_path_factory.mktemp("scrapyd")
    with Scrapyd(folder, scrapyd_conf([BARN])) as server:
        project = checkout(folder, "barn", "mill")
        assert '"status": "ok"' in server.deploy(project)
        shutil.rmtree(project)
        yield server


@pytest.fixture
def site(website: Website) -> Website:
    """A site of two pages."""
    website.sitemap("/sitemap.xml", "/wheel", "/weir")
    website.page("/wheel")
    website.page("/weir")
    return website


class Gate:
    """A page that is not answered until the gate is open."""

    def __init__(self, site: Website) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        site.answer("/weir", self._answer)

    def _answer(self, _: Asked) -> Answer:
        self.reached.set()
        self.opened.wait(60)
        return Answer(article("/weir").encode())


def titles(server: Scrapyd, source: str) -> set[str]:
    with open_index(f"tantivy:{server.data / 'index'}", read_only=True) as index:
        return {document.title for document in index.export(source, principal=PUBLIC)}


def test_a_deployed_egg_finds_its_sources_and_crawls_them_without_the_checkout(scrapyd: Scrapyd, site: Website) -> None:
    assert scrapyd.ask("listspiders.json?project=contentbot")["spiders"] == ["barn", "mill"]

    scrapyd.finish(job := scrapyd.schedule("mill", base_url=site.origin))

    (run,) = scrapyd.runs("mill")
    assert run.finish_reason == "finished", scrapyd.log_of("mill", job)
    assert run.counts["indexed"] == 2
    assert titles(scrapyd, "mill") == {"/wheel", "/weir"}


def test_source_files_that_are_configured_win_over_those_of_the_egg(scrapyd: Scrapyd, tmp_path: Path) -> None:
    assert scrapyd.run("list") == "barn\nmill\n"
    (tmp_path / "shed.yaml").write_text(SOURCE.format(name="shed"))
    assert scrapyd.run("list", CONTENTBOT_SOURCES_DIR=str(tmp_path)) == "shed\n"


def test_a_second_job_of_a_source_ends_at_once_and_says_who_crawls_it(scrapyd: Scrapyd, site: Website) -> None:
    gate = Gate(site)
    before = len(scrapyd.runs("mill"))
    first = scrapyd.schedule("mill", base_url=site.origin)
    eventually(gate.reached.is_set)

    scrapyd.finish(second := scrapyd.schedule("mill", base_url=site.origin))
    assert "is being crawled by process" in scrapyd.log_of("mill", second)
    assert "Traceback" not in scrapyd.log_of("mill", second)
    assert f"Process died: exitstatus=1 project='contentbot' spider='mill' job='{second}'" in scrapyd.said()

    gate.opened.set()
    scrapyd.finish(first)
    assert len(scrapyd.runs("mill")) == before + 1
    assert scrapyd.runs("mill")[0].succeeded


def test_no_job_runs_beside_the_orphan_of_a_killed_server(scrapyd: Scrapyd, site: Website) -> None:
    gate = Gate(site)
    before = len(scrapyd.runs("mill"))
    scrapyd.schedule("mill", base_url=site.origin)
    eventually(gate.reached.is_set)

    scrapyd.kill()
    scrapyd.start()
    scrapyd.finish(beside := scrapyd.schedule("mill", base_url=site.origin))
    assert "is being crawled by process" in scrapyd.log_of("mill", beside)

    gate.opened.set()
    eventually(lambda: scrapyd.runs("mill")[0].succeeded)
    scrapyd.finish(scrapyd.schedule("mill", base_url=site.origin))
    assert len(scrapyd.runs("mill")) == before + 2
    assert scrapyd.runs("mill")[0].counts["unchanged"] == 2


def test_what_is_written_for_scrapyd_is_begun_by_its_launcher(scrapyd: Scrapyd) -> None:
    scrapyd.kill()
    (scrapyd.folder / "at-once").touch()
    scrapyd.start()
    assert "Scrapyduler launcher" in scrapyd.said()
    eventually(lambda: "barn" in scrapyd.jobs("running", "finished").values())


@pytest.mark.skipif(not shutil.which("curl"), reason="no curl here: install it to run the line that cron would run")
def test_what_is_written_for_cron_asks_scrapyd_for_a_crawl(scrapyd: Scrapyd) -> None:
    line = crontab([BARN], f"http://localhost:{scrapyd.port}").splitlines()[-1]
    command = line.removeprefix("15 4 * * 0 ")
    asked = subprocess.run(
        ["sh", "-c", command], env=scrapyd.environment(), capture_output=True, text=True, check=True, timeout=60
    )
    job = json.loads(asked.stdout)["jobid"]
    assert eventually(lambda: scrapyd.jobs("pending", "running", "finished").get(job)) == "barn"
