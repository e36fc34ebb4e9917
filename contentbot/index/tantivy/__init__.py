"""The embedded engine: tantivy in a folder, no server."""

from contentbot.index.tantivy.backend import TantivyBackend

__all__ = ["TantivyBackend"]
