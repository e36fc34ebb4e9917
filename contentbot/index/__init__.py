"""The search index: one front, a narrow protocol behind it, an adapter per engine."""

from pathlib import Path

from pydantic import SecretStr

from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index.backend import Backend
from contentbot.index.index import Index, SourceOverview
from contentbot.index.tantivy import TantivyBackend
from contentbot.sources.languages import Languages, load_languages
from contentbot.sources.urls import clean_url

__all__ = ["Index", "SourceOverview", "open_index"]

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
    if url.startswith(("http://", "https://")):
        key = settings.index_key if key is None else key
        prefix = settings.index_prefix if prefix is None else prefix
        return Index(_on_server(url, key, prefix, words, read_only=read_only), clean=clean_url)
    folder = url.removeprefix(_SCHEME)
    if not folder:
        raise ConfigError(f"no folder in {url!r}", key="index_url", hint="such as tantivy:data/index")
    return Index(TantivyBackend(Path(folder), read_only=read_only, languages=words), clean=clean_url)


def _on_server(url: str, key: SecretStr, prefix: str, languages: Languages, *, read_only: bool) -> Backend:
    # only here: the embedded engine needs no HTTP client
    from contentbot.index.meilisearch import MeilisearchBackend  # noqa: PLC0415
    from contentbot.index.meilisearch.address import Names, server_address  # noqa: PLC0415
    from contentbot.index.meilisearch.connection import Connection  # noqa: PLC0415

    connection = Connection(server_address(url), key)
    return MeilisearchBackend(connection, Names.live(prefix), languages=languages, read_only=read_only)
