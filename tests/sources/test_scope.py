import pickle
from typing import Any

import pytest

from contentbot.errors import NoContent
from contentbot.sources.models import WebsiteSource
from contentbot.sources.scope import Decision, Scope


def scope(**keys: Any) -> Scope:
    declared = {"id": "mill", "type": "website", "base-url": "https://mill.example"}
    return Scope(
        WebsiteSource.model_validate(declared | {name.replace("_", "-"): value for name, value in keys.items()})
    )


def test_a_site_is_its_host_its_www_twin_and_the_hosts_it_declares() -> None:
    mill = scope(hosts="docs.mill.example, shop.example:8443")
    on_site = [
        "https://mill.example/",
        "http://WWW.mill.example:80/a",
        "//docs.mill.example",
        "https://shop.example:8443/",
    ]
    assert [mill.on_site(url) for url in on_site] == [True, True, False, True]
    for url in (
        "https://blog.mill.example/",
        "https://mill.example.evil.example/",
        "https://shop.example/",
        "mailto:a@mill.example",
    ):
        assert not mill.on_site(url)
    assert scope(base_url="https://www.mill.example").on_site("https://mill.example/")


def test_every_page_is_in_when_nothing_is_said() -> None:
    assert scope().decide("https://mill.example/a/b") == Decision(True, "included", "/**")


def test_a_page_is_in_when_the_listed_or_the_final_address_matches() -> None:
    mill = scope(url_include="/news/*")
    assert mill.decide("https://mill.example/news/a", "https://mill.example/stories/a").included
    assert mill.decide("https://mill.example/en/news/a", "https://mill.example/news/a") == Decision(
        True, "included", "/news/*"
    )
    assert mill.decide("https://mill.example/about", "https://mill.example/about-us").reason == "not_included"


def test_a_page_is_out_when_the_listed_or_the_final_address_is_excluded() -> None:
    mill = scope(url_include="/news/**", url_exclude="/news/drafts/**, /login")
    assert mill.decide("https://mill.example/news/drafts/a") == Decision(False, "excluded", "/news/drafts/**")
    assert mill.decide("https://mill.example/news/a", "https://mill.example/login") == Decision(
        False, "excluded", "/login"
    )


def test_an_address_that_does_not_match_is_worth_asking_until_its_redirects_are_known() -> None:
    listed, final = "https://mill.example/en/news/a", "https://mill.example/contact"
    assert scope(url_include="/news/*").decide(listed).worth_asking
    assert not scope(url_include="/news/*").decide(listed, final).worth_asking
    assert not scope(url_include="/news/*", match_redirects=False).decide(listed).worth_asking
    assert not scope(url_exclude="/en/**").decide(listed).worth_asking
    assert not scope().decide("https://other.example/").worth_asking


def test_without_match_redirects_only_the_listed_address_includes() -> None:
    mill = scope(url_include="/news/*", match_redirects=False)
    assert not mill.decide("https://mill.example/x", "https://mill.example/news/a").included
    assert mill.decide("https://mill.example/news/a", "https://mill.example/x").included


def test_foreign_addresses_are_off_site_wherever_they_turn_up() -> None:
    assert scope().decide("https://other.example/a") == Decision(False, "off_site", "other.example")
    assert scope().decide("https://mill.example/a", "https://other.example/a").reason == "off_site"
    assert scope().decide("javascript:void(0)").reason == "off_site"


def test_a_path_that_repeats_itself_without_end_is_a_loop() -> None:
    assert scope().decide("https://mill.example/a" + "/b/c" * 4).reason == "loop"
    assert scope().decide("https://mill.example/tags/oak/oak/oak").included
    assert scope().decide("https://mill.example/2011/11/11/11-things").included


@pytest.mark.parametrize(
    ("final", "canonical", "stored"),
    [
        ("https://mill.example/p?ref=letter", "https://mill.example/p", "https://mill.example/p"),
        ("https://mill.example/p?ref=letter", "/p", "https://mill.example/p"),
        ("https://mill.example/p?utm_source=x", "", "https://mill.example/p"),
        ("https://mill.example", "https://mill.example/", "https://mill.example/"),
        ("https://mill.example/", "https://www.mill.example/", "https://www.mill.example/"),
        ("https://mill.example/m%c3%bchle", "https://mill.example/mühle", "https://mill.example/m%C3%BChle"),
        # not believed
        ("https://mill.example/p", "https://mill.example/hidden/p", "https://mill.example/p"),
        ("https://mill.example/p", "http://mill.example/p", "https://mill.example/p"),
        ("https://mill.example/news/a", "https://mill.example/", "https://mill.example/news/a"),
        ("https://mill.example/about", "https://mill.example/", "https://mill.example/about"),
        ("https://mill.example/index.html", "https://mill.example/", "https://mill.example/"),
        ("https://mill.example/de/", "https://mill.example/", "https://mill.example/"),
        ("https://mill.example/p", "https://[broken", "https://mill.example/p"),
        ("https://mill.example/p", "javascript:void(0)", "https://mill.example/p"),
    ],
)
def test_a_page_is_stored_under_its_canonical_where_that_is_ours(final: str, canonical: str, stored: str) -> None:
    assert scope(url_exclude="/hidden/**").document_url(final, canonical) == stored


def test_a_page_that_says_it_belongs_to_a_foreign_host_gives_no_document() -> None:
    with pytest.raises(NoContent) as caught:
        scope().document_url("https://mill.example/copy", "https://vendor.example/original?utm_source=x")
    assert (caught.value.reason, caught.value.detail) == ("canonical_offsite", "https://vendor.example/original")


def test_a_source_may_ignore_canonicals() -> None:
    mill = scope(canonical="ignore")
    assert mill.document_url("https://mill.example/copy", "https://vendor.example/") == "https://mill.example/copy"


def test_a_scope_travels_to_other_processes() -> None:
    travelled = pickle.loads(pickle.dumps(scope(url_include="/news/*")))
    assert travelled.decide("https://mill.example/news/a").included
