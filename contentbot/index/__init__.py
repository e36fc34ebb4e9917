"""The search index: one front, a narrow protocol behind it, an adapter per engine."""

from pathlib import Path

from contentbot.errors import ConfigError
from contentbot.index.index import Index, SourceOverview
from contentbot.index.tantivy import TantivyBackend
from contentbot.sources.urls import clean_url

__all__ = ["Index", "SourceOverview", "open_index"]

_SCHEME = "tantivy:"


def open_index(url: str, *, read_only: bool = False) -> Index:
    """Open the index of a URL: `tantivy:FOLDER`, or just the folder.

    Opening makes nothing: an index that nobody has written to is empty, and its documents appear as soon as another
    process has written them.

    Raises:
        ConfigError: the URL names no engine that this version has.
    """
    if url.startswith(("http://", "https://")):
        raise ConfigError(
            "the Meilisearch adapter is not part of this version", key="index_url", hint="use tantivy:FOLDER"
        )
    folder = url.removeprefix(_SCHEME)
    if not folder:
        raise ConfigError(f"no folder in {url!r}", key="index_url", hint="such as tantivy:data/index")
    return Index(TantivyBackend(Path(folder), read_only=read_only), clean=clean_url)
