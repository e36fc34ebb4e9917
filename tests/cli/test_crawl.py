import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contentbot.cli.crawl import failed_pages
from contentbot.crawling import Job, lanes
from contentbot.demo.server import demo_site, serve
from contentbot.runs import RunRecord, SkippedPage
from contentbot.sources.models import WebsiteSource
from tests.cli.conftest import call, environment_for

SOURCE = """\
id: barn
type: website
base-url: https://barn.example
sitemaps: /sitemap.xml
rate-limit: off
"""


def test_the_demo_site_is_crawled_and_everything_left_out_is_counted(
    crawled: tuple[Path, "subprocess.CompletedProcess[str]"],
) -> None:
    _, done = crawled
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["sources"]
    assert run["ok"]
    assert run["counts"]["indexed"] == 11
    assert {name: run["skipped"][name] for name in ("excluded", "http_404", "noindex")} == {
        "excluded": 1,
        "http_404": 1,
        "noindex": 1,
    }
    failed = {page["url"]: page["reason"] for page in run["failedPages"]}
    assert failed == {"https://demo.contentbot.example/news/2025/11/the-lost-ledger": "http_404"}


def test_a_person_gets_a_table_and_the_failed_pages_by_name(tmp_path: Path) -> None:
    with demo_site() as origin:
        done = call("crawl", "demo", "--base-url", origin, "--strict", environment=environment_for(tmp_path))
    assert done.returncode == 1  # strict: a single page failed
    assert "indexed" in done.stdout
    assert "the-lost-ledger: http_404" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_source_whose_sitemap_is_missing_fails_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "barn.yaml").write_text(SOURCE)
    (tmp_path / "site").mkdir()
    with serve(tmp_path / "site") as origin:
        done = call("crawl", "--base-url", origin, environment=environment_for(tmp_path, tmp_path / "sources"))
    assert done.returncode == 1
    assert "https://barn.example/sitemap.xml" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["crawl", "opne-elements"], "did you mean open-elements?"),
        (["crawl", "demo", "--rate-limit", "quick"], "--rate-limit: 'quick' is not a rate"),
        (["crawl", "demo", "--base-url", "ftp://nowhere"], "--base-url: "),
        (["crawl", "demo", "--prune-share", "2"], "--prune-share: "),
        (["crawl", "demo", "hiero", "--base-url", "http://127.0.0.1:9"], "--base-url goes with one source"),
        (["crawl", "demo", "--sped"], "--sped"),
    ],
)
def test_a_wrong_command_line_is_refused_before_any_request(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = call(*arguments, environment=environment_for(tmp_path))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_wrong_source_file_is_refused_before_any_request(tmp_path: Path) -> None:
    (tmp_path / "barn.yaml").write_text(SOURCE + "url-inlcude: /a\n")
    done = call("crawl", environment=environment_for(tmp_path / "data", tmp_path))
    assert done.returncode == 2
    assert "barn.yaml: url-inlcude: line 6: unknown key (did you mean url-include?)" in done.stderr


def test_an_index_address_that_names_no_engine_is_refused_before_any_request(tmp_path: Path) -> None:
    environment = environment_for(tmp_path) | {"CONTENTBOT_INDEX_URL": "tantivy:"}
    done = call("crawl", "demo", environment=environment)
    assert done.returncode == 2
    assert "index_url" in done.stderr


def source(name: str, base: str) -> WebsiteSource:
    return WebsiteSource.model_validate({"id": name, "type": "website", "base-url": base})


def test_sources_of_one_host_take_turns() -> None:
    mill, shop, barn = (
        source("a", "https://mill.example"),
        source("b", "https://www.mill.example/shop"),
        source("c", "https://barn.example"),
    )
    grouped = lanes([Job(mill), Job(barn), Job(shop)])
    assert [[job.source.id for job in lane] for lane in grouped] == [["a", "b"], ["c"]]


PAGE = (
    "<html lang=en><title>{0}</title><main><h1>{0}</h1><p>The {0} stands beside the barn, as it did in 1742.</p></main>"
)
LISTED = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{0}/{1}</loc></url></urlset>'


def test_all_enabled_sources_are_crawled_in_one_go_and_one_that_fails_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "sources").mkdir()
    with serve(tmp_path / "site") as origin, serve(tmp_path) as other:
        for name in ("oak", "elm"):
            (tmp_path / "site" / f"{name}.html").write_text(PAGE.format(name))
            (tmp_path / "site" / f"{name}.xml").write_text(LISTED.format(origin, name))
        for name, base, sitemap in (("oak", origin, "oak"), ("elm", origin, "elm"), ("ash", other, "missing")):
            text = f"id: {name}\ntype: website\nbase-url: {base}\nsitemaps: /{sitemap}.xml\nrate-limit: off\n"
            (tmp_path / "sources" / f"{name}.yaml").write_text(text)
        environment = environment_for(tmp_path / "data", tmp_path / "sources")
        done = call("crawl", "--json", environment=environment)
    assert done.returncode == 1
    runs = {run["source"]: run for run in json.loads(done.stdout)["sources"]}
    assert {name: run["counts"].get("indexed", 0) for name, run in runs.items()} == {"ash": 0, "elm": 1, "oak": 1}
    assert {name: run["ok"] for name, run in runs.items()} == {"ash": False, "elm": True, "oak": True}
    found = call("search", "1742", "--json", environment=environment)
    assert {hit["title"] for hit in json.loads(found.stdout)["hits"]} == {"oak", "elm"}


def test_a_limit_ends_a_crawl_early_and_that_is_no_failure(tmp_path: Path) -> None:
    with demo_site() as origin:
        arguments = ("crawl", "demo", "--base-url", origin, "--limit", "2", "--json")
        done = call(*arguments, environment=environment_for(tmp_path))
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["sources"]
    assert run["ok"]
    assert not run["discoveryComplete"]
    assert run["finishReason"] == "closespider_itemcount"


def test_a_page_that_its_site_or_its_source_leaves_out_counts_as_no_failure() -> None:
    now = datetime.now(UTC)
    reasons = ("excluded", "noindex", "canonical_offsite", "http_500", "empty_text")
    pages = [SkippedPage(url=f"https://mill.example/{reason}", reason=reason) for reason in reasons]
    record = RunRecord(
        source="mill",
        started=now,
        finished=now,
        finish_reason="finished",
        discovery_complete=True,
        skipped_pages=pages,
    )
    assert [page.reason for page in failed_pages(record)] == ["http_500", "empty_text"]


def test_a_data_folder_that_cannot_be_written_is_refused_before_any_request(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    done = call("crawl", "demo", environment=environment_for(tmp_path / "data"))
    assert done.returncode == 2
    assert "CONTENTBOT_DATA_DIR" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_state_that_cannot_be_opened_is_told_in_one_line_before_any_request(tmp_path: Path) -> None:
    (tmp_path / "state.db").mkdir()
    with demo_site() as origin:
        done = call("crawl", "demo", "--base-url", origin, "--json", environment=environment_for(tmp_path))
    (source,) = json.loads(done.stdout)["sources"]
    assert source["finishReason"] == "start_failed"
    assert "unable to open database file" in source["error"]
    assert "Traceback" not in done.stderr
