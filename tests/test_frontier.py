"""Which addresses are visited, each once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.frontier import MAX_HOPS, Frontier, LeftOut, SeenUrls
from contentbot.runs import Tally, Visit
from contentbot.sources.models import WebsiteSource
from contentbot.sources.scope import Scope

OWN = "https://mill.example"


def _frontier(**keys: object) -> tuple[Frontier, Tally]:
    source = WebsiteSource.model_validate({"id": "mill", "type": "website", "base-url": OWN, **keys})
    tally = Tally()
    return Frontier(Scope(source), tally), tally


def _admitted(frontier: Frontier, url: str) -> Visit:
    visit = frontier.admit(url)
    assert visit is not None
    return visit


def test_an_address_is_admitted_once_in_whatever_spelling() -> None:
    frontier, tally = _frontier()
    assert _admitted(frontier, f"{OWN}/a").included
    assert frontier.admit("HTTPS://MILL.example:443/./a#top") is None
    assert tally.counts == {"included": 1, "duplicate": 1}


def test_what_is_no_web_address_is_named() -> None:
    frontier, tally = _frontier()
    assert frontier.admit("mailto:ada@mill.example") is None
    assert tally.skipped == {"bad_url": 1}


def test_an_address_out_of_scope_is_asked_for_its_redirect_where_it_may_lead_in() -> None:
    frontier, _ = _frontier(**{"url-include": "/blog/*"})
    asked = _admitted(frontier, f"{OWN}/go")
    assert not asked.included
    assert frontier.redirect(asked, "/blog/a").included
    assert frontier.admit(f"{OWN}/blog/a") is None, "its page is read already"


def test_a_link_out_of_scope_is_not_asked() -> None:
    frontier, tally = _frontier(**{"url-include": "/blog/*"})
    assert frontier.follow(f"{OWN}/go", 1) is None
    assert tally.skipped == {"not_included": 1}


def test_a_page_that_was_left_out_by_itself_may_come_in_by_a_listed_address_that_matches() -> None:
    frontier, _ = _frontier(**{"url-include": "/en/*"})
    assert not _admitted(frontier, f"{OWN}/about").included
    moved = frontier.redirect(_admitted(frontier, f"{OWN}/en/about"), "/about")
    assert moved.included
    assert moved.url == f"{OWN}/about"


def test_a_hop_to_a_page_that_another_visit_reads_is_remembered_as_its_second_way() -> None:
    frontier, _ = _frontier()
    _admitted(frontier, f"{OWN}/new")
    with pytest.raises(LeftOut, match="duplicate"):
        frontier.redirect(_admitted(frontier, f"{OWN}/old"), "/new")
    assert frontier.aliases == {f"{OWN}/new": [f"{OWN}/old"]}


def test_a_hop_back_to_an_address_of_the_same_visit_is_no_duplicate() -> None:
    frontier, _ = _frontier()
    visit = frontier.redirect(_admitted(frontier, f"{OWN}/a"), "/a?session=1")
    assert frontier.redirect(visit, "/a").chain == (f"{OWN}/a", f"{OWN}/a?session=1", f"{OWN}/a")


def test_hops_end() -> None:
    frontier, _ = _frontier()
    visit = _admitted(frontier, f"{OWN}/0")
    for number in range(1, MAX_HOPS + 1):
        visit = frontier.redirect(visit, f"/{number}")
    with pytest.raises(LeftOut, match="too_many_redirects"):
        frontier.redirect(visit, "/on")


def test_a_claimed_address_is_not_visited() -> None:
    frontier, _ = _frontier()
    frontier.claim(f"{OWN}/p")
    assert frontier.admit(f"{OWN}/p") is None


def test_second_ways_are_remembered_up_to_a_number() -> None:
    source = WebsiteSource.model_validate({"id": "mill", "type": "website", "base-url": OWN})
    frontier = Frontier(Scope(source), Tally(), max_aliases=1)
    for page in ("x", "y"):
        _admitted(frontier, f"{OWN}/{page}")
        with pytest.raises(LeftOut):
            frontier.redirect(_admitted(frontier, f"{OWN}/to-{page}"), f"/{page}")
    assert len(frontier.aliases) == 1


@given(st.lists(st.text(max_size=30), max_size=30), st.text(max_size=30))
def test_a_set_of_addresses_behaves_as_a_set(urls: list[str], other: str) -> None:
    seen = SeenUrls()
    for url in urls:
        seen.add(url)
    assert len(seen) == len(set(urls))
    assert all(url in seen for url in urls)
    assert (other in seen) == (other in urls)


@given(st.text(max_size=60))
def test_nothing_that_stands_in_a_sitemap_makes_it_fail(url: str) -> None:
    frontier, tally = _frontier()
    visit = frontier.admit(url)
    assert visit is not None or sum(tally.skipped.values()) == 1
    start = _admitted(_frontier()[0], f"{OWN}/")
    try:
        frontier.redirect(start, url)
    except LeftOut as end:
        assert end.reason in {"bad_redirect", "off_site", "duplicate", "loop"}
