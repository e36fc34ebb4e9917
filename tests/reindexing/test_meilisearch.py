"""The same rebuild on a server: always on a stand-in for it, and on the real engine where there is one."""

from collections.abc import Iterator

import pytest
from meilisearch import Client

from contentbot.access import PUBLIC
from contentbot.config import get_settings
from contentbot.index import open_index
from contentbot.index.meilisearch import store
from contentbot.index.query import SearchRequest
from contentbot.reindexing import Reindexed
from tests.conftest import Crawl
from tests.contract.conftest import meilisearch  # noqa: F401 - a fixture
from tests.engine.standin import StandIn
from tests.reindexing.conftest import Mill
from tests.site.server import Website
from tests.spiders.refreshing import publish

PATHS = ("/wheel", "/race", "/stones")


@pytest.fixture(params=["stand-in", "meilisearch"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server, with the key and the prefix in the environment."""
    if request.param == "meilisearch":
        real = request.getfixturevalue("meilisearch")
        monkeypatch.setenv("CONTENTBOT_INDEX_KEY", real.key)
        monkeypatch.setenv("CONTENTBOT_INDEX_PREFIX", "rebuilt_")
        real.drop("rebuilt_")
        yield real.url
        real.drop("rebuilt_")
        return
    with StandIn() as engine:
        yield engine.url


@pytest.fixture
def crawled(server: str, website: Website, crawl: Crawl, mill: Mill) -> Mill:
    publish(website, *PATHS)
    mill.index_url = server
    assert crawl({"CONTENTBOT_INDEX_URL": server}, sitemaps="/sitemap.xml").record.succeeded
    return mill


def rebuilt(mill: Mill, **how: object) -> Reindexed:
    return mill.rebuild(**how)  # type: ignore[arg-type]


def test_a_rebuild_swaps_and_leaves_one_index(crawled: Mill, crawl: Crawl) -> None:
    before = crawled.documents()
    done = rebuilt(crawled)
    assert [(one.made, one.copied, one.missing) for one in done.sources] == [(3, 0, 0)]
    assert (done.before, done.after == crawled.identity()) != ("", False)
    assert crawled.documents().keys() == before.keys()
    record = crawl({"CONTENTBOT_INDEX_URL": crawled.index_url}, sitemaps="/sitemap.xml").record
    assert (record.counts["unchanged"], record.counts.get("indexed", 0)) == (3, 0)


def test_documents_are_copied_from_the_server(crawled: Mill) -> None:
    before = crawled.documents()
    done = rebuilt(crawled, anew=frozenset())
    assert [(one.made, one.copied) for one in done.sources] == [(0, 3)]
    assert crawled.documents() == before


def test_an_index_of_another_schema_is_made_anew(crawled: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SCHEMA_VERSION", store.SCHEMA_VERSION + 1)
    done = rebuilt(crawled)
    assert [(one.made, one.copied, one.missing) for one in done.sources] == [(3, 0, 0)]
    assert len(crawled.documents()) == 3


def test_the_old_index_answers_until_the_swap(crawled: Mill) -> None:
    seen: list[tuple[str, int]] = []
    with open_index(crawled.index_url, read_only=True) as reader:

        def look(_progress: object) -> None:
            listed = reader.search(SearchRequest(""), principal=PUBLIC)
            seen.append((reader.settings().identity, listed.total))

        done = rebuilt(crawled, on_progress=look)
        look(None)
    assert [*dict.fromkeys(seen)] == [(done.before, 3), (done.after, 3)]


def test_what_was_filled_in_vain_is_deleted(crawled: Mill, server: str) -> None:
    identity = crawled.identity()

    def interrupt(_progress: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuilt(crawled, on_progress=interrupt)
    settings = get_settings()
    client = Client(server, settings.index_key.get_secret_value() or None)
    names = [one.uid for one in client.get_indexes({"limit": 1_000})["results"]]
    assert [name for name in names if name.startswith(f"{settings.index_prefix}content")] != []
    assert not [name for name in names if "_staged_" in name]
    assert crawled.identity() == identity
