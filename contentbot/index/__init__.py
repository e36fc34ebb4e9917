"""The search index: one front, a narrow protocol behind it, an adapter per engine."""

from pathlib import Path

from pydantic import SecretStr

from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index.index import Index, SourceOverview
from contentbot.index.tantivy import TantivyBackend
from contentbot.sources.urls import clean_url

__all__ = ["Index", "SourceOverview", "open_index"]

_SCHEME = "tantivy:"


def open_index(url: str, *, read_only: bool = False, key: SecretStr | None = None, prefix: str | None = None) -> Index:
    """Open the index of a URL: `tantivy:FOLDER`, just the folder, or the address of a Meilisearch.

    Opening makes nothing and asks nobody: an index that nobody has written to is empty, its documents appear as soon as
    another process has written them, and a server that is away fails the first call.

    Args:
        key: the server's API key; without it `CONTENTBOT_INDEX_KEY`.
        prefix: what the names of the server's indexes begin with; without it `CONTENTBOT_INDEX_PREFIX`.

    Raises:
        ConfigError: the URL names no engine that this version has, or holds credentials.
    """
    if url.startswith(("http://", "https://")):
        return _on_server(url, key, prefix, read_only=read_only)
    folder = url.removeprefix(_SCHEME)
    if not folder:
        raise ConfigError(f"no folder in {url!r}", key="index_url", hint="such as tantivy:data/index")
    return Index(TantivyBackend(Path(folder), read_only=read_only), clean=clean_url)


def _on_server(url: str, key: SecretStr | None, prefix: str | None, *, read_only: bool) -> Index:
    # only here: the embedded engine needs no HTTP client
    from contentbot.index.meilisearch import MeilisearchBackend  # noqa: PLC0415
    from contentbot.index.meilisearch.address import Names, server_address  # noqa: PLC0415
    from contentbot.index.meilisearch.connection import Connection  # noqa: PLC0415

    settings = get_settings()
    names = Names.live(settings.index_prefix if prefix is None else prefix)
    connection = Connection(server_address(url), settings.index_key if key is None else key)
    return Index(MeilisearchBackend(connection, names, read_only=read_only), clean=clean_url)
