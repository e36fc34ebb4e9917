"""The search index: one front, a narrow protocol behind it, an adapter per engine."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index.backend import Backend
from contentbot.index.index import Index, SourceOverview
from contentbot.index.tantivy import TantivyBackend
from contentbot.sources.languages import Languages, load_languages
from contentbot.sources.urls import clean_url

if TYPE_CHECKING:
    from contentbot.index.meilisearch.address import Names
    from contentbot.index.meilisearch.connection import Connection
    from contentbot.index.meilisearch.keys import Keys, Powers

__all__ = ["Index", "SourceOverview", "key_powers", "open_index", "open_keys"]

_SCHEME = "tantivy:"


def open_index(
    url: str,
    *,
    read_only: bool = False,
    key: SecretStr | None = None,
    prefix: str | None = None,
    languages: Languages | None = None,
) -> Index:
    """Open the index of a URL: `tantivy:FOLDER`, just the folder, or the address of a Meilisearch.

    Opening makes nothing and asks nobody: an index that nobody has written to is empty, its documents appear as soon as
    another process has written them, and a server that is away fails the first call.

    Args:
        read_only: refuse every write.
        key: the server's API key; without it `CONTENTBOT_INDEX_KEY`.
        prefix: what the names of the server's indexes begin with; without it `CONTENTBOT_INDEX_PREFIX`.
        languages: the operator's word lists; without them those beside the sources.

    Raises:
        ConfigError: the URL names no engine that this version has, or holds credentials; or a word list is wrong.
    """
    settings = get_settings()
    words = load_languages(settings.sources_dir) if languages is None else languages
    if _is_server(url):
        return Index(_on_server(url, key, prefix, words, read_only=read_only), clean=clean_url)
    folder = url.removeprefix(_SCHEME)
    if not folder:
        raise ConfigError(f"no folder in {url!r}", key="index_url", hint="such as tantivy:data/index")
    return Index(TantivyBackend(Path(folder), read_only=read_only, languages=words), clean=clean_url)


def open_keys(url: str, master: SecretStr) -> "Keys":
    """Open the API keys of a Meilisearch, for whoever has its master key.

    Raises:
        ConfigError: the URL is that of an engine without keys.
    """
    from contentbot.index.meilisearch.keys import Keys  # noqa: PLC0415 - as below

    if not _is_server(url):
        raise ConfigError("the embedded engine has no keys", key="CONTENTBOT_INDEX_URL", hint="http://localhost:7700")
    return Keys(*_connected(url, master, None))


def key_powers(url: str) -> "Powers | None":
    """Say what `CONTENTBOT_INDEX_KEY` may do at an index beyond reading; None for an engine without keys.

    Raises:
        EngineUnavailable: the server gave no answer.
    """
    if not _is_server(url):
        return None
    from contentbot.index.meilisearch.keys import powers  # noqa: PLC0415 - as below

    key = get_settings().index_key
    connection, names = _connected(url, key, None)
    try:
        return powers(connection, names, key)
    finally:
        connection.close()


def _is_server(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _on_server(
    url: str, key: SecretStr | None, prefix: str | None, languages: Languages, *, read_only: bool
) -> Backend:
    # only here: the embedded engine needs no HTTP client
    from contentbot.index.meilisearch import MeilisearchBackend  # noqa: PLC0415

    connection, names = _connected(url, get_settings().index_key if key is None else key, prefix)
    return MeilisearchBackend(connection, names, languages=languages, read_only=read_only)


def _connected(url: str, key: SecretStr, prefix: str | None) -> "tuple[Connection, Names]":
    from contentbot.index.meilisearch.address import Names, server_address  # noqa: PLC0415
    from contentbot.index.meilisearch.connection import Connection  # noqa: PLC0415

    names = Names.live(get_settings().index_prefix if prefix is None else prefix)
    return Connection(server_address(url), key), names
