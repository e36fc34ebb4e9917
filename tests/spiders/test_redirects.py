"""Redirects: each hop is checked, none is a duplicate of itself, and the document lives where they end."""

import pytest

from tests.conftest import OWN, Crawl
from tests.site.server import Answer, Website, article


def test_the_document_has_the_final_address_and_keeps_the_listed_one(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/en/a")
    website.redirect("/en/a", f"{website.origin}/a", 307)
    website.page("/a")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/a"]
    assert crawled.documents[f"{OWN}/a"].additional_urls == [f"{OWN}/en/a"]


def test_a_redirect_that_only_reorders_the_query_is_followed(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/shop?size=2&amp;colour=red")
    website.answer("/shop?size=2&colour=red", Answer(status=302, headers={"Location": "/shop?colour=red&size=2"}))
    website.page("/shop?colour=red&size=2")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/shop?colour=red&size=2"]


def test_two_addresses_that_end_on_one_page_make_one_document(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/old", "/older", "/new")
    website.redirect("/old", "/new")
    website.redirect("/older", "/old")
    website.page("/new")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/new"]
    assert website.paths().count("/new") == 1
    assert crawled.record.counts["duplicate"] == 2
    assert (crawled.progress[-1].done, crawled.progress[-1].known) == (1, 1)


def test_an_address_that_was_found_late_still_leads_to_the_document(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/new", "/old")
    website.answer("/old", Answer(status=301, headers={"Location": "/new"}, delay=0.3))
    website.page("/new")
    crawled = crawl({"CONTENTBOT_BATCH_DOCUMENTS": 1}, sitemaps="/sitemap.xml")
    assert crawled.documents[f"{OWN}/new"].additional_urls == [f"{OWN}/old"]
    assert crawled.record.counts["indexed"] == 1


@pytest.mark.parametrize("target", ["/loop", "/loop?again=1", "/other"], ids=["itself", "ever longer", "in a circle"])
def test_a_loop_ends_with_its_reason(website: Website, crawl: Crawl, target: str) -> None:
    website.sitemap("/sitemap.xml", "/loop", "/a")
    website.answer("/loop", lambda asked: Answer(status=302, headers={"Location": _longer(asked.path, target)}))
    website.redirect("/other", "/loop")
    website.page("/a")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/a"]
    assert crawled.reason(f"{OWN}/loop") == "redirect_loop"
    assert len(website.paths()) < 20


def _longer(path: str, target: str) -> str:
    # a site that appends its argument once more every time
    return target if "?" not in target else path + ("&" if "?" in path else "?") + "again=1"


def test_a_long_chain_ends_too(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/0")
    for number in range(30):
        website.redirect(f"/{number}", f"/{number + 1}")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.reason(f"{OWN}/0") == "too_many_redirects"
    assert len(website.paths()) == 12


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("https://elsewhere.example/x", "off_site"),
        ("http://169.254.169.254/latest", "off_site"),
        ("//elsewhere.example/x", "off_site"),
        ("javascript:alert(1)", "bad_redirect"),
        ("file:///etc/passwd", "bad_redirect"),
    ],
)
def test_no_hop_leaves_the_sources_hosts(website: Website, crawl: Crawl, target: str, reason: str) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.redirect("/a", target)
    crawled = crawl(sitemaps="/sitemap.xml")
    assert not crawled.documents
    assert crawled.reason(f"{OWN}/a") == reason


def test_a_redirect_into_an_excluded_path_ends(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.redirect("/a", "/login")
    crawled = crawl(sitemaps="/sitemap.xml", url_exclude="/login")
    assert crawled.reason(f"{OWN}/a") == "excluded"
    assert "/login" not in website.paths()


def test_a_listed_address_out_of_scope_is_in_when_its_redirect_is(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/go/1", "/go/2")
    website.redirect("/go/1", "/go/hop")
    website.redirect("/go/hop", "/blog/a")
    website.redirect("/go/2", "/shop")
    website.page("/blog/a")
    website.page("/shop")
    crawled = crawl(sitemaps="/sitemap.xml", url_include="/blog/*")
    assert crawled.urls == [f"{OWN}/blog/a"]
    assert crawled.record.skipped == {"not_included": 1}


def test_the_body_of_a_page_that_was_only_asked_for_its_redirect_is_not_downloaded(
    website: Website, crawl: Crawl
) -> None:
    sent: list[int] = []
    website.sitemap("/sitemap.xml", "/about")

    def body():  # type: ignore[no-untyped-def]
        for number in range(200):
            sent.append(number)
            yield b"x" * 100_000

    website.answer("/about", lambda _: Answer(body()))
    crawled = crawl(sitemaps="/sitemap.xml", url_include="/blog/*")
    assert crawled.reason(f"{OWN}/about") == "not_included"
    assert len(sent) < 200


def test_listed_addresses_are_not_asked_where_redirects_do_not_count(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/about")
    crawl(sitemaps="/sitemap.xml", url_include="/blog/*", match_redirects=False)
    assert website.paths() == ["/sitemap.xml"]


def test_a_page_that_sends_its_readers_on_is_followed_from_its_base(website: Website, crawl: Crawl) -> None:
    head = '<base href="/v2/"><meta http-equiv="refresh" content="0; url=start">'
    website.sitemap("/sitemap.xml", "/docs/a/b")
    website.page("/docs/a/b", article("Moved", head=head))
    website.page("/v2/start")
    assert crawl(sitemaps="/sitemap.xml").urls == [f"{OWN}/v2/start"]


def test_a_page_that_reloads_itself_is_a_page(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/live")
    website.page("/live", article("Live", head='<meta http-equiv="refresh" content="5">'))
    assert crawl(sitemaps="/sitemap.xml").urls == [f"{OWN}/live"]


def test_credentials_in_a_redirect_are_neither_sent_nor_kept(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a")
    website.redirect("/a", "https://ada:secret@mill.example/b")
    website.page("/b")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/b"]
    assert not any("authorization" in asked.headers for asked in website.asked)
    assert "secret" not in crawled.record.model_dump_json()


def test_a_target_with_raw_letters_is_one_page_with_its_encoded_spelling(website: Website, crawl: Crawl) -> None:
    website.sitemap("/sitemap.xml", "/a", "/m%C3%BChle")
    website.answer("/a", Answer(status=301, headers={"Location": "/mühle".encode().decode("latin-1")}))
    website.page("/mühle")
    crawled = crawl(sitemaps="/sitemap.xml")
    assert crawled.urls == [f"{OWN}/m%C3%BChle"]
