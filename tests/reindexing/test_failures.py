"""Whatever happens to a rebuild, what is searched stays as it was."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from contentbot.documents import ContentDocument
from contentbot.errors import AlreadyRunning, EngineRefused, EngineUnavailable, RebuildFailed
from contentbot.index import Index
from contentbot.reindexing import filling
from contentbot.runs import RUNNING, RunRecord
from contentbot.state.locks import Lock
from tests.chaos.unfinished import Failing
from tests.conftest import Crawl
from tests.reindexing.conftest import Mill
from tests.site.server import Website
from tests.spiders.refreshing import publish

PATHS = ("/a", "/b", "/c", "/d")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "BATCH", 2)


@pytest.fixture
def crawled(website: Website, crawl: Crawl, mill: Mill) -> Mill:
    publish(website, *PATHS)
    crawl(sitemaps="/sitemap.xml")
    return mill


class Staging(Failing):
    """An index whose staging index is under a fault."""

    fault: Any = None

    def staging(self) -> Any:
        return StagedUnder(self.index.staging(), self.fault)

    def swap(self, staged: Any) -> None:
        self.index.swap(staged.index)


class StagedUnder(Failing):
    def __init__(self, index: Index, fault: Any) -> None:
        super().__init__(index)
        self.fault, self.batches = fault, 0

    def __enter__(self) -> "StagedUnder":
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def upsert(self, documents: Sequence[ContentDocument]) -> None:
        self.batches += 1
        self.fault(self.batches, documents)
        self.index.upsert(documents)


def under(fault: Any) -> Any:
    return type("Faulty", (Staging,), {"fault": staticmethod(fault)})


def goes_away(batch: int, _documents: Sequence[ContentDocument]) -> None:
    if batch == 2:
        raise EngineUnavailable("no answer from the engine")


def test_an_engine_that_goes_away_in_the_middle_leaves_everything_as_it_was(crawled: Mill, crawl: Crawl) -> None:
    documents, pages, identity = crawled.documents(), crawled.pages(), crawled.identity()
    with pytest.raises(EngineUnavailable, match="no answer"):
        crawled.rebuild(index=under(goes_away))
    assert (crawled.documents(), crawled.pages(), crawled.identity()) == (documents, pages, identity)
    assert not (crawled.data / "reindex").exists()
    folder = Path(crawled.index_url.removeprefix("tantivy:"))
    assert [one.name for one in folder.iterdir() if one.is_dir()] == [identity]
    assert crawl(sitemaps="/sitemap.xml").record.counts["unchanged"] == 4


def test_what_a_failed_rebuild_left_goes_with_the_next_one(crawled: Mill) -> None:
    with pytest.raises(EngineUnavailable):
        crawled.rebuild(index=under(goes_away))
    (crawled.data / "reindex").mkdir()
    (crawled.data / "reindex" / "notes.db").write_bytes(b"torn")
    crawled.rebuild()
    folder = Path(crawled.index_url.removeprefix("tantivy:"))
    assert [one.name for one in folder.iterdir() if one.is_dir()] == [crawled.identity()]
    assert len(crawled.documents()) == 4


def refuses_b(_batch: int, documents: Sequence[ContentDocument]) -> None:
    if any(one.path == "/b" for one in documents):
        raise EngineRefused("not liked")


def refuses_new_b(_batch: int, documents: Sequence[ContentDocument]) -> None:
    if any(one.path == "/b" and one.extractor != "before" for one in documents):
        raise EngineRefused("not liked")


def test_a_document_that_would_be_lost_stops_the_rebuild(crawled: Mill) -> None:
    identity = crawled.identity()
    with pytest.raises(RebuildFailed, match=r"/b: the engine refuses what it had until now.*not liked"):
        crawled.rebuild(index=under(refuses_b))
    assert crawled.identity() == identity


def test_a_new_document_that_is_refused_leaves_the_old_one_in_place(crawled: Mill) -> None:
    with crawled.index() as index:
        index.upsert([crawled.documents()["/b"].model_copy(update={"extractor": "before"})])
    (source,) = crawled.rebuild(index=under(refuses_new_b)).sources
    assert (source.made, source.copied) == (3, 1)
    assert [*source.refused.values()] == ["not liked"]
    assert crawled.documents()["/b"].extractor == "before"


def test_a_source_that_is_being_crawled_is_waited_for(crawled: Mill) -> None:
    with Lock(crawled.data / "locks", "mill"), pytest.raises(AlreadyRunning, match="mill is being crawled by process"):
        crawled.rebuild()


def test_no_crawl_begins_while_the_index_is_rebuilt(crawled: Mill) -> None:
    said = []

    def crawl_now(_progress: object) -> None:
        with pytest.raises(AlreadyRunning) as refused:
            Lock(crawled.data / "locks", "mill").__enter__()
        said.append(str(refused.value))

    crawled.rebuild(on_progress=crawl_now)
    assert "mill is being reindexed by process" in said[0]


def test_the_old_index_answers_until_the_swap(crawled: Mill) -> None:
    seen = []
    crawled.rebuild(on_progress=lambda _: seen.append((crawled.identity(), len(crawled.documents()))))
    assert len(seen) > 1
    assert set(seen) == {(seen[0][0], 4)}
    assert crawled.identity() != seen[0][0]


def test_what_was_crawled_elsewhere_meanwhile_is_not_swapped_away(crawled: Mill) -> None:
    identity = crawled.identity()

    def another_machine_begins(_progress: object) -> None:
        now = datetime.now(UTC)
        record = RunRecord(id="barn-1", source="barn", started=now, finish_reason=RUNNING, discovery_complete=False)
        with crawled.state() as state:
            state.runs.put(record)

    with pytest.raises(AlreadyRunning, match="barn was crawled while the index was rebuilt"):
        crawled.rebuild(on_progress=another_machine_begins)
    assert crawled.identity() == identity
