"""What only a server does: keys with few rights, a restart, compounds, settings that stay as they are."""

import secrets
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from contentbot.access import PUBLIC
from contentbot.documents import ContentDocument
from contentbot.errors import EngineRefused, EngineUnavailable, NotFound
from contentbot.index import Index, open_index
from contentbot.index.query import EVERYTHING, FACET_FIELDS, Equals, SearchRequest, Sort
from contentbot.sources.languages import Languages
from tests.contract.documents import document
from tests.contract.server import OwnServer, Server, own_server
from tests.contract.test_search import marked, names, search

PREFIX = "alone_"


@pytest.fixture
def prefix(meilisearch: Server) -> Iterator[str]:
    name = f"test{secrets.token_hex(6)}_"
    yield name
    meilisearch.drop(name)


def opened(server: Server, prefix: str, **more: object) -> Index:
    key = SecretStr(server.key)
    return open_index(server.url, **{"key": key, "prefix": prefix, "languages": Languages(), **more})  # type: ignore[arg-type]


def search_key(server: Server, prefix: str) -> SecretStr:
    options = {"actions": ["search"], "indexes": [f"{prefix}content_*"], "expiresAt": None}
    return SecretStr(server.connection().ask(lambda client: client.create_key(options)).key)


def test_a_key_that_may_only_search_is_enough_to_read(meilisearch: Server, prefix: str) -> None:
    page = document("page", "A page", "the wheel", categories=["Wood"], published_date="2024-01-01")
    with opened(meilisearch, prefix) as writer:
        writer.upsert([page])
    with opened(meilisearch, prefix, key=search_key(meilisearch, prefix), read_only=True) as reader:
        assert names(search(reader, "wheel", facets=FACET_FIELDS)) == ["page"]
        assert names(search(reader, "wheel", sort=Sort.OLDEST)) == ["page"]
        assert reader.get(page.id, principal=PUBLIC) == page
        assert reader.require("category", "wood", principal=PUBLIC) == "Wood"
        assert [one.source for one in reader.overview(principal=PUBLIC)] == ["mill"]
        assert reader.settings().identity
        with pytest.raises(NotFound) as raised:
            reader.get("mill:pgae", principal=PUBLIC)
        assert raised.value.near == ("mill:page",)


def test_an_index_that_was_made_in_half_takes_documents(meilisearch: Server, prefix: str) -> None:
    connection = meilisearch.connection()
    for name in ("content_documents", "content_chunks"):  # as an engine leaves them that is killed while it makes them
        connection.finish([connection.ask(lambda client, name=name: client.create_index(f"{prefix}{name}"))])
    with opened(meilisearch, prefix) as index:
        index.upsert([document("page", "A page", "the wheel")])
        assert names(search(index, "wheel")) == ["page"]


def test_a_key_that_may_only_search_is_refused_a_write_by_the_engine(meilisearch: Server, prefix: str) -> None:
    key = search_key(meilisearch, prefix)
    with (
        opened(meilisearch, prefix, key=key) as index,
        pytest.raises(EngineRefused, match="CONTENTBOT_INDEX_KEY") as no,
    ):
        index.upsert([document("page")])
    assert key.get_secret_value() not in str(no.value)


def test_a_wrong_key_is_refused_and_not_shown(meilisearch: Server, prefix: str) -> None:
    if not meilisearch.key:
        pytest.skip("the server takes any key")
    key = SecretStr("wrong-key")
    with opened(meilisearch, prefix, key=key) as index, pytest.raises(EngineRefused, match="INDEX_KEY") as raised:
        search(index, "wheel")
    assert "wrong-key" not in str(raised.value)


def test_settings_are_applied_once_and_again_only_where_they_differ(meilisearch: Server, prefix: str) -> None:
    def changes() -> int:
        path = f"tasks?types=settingsUpdate&limit=1000&indexUids={prefix}content_documents,{prefix}content_chunks"
        return int(meilisearch.connection().ask(lambda client: client.http.get(path))["total"])

    for _ in range(2):
        with opened(meilisearch, prefix) as index:
            index.upsert([document("page")])
        assert changes() == 2
    connection = meilisearch.connection()
    task = connection.ask(lambda client: client.index(f"{prefix}content_chunks").update_settings({"searchCutoffMs": 5}))
    connection.finish([task])
    with opened(meilisearch, prefix, languages=Languages(synonyms={"de": {"kfz": frozenset({"auto"})}})) as index:
        index.upsert([document("auto", body="Ein Auto.", locale="de")])
        assert names(search(index, "kfz ")) == ["auto"]
    assert changes() == 5


def test_wiping_one_of_the_indexes_changes_the_identity(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert([document("page")])
        first = index.settings().identity
        connection = meilisearch.connection()
        for name in ("content_chunks", "content_documents"):
            wipe = connection.ask(lambda client, name=name: client.index(prefix + name).delete_all_documents())
            connection.finish([wipe])
            assert index.settings().identity == ""
            index.upsert([document("page")])
            second = index.settings().identity
            assert second not in {first, ""}
            first = second


def test_an_index_of_another_schema_is_refused_with_the_way_out(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert([document("page")])
        connection = meilisearch.connection()
        for name, key in (("content_documents", "key"), ("content_chunks", "id")):
            record = f'{{"{key}": "identity", "identity": "x", "schemaVersion": 99}}\n'.encode()
            connection.finish([connection.add(prefix + name, record, key)])
        with pytest.raises(EngineRefused, match=r"schema 99.*contentbot reindex"):
            index.upsert([document("page")])


def test_german_compounds_are_found_by_their_parts(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert(
            [
                document("rad", "Technik", "Das Wasserrad der alten Mühle dreht sich seit vielen Jahren.", locale="de"),
                document("other", "Anderes", "Hier geht es um ganz andere Dinge als dort.", locale="de"),
            ]
        )
        found = search(index, "Rad ", locale="de")
        assert names(found) == ["rad"]
        assert marked(found) == ["Wasserrad"]


def test_words_past_the_tenth_add_documents_and_a_notice_says_so(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert([document("rare", body="only a zyzzogeton"), document("common", body="mill water")])
        found = search(index, "mill water alder birch cedar elder hazel larch maple olive zyzzogeton ")
        assert sorted(names(found)) == ["common", "rare"]
        assert "first 10 words" in found.notices[0]


def test_a_swap_leaves_only_the_two_indexes(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert([document("old")])
        staged = index.staging()
        staged.upsert([document("new")])
        index.swap(staged)
        staged.upsert([document("newer")])
        assert index.keys("mill") == {document("new").key, document("newer").key}
    found = meilisearch.connection().ask(lambda client: client.get_indexes({"limit": 1_000}))["results"]
    assert sorted(one.uid for one in found if one.uid.startswith(prefix)) == [
        f"{prefix}content_chunks",
        f"{prefix}content_documents",
    ]


def test_a_failed_filling_leaves_the_old_index_alone(meilisearch: Server, prefix: str) -> None:
    with opened(meilisearch, prefix) as index:
        index.upsert([document("old", body="wheel")])
        staged = index.staging()
        connection = meilisearch.connection()
        with pytest.raises(EngineRefused, match="invalid_document_id"):
            connection.finish([connection.add(staged._backend._names.documents, b'{"key": "a b"}\n', "key")])  # type: ignore[attr-defined]
        assert names(search(index, "wheel ")) == ["old"]


@pytest.fixture
def alone() -> Iterator[OwnServer]:
    """A server that nobody else uses."""
    server = own_server()
    if server is None:
        pytest.skip("no program `meilisearch` on the PATH to kill and start again")
    yield server
    server.remove()


def test_a_killed_server_is_unavailable_and_has_everything_when_it_is_back(alone: OwnServer) -> None:
    pages: list[ContentDocument] = [document(f"p{number}", body="wheel") for number in range(200)]
    with opened(alone, PREFIX) as index:
        index.upsert(pages)
        identity = index.settings().identity
        alone.kill()
        with pytest.raises(EngineUnavailable, match="is Meilisearch running there"):
            index.search(SearchRequest("wheel"), principal=PUBLIC)
        with pytest.raises(EngineUnavailable):
            index.upsert(pages)
        alone.start()
        assert index.settings().identity == identity
        assert search(index, "wheel ").total == 200
        assert index._backend.count(EVERYTHING) == len(index.keys("mill")) == 200
        assert names(search(index, "", filter=Equals("key", pages[7].key))) == ["p7"]
