"""The production engine: Meilisearch, over HTTP, through its official client."""

from contentbot.index.meilisearch.backend import MeilisearchBackend

__all__ = ["MeilisearchBackend"]
