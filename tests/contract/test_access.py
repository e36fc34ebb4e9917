"""Nobody learns of a document they may not read: not from hits, counts, facets, near matches or errors."""

import logging
from dataclasses import replace

import pytest

from contentbot.access import PUBLIC, PUBLIC_RULE, Access, AccessRule, IdentityType, Principal
from contentbot.documents import ContentDocument
from contentbot.errors import NotFound
from contentbot.index import Index
from contentbot.index.backend import Answer, Question
from contentbot.index.query import EVERYTHING, FACET_FIELDS, And, SearchRequest
from tests.contract.documents import document

EDITORS = AccessRule(identity="Editors", identity_type=IdentityType.ROLE)
NOT_EVE = AccessRule(identity="eve", identity_type=IdentityType.USER, access=Access.DENY)
EDITOR = Principal("ada", frozenset({"editors"}))
EVE = Principal("EVE", frozenset({"editors"}))


@pytest.fixture
def guarded(index: Index) -> Index:
    index.upsert(
        [
            document("open", body="the wheel", categories=["Wood"]),
            document("secret", body="the wheel", categories=["Gold"], source="vault", access=[EDITORS, NOT_EVE]),
            document("nobody", body="the wheel", categories=["Lead"], access=[]),
        ]
    )
    return index


@pytest.mark.parametrize("query", ["wheel", "", "-nothing", '"the wheel"', "whee"])
@pytest.mark.parametrize(("principal", "visible"), [(PUBLIC, 1), (EDITOR, 2), (EVE, 1), (Principal("ada"), 1)])
def test_totals_hits_and_facets_hold_what_is_readable(
    guarded: Index, query: str, principal: Principal, visible: int
) -> None:
    result = guarded.search(SearchRequest(query, facets=FACET_FIELDS), principal=principal)
    assert result.total == len(result.hits) == visible
    assert result.facets["category"] == {"Wood": 1} | ({"Gold": 1} if visible == 2 else {})
    assert sum(guarded.facets("source", principal=principal).values()) == visible


def test_what_may_not_be_read_is_absent_in_every_way(guarded: Index) -> None:
    secret = document("secret", source="vault")
    for reference in (secret.id, secret.key, secret.url):
        with pytest.raises(NotFound) as raised:
            guarded.get(reference, principal=PUBLIC)
        assert not [name for name in raised.value.near if "vault" in name]
        assert guarded.get(reference, principal=EDITOR).id == secret.id
    with pytest.raises(NotFound) as raised:
        guarded.require("category", "Gold", principal=EVE)
    assert "Gold" not in raised.value.near
    assert list(guarded.export("vault", principal=PUBLIC)) == []
    assert [one.source for one in guarded.overview(principal=PUBLIC)] == ["mill"]


def test_the_error_for_an_unreadable_document_is_that_for_an_absent_one(guarded: Index) -> None:
    with pytest.raises(NotFound) as unreadable:
        guarded.get("vault:secret", principal=PUBLIC)
    guarded.delete({document("secret", source="vault").key})
    with pytest.raises(NotFound) as absent:
        guarded.get("vault:secret", principal=PUBLIC)
    assert str(unreadable.value) == str(absent.value)


def test_a_changed_rule_counts_at_once(guarded: Index) -> None:
    guarded.upsert([document("secret", body="the wheel", source="vault", access=[PUBLIC_RULE])])
    assert guarded.search(SearchRequest("wheel"), principal=PUBLIC).total == 2
    guarded.upsert([document("open", body="the wheel", access=[EDITORS])])
    assert guarded.search(SearchRequest("wheel"), principal=PUBLIC).total == 1


def test_an_engine_that_forgets_the_filter_is_caught_and_reported(
    guarded: Index, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    backend = guarded._backend
    ask, get = backend.search, backend.get

    def forgetful(question: Question) -> Answer:
        return ask(replace(question, filter=EVERYTHING))

    def forgetful_get(where: And) -> ContentDocument | None:
        return get(where.parts[0])

    monkeypatch.setattr(backend, "search", forgetful)
    monkeypatch.setattr(backend, "get", forgetful_get)
    with caplog.at_level(logging.CRITICAL):
        result = guarded.search(SearchRequest("wheel"), principal=PUBLIC)
        with pytest.raises(NotFound):
            guarded.get("vault:secret", principal=PUBLIC)
    assert [hit.document.id for hit in result.hits] == ["mill:open"]
    assert len(caplog.records) == 3
