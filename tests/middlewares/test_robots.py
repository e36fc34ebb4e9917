"""Pages of a served site are requested as its robots.txt wants it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from contentbot.discovery.robots import RobotsRules
from contentbot.middlewares.robots import ASKED_AGAIN_AFTER, KEPT_FOR, RobotsFiles
from tests.conftest import Reactor
from tests.middlewares.once import request_all
from tests.site.server import Answer, Website

RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.01\n"

Serve = Callable[..., Website]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve pages, and these answers for robots.txt one after the other."""
    with ExitStack() as running:

        def site(*robots: Answer) -> Website:
            website = running.enter_context(Website())
            website.answer("/robots.txt", *robots)
            for path in ("/open", "/private/a", "/private/b", "/0", "/1", "/2", "/3", "/4"):
                website.page(path)
            return website

        yield site


def asked(website: Website) -> list[str]:
    return [request.path for request in website.asked]


def test_a_disallowed_page_is_never_requested(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer(RULES, headers={"Set-Cookie": "who=me"}))
    outcome = request_all(reactor, [site.origin + path for path in ("/open", "/private/a", "/private/b")])
    assert outcome.results == {
        f"{site.origin}/open": 200,
        f"{site.origin}/private/a": "robots_disallowed",
        f"{site.origin}/private/b": "robots_disallowed",
    }
    assert asked(site) == ["/robots.txt", "/open"]
    assert outcome.stats["contentbot/robots/disallowed"] == 2
    assert "cookie" not in site.asked[1].headers, "robots.txt takes no part in a session"
    assert site.asked[0].headers["user-agent"].startswith("TeaBot/")


def test_no_page_is_requested_before_the_rules_are_settled(serve: Serve, reactor: Reactor) -> None:
    # the pages are queued long before this answer goes out
    site = serve(Answer(RULES, delay=0.3))
    request_all(reactor, [f"{site.origin}/open?{number}" for number in range(6)])
    assert asked(site)[0] == "/robots.txt"
    assert sorted(asked(site)[1:]) == [f"/open?{number}" for number in range(6)]


def test_a_client_error_means_no_rules_whatever_the_body_says(serve: Serve, reactor: Reactor) -> None:
    refusing = [serve(Answer(b"User-agent: *\nDisallow: /\n", status)) for status in (404, 403, 401, 410)]
    urls = [f"{site.origin}/open" for site in refusing]
    assert request_all(reactor, urls).results == dict.fromkeys(urls, 200)


def test_a_server_error_means_that_nothing_is_requested_for_now(
    serve: Serve, reactor: Reactor, caplog: pytest.LogCaptureFixture
) -> None:
    failing = {status: serve(Answer(RULES, status)) for status in (500, 503, 429)}
    silent = serve(Answer(drop=True))
    urls = [f"{site.origin}/open" for site in (*failing.values(), silent)]
    outcome = request_all(reactor, urls, RETRY_TIMES=1)
    assert outcome.results == dict.fromkeys(urls, "robots_unreachable")
    for status, site in failing.items():
        assert set(asked(site)) == {"/robots.txt"}
        assert f"{site.origin}/robots.txt answers {status}" in caplog.text
    assert f"{silent.origin}/robots.txt gives no answer" in caplog.text


def test_a_server_error_that_passes_is_forgotten(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer(status=503), Answer(RULES))
    assert request_all(reactor, [f"{site.origin}/open"]).results == {f"{site.origin}/open": 200}


def test_redirects_are_followed_to_another_host(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer())
    elsewhere = site.origin.replace("127.0.0.1", "localhost")
    site.redirect("/robots.txt", f"{elsewhere}/hop1")
    for number in range(1, 5):
        site.redirect(f"/hop{number}", f"/hop{number + 1}")
    site.answer("/hop5", Answer(RULES))
    outcome = request_all(reactor, [f"{site.origin}/private/a", f"{site.origin}/open"])
    assert outcome.results == {f"{site.origin}/private/a": "robots_disallowed", f"{site.origin}/open": 200}


def test_each_host_has_rules_of_its_own(serve: Serve, reactor: Reactor) -> None:
    strict, free = serve(Answer(RULES)), serve(Answer(status=404))
    urls = [f"{site.origin}/private/a" for site in (strict, free)]
    assert request_all(reactor, urls).results == dict(zip(urls, ("robots_disallowed", 200), strict=True))


def test_the_crawl_delay_stays_however_fast_the_host_answers(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer(b"User-agent: *\nCrawl-delay: 0.2\n"))
    urls = [f"{site.origin}/{number}" for number in range(5)]
    throttle = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.01, "DOWNLOAD_DELAY": 0.01}
    outcome = request_all(reactor, urls, **throttle)
    assert outcome.delays["127.0.0.1"] >= 0.2
    assert site.asked[-1].at - site.asked[0].at > 0.7, "five pauses of 0.2 s"


def test_a_crawl_delay_over_the_limit_is_cut_and_logged(
    serve: Serve, reactor: Reactor, caplog: pytest.LogCaptureFixture
) -> None:
    site = serve(Answer(b"User-agent: *\nCrawl-delay: 900\n"))
    outcome = request_all(reactor, [f"{site.origin}/open"], CONTENTBOT_MAX_CRAWL_DELAY=0.05)
    assert outcome.delays["127.0.0.1"] == 0.05
    assert "asks for 900 s between requests; kept are 0.05 s" in caplog.text


def test_an_own_delay_that_is_longer_stays(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer(RULES))
    assert request_all(reactor, [f"{site.origin}/open"], DOWNLOAD_DELAY=0.05).delays["127.0.0.1"] == 0.05


def test_rules_that_are_not_obeyed_hold_nothing_back(serve: Serve, reactor: Reactor) -> None:
    site = serve(Answer(RULES))
    assert request_all(reactor, [f"{site.origin}/private/a"], ROBOTSTXT_OBEY=False).results == {
        f"{site.origin}/private/a": 200
    }


class TestFiles:
    """When robots.txt is asked for, and when again."""

    @staticmethod
    def asked_for(rules: RobotsRules, *moments: float) -> list[str]:
        asked: list[str] = []
        now = 0.0

        async def fetch(url: str) -> RobotsRules:
            asked.append(url)
            await asyncio.sleep(0)
            return rules

        async def run() -> None:
            nonlocal now
            files = RobotsFiles(fetch, lambda: now)
            for moment in moments:
                now = moment
                await asyncio.gather(*(files.of(f"https://me:pw@shop.example/{page}") for page in range(3)))

        asyncio.run(run())
        return asked

    def test_once_for_all_who_wait(self) -> None:
        assert self.asked_for(RobotsRules.allow_all(), 0.0) == ["https://shop.example/robots.txt"]

    def test_again_after_a_day(self) -> None:
        assert len(self.asked_for(RobotsRules.allow_all(), 0.0, KEPT_FOR - 1)) == 1
        assert len(self.asked_for(RobotsRules.allow_all(), 0.0, KEPT_FOR)) == 2

    def test_again_soon_when_it_could_not_be_reached(self) -> None:
        assert len(self.asked_for(RobotsRules.disallow_all(), 0.0, ASKED_AGAIN_AFTER - 1)) == 1
        assert len(self.asked_for(RobotsRules.disallow_all(), 0.0, ASKED_AGAIN_AFTER)) == 2
