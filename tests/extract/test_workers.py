"""Extraction in worker processes, with real ones."""

from collections.abc import Iterator

import pytest

from contentbot.errors import NoContent
from contentbot.extract.workers import ExtractionPool
from tests.extract.pages import page, rules


@pytest.fixture(scope="module")
def pool() -> Iterator[ExtractionPool]:
    with ExtractionPool(1) as pool:
        yield pool


def test_a_worker_gives_the_document_back(pool: ExtractionPool):
    document = pool.submit(page("<main><p>Text</p></main>"), rules()).result(timeout=60)
    assert document.plain_text.strip() == "Text"


def test_the_reason_of_a_page_without_a_document_survives_the_way_back(pool: ExtractionPool):
    future = pool.submit(page("<p> </p>"), rules())
    with pytest.raises(NoContent) as error:
        future.result(timeout=60)
    assert error.value.reason == "empty_text"
