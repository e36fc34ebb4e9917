"""Counting a run."""

from contentbot.runs import Tally


def test_every_increment_is_told_by_its_name() -> None:
    told: list[tuple[str, int]] = []
    tally = Tally(lambda name, by: told.append((name, by)))
    tally.count("indexed", 3)
    tally.skip("https://mill.example/x", "http_404")
    tally.sitemap_failed("https://mill.example/s.xml", "http_503")
    assert told == [("indexed", 3), ("skipped/http_404", 1), ("failed_sitemaps", 1)]


def test_every_skipped_page_is_counted_and_so_many_of_a_reason_are_named() -> None:
    tally = Tally(pages_per_reason=2)
    for number in range(5):
        tally.skip(f"https://mill.example/{number}", "http_404")
    tally.skip("https://mill.example/x", "timeout", "y" * 10_000)
    assert tally.skipped == {"http_404": 5, "timeout": 1}
    assert [page.reason for page in tally.skipped_pages] == ["http_404", "http_404", "timeout"]
    assert len(tally.skipped_pages[-1].detail) == 500


def test_what_the_rules_leave_out_is_no_page_that_was_worked_off() -> None:
    tally = Tally()
    tally.count("indexed", 2)
    tally.skip("https://mill.example/a", "off_site")
    tally.skip("https://mill.example/b", "http_404")
    assert tally.done == 3


def test_discovery_is_complete_only_when_all_was_read_and_nothing_failed() -> None:
    tally = Tally()
    assert not tally.discovery_complete
    tally.listing_done = True
    assert tally.discovery_complete
    tally.fail("index_failed", "full")
    tally.fail("start_failed", "later")
    assert not tally.discovery_complete
    assert (tally.finish_reason, tally.error) == ("index_failed", "full")
