"""From bytes to documents: plain functions that know neither Scrapy nor MCP.

What the package offers is imported when it is first used: its libraries cost most of a second, and whoever needs the
names of months only, such as the check of summaries in the MCP server, is not to wait for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contentbot.extract.extractor import Extraction, extract, extract_surveyed
    from contentbot.extract.rules import ExtractRules, Limits

__all__ = ["ExtractRules", "Extraction", "Limits", "extract", "extract_surveyed"]

_HOMES = {
    "ExtractRules": "rules",
    "Extraction": "extractor",
    "Limits": "rules",
    "extract": "extractor",
    "extract_surveyed": "extractor",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
