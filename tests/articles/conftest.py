"""The service in a loop of its own, with real workers, over a served site."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from contentbot.articles import ArticleService, ExtractionOutput
from tests.loading.sites import local


class Articles:
    """The service for tests that do not wait."""

    def __init__(self, portal: BlockingPortal, service: ArticleService) -> None:
        self._portal, self.service = portal, service

    def url(self, url: str, hint: str = "") -> ExtractionOutput:
        return self._portal.call(self.service.extract_url, url, hint)

    def item(self, hint: str = "", **item: Any) -> ExtractionOutput:
        return self._portal.call(self.service.extract_item, item, hint)

    def given(self, item: Any) -> ExtractionOutput:
        return self._portal.call(self.service.extract_item, item)

    def many(self, *urls: str, **options: Any) -> list[ExtractionOutput]:
        return self._portal.call(partial(self.service.extract_many, urls, **options))

    def page(self, page: Any) -> ExtractionOutput:
        return self._portal.call(self.service.extract_page, page)


@pytest.fixture(scope="session")
def articles() -> Iterator[Articles]:
    with start_blocking_portal() as portal, ArticleService(local(kept_seconds=0.0), workers=1) as service:
        yield Articles(portal, service)


def code(output: ExtractionOutput) -> str:
    assert output.error is not None
    assert output.article is None
    return output.error.code


def details(output: ExtractionOutput) -> Mapping[str, Any]:
    assert output.error is not None
    return output.error.details.model_dump()
