"""A crawled mill, and rebuilds of its index."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contentbot.access import PUBLIC
from contentbot.config import state_file
from contentbot.documents import ContentDocument
from contentbot.index import Index, open_index
from contentbot.reindexing import Plan, Progress, Reindexed, rebuild
from contentbot.sitecopy import SiteCopy
from contentbot.sources.models import WebsiteSource
from contentbot.state import PageState, State, open_state
from tests.conftest import OWN
from tests.site.server import Website


class Mill:
    """Where the `crawl` fixture keeps everything, and the source as its file has it."""

    def __init__(self, folder: Path, origin: str) -> None:
        self.data, self.index_url, self._origin = folder / "data", f"tantivy:{folder / 'index'}", origin

    def index(self) -> Index:
        return open_index(self.index_url)

    def state(self) -> State:
        return open_state(state_file(self.data))

    def rebuild(
        self,
        *,
        anew: frozenset[str] = frozenset({"mill"}),
        index: Any = None,
        on_progress: Callable[[Progress], None] = lambda _: None,
        **keys: Any,
    ) -> Reindexed:
        """Rebuild as `contentbot reindex` does, perhaps by changed keys of the source or through another index."""
        declared = {"id": "mill", "type": "website", "base-url": OWN, **keys}
        source = WebsiteSource.model_validate({name.replace("_", "-"): value for name, value in declared.items()})
        plan = Plan(self.data, {"mill": source}, anew, {"mill": SiteCopy(OWN, self._origin)}, workers=1)
        with self.state() as state, self.index() as own:
            return rebuild(plan, index(own) if index else own, state, on_progress)

    def documents(self) -> dict[str, ContentDocument]:
        """What the index has, by path."""
        with self.index() as index:
            return {one.path: one for one in index.export("mill", principal=PUBLIC)}

    def pages(self) -> dict[str, PageState]:
        """What is known of each page, by path."""
        with self.state() as state:
            return {page.url.removeprefix(OWN): page for page in state.pages.of_source("mill")}

    def identity(self) -> str:
        with self.index() as index:
            return index.settings().identity


@pytest.fixture
def mill(tmp_path: Path, website: Website) -> Mill:
    return Mill(tmp_path, website.origin)
