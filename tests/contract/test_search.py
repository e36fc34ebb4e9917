"""What a search finds, in which order, and what it says about it."""

from contentbot.access import PUBLIC
from contentbot.index import Index
from contentbot.index.query import SearchRequest, SearchResult
from tests.contract.documents import document


def search(index: Index, query: str, **more: object) -> SearchResult:
    return index.search(SearchRequest(query, **more), principal=PUBLIC)  # type: ignore[arg-type]


def names(result: SearchResult) -> list[str]:
    return [hit.document.id.split(":", 1)[1] for hit in result.hits]


def test_a_document_is_found_by_a_word_of_its_body(index: Index) -> None:
    index.upsert([document("wheel", body="The water turns a wheel."), document("weir", body="The weir holds water.")])
    assert names(search(index, "wheel")) == ["wheel"]


def test_an_index_that_nobody_wrote_is_empty_and_says_so(index: Index) -> None:
    result = search(index, "wheel")
    assert result.total == 0
    assert "contentbot crawl" in result.notices[0]


def test_a_replaced_document_is_found_by_its_new_words_only(index: Index) -> None:
    index.upsert([document("page", body="first the oat")])
    index.upsert([document("page", body="then the barley")])
    assert names(search(index, "barley")) == ["page"]
    assert search(index, "oat ").total == 0


def test_a_document_comes_back_whole(index: Index) -> None:
    stored = document("page", "Title", "# A\n\ntext", categories=["Ä", "b"], published_date="2026-03-12")
    index.upsert([stored])
    assert index.get(stored.url, principal=PUBLIC) == stored
    assert index.get(stored.id, principal=PUBLIC) == stored
    assert index.get(stored.key, principal=PUBLIC) == stored
