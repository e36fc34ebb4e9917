"""Opening an index on a server: where it is, and what its indexes are called."""

import pytest
from pydantic import SecretStr

from contentbot.errors import ConfigError
from contentbot.index import open_index
from contentbot.index.meilisearch.address import Names, server_address

AWAY = "http://127.0.0.1:9"


def test_opening_asks_nobody() -> None:
    with open_index(AWAY, key=SecretStr("hidden")) as index:
        assert "hidden" not in repr(vars(index._backend._connection))


@pytest.mark.parametrize("url", ["http://user:secret@host:7700", "https://secret@host", "http://:secret@host/"])
def test_credentials_in_the_address_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match="CONTENTBOT_INDEX_KEY") as raised:
        open_index(url)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("url", ["http://", "http:///path", "https://host?key=secret", "http://host#x"])
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="http://localhost:7700") as raised:
        open_index(url)
    assert "secret" not in str(raised.value)


def test_an_address_may_have_a_path_and_loses_its_last_slash() -> None:
    assert server_address("https://search.example/meili/") == "https://search.example/meili"


def test_a_prefix_stands_before_both_names() -> None:
    names = Names.live("team-a_")
    assert names == Names("team-a_content_documents", "team-a_content_chunks")
    with pytest.raises(ConfigError, match="CONTENTBOT_INDEX_PREFIX"):
        Names.live("with space")


def test_staged_names_are_new_each_time_and_known_again() -> None:
    names = Names.live("")
    first, second = names.staged(), names.staged()
    assert len({first.documents, first.chunks, second.documents, second.chunks}) == 4
    assert names.is_staged_beside(first.chunks)
    assert not names.is_staged_beside(names.documents)
    assert not Names.live("other_").is_staged_beside(first.documents)
