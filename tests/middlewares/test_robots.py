"""Pages of a served site are requested as its robots.txt wants it."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from time import sleep

from contentbot.discovery.robots import RobotsRules
from contentbot.middlewares.robots import ASKED_AGAIN_AFTER, KEPT_FOR, RobotsFiles
from tests.middlewares.served import Answer, crawl, serve

RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.01\n"


def site(robots: Answer) -> Callable[[str, int], Answer]:
    return lambda path, _: robots if path == "/robots.txt" else Answer()


def test_a_disallowed_page_is_never_requested() -> None:
    with serve(site(Answer(body=RULES, headers={"Set-Cookie": "who=me"}))) as served:
        outcome = crawl([served.url("/open"), served.url("/private/a"), served.url("/private/b")])
    assert outcome.results == {
        served.url("/open"): 200,
        served.url("/private/a"): "robots_disallowed",
        served.url("/private/b"): "robots_disallowed",
    }
    assert served.paths == ["/robots.txt", "/open"]
    assert outcome.stats["contentbot/robots/disallowed"] == 2
    assert served.cookies == [], "robots.txt takes no part in a session"


def test_no_page_is_requested_before_the_rules_are_settled() -> None:
    def slow(path: str, _: int) -> Answer:
        if path == "/robots.txt":
            sleep(0.3)  # the pages are queued long before this answer goes out
            return Answer(body=RULES)
        return Answer()

    with serve(slow) as served:
        crawl([served.url(f"/page?{number}") for number in range(6)])
    assert served.paths[0] == "/robots.txt"
    assert sorted(served.paths[1:]) == [f"/page?{number}" for number in range(6)]


def test_a_client_error_means_no_rules_whatever_the_body_says() -> None:
    refusing = [Answer(status, b"User-agent: *\nDisallow: /\n") for status in (404, 403, 401, 410)]
    with ExitStack() as stack:
        urls = [stack.enter_context(serve(site(robots))).url("/open") for robots in refusing]
        assert crawl(urls).results == dict.fromkeys(urls, 200)


def test_a_server_error_means_that_nothing_is_requested_for_now() -> None:
    with ExitStack() as stack:
        failing = {status: stack.enter_context(serve(site(Answer(status, RULES)))) for status in (500, 503, 429)}
        with serve(site(Answer())) as gone:
            pass
        urls = [served.url("/open") for served in (*failing.values(), gone)]
        outcome = crawl(urls, RETRY_TIMES=1)
    assert outcome.results == dict.fromkeys(urls, "robots_unreachable")
    for status, served in failing.items():
        assert set(served.paths) == {"/robots.txt"}
        assert f"{served.url('/robots.txt')} answers {status}" in outcome.log
    assert f"{gone.url('/robots.txt')} gives no answer" in outcome.log


def test_a_server_error_that_passes_is_forgotten() -> None:
    def recovering(path: str, before: int) -> Answer:
        if path == "/robots.txt":
            return Answer(body=RULES) if before else Answer(503)
        return Answer()

    with serve(recovering) as served:
        assert crawl([served.url("/open")]).results == {served.url("/open"): 200}


def test_redirects_are_followed_to_another_host() -> None:
    hops = {f"/hop{number}": f"/hop{number + 1}" for number in range(1, 5)}

    def moved(path: str, _: int) -> Answer:
        target = {"/robots.txt": served.url("/hop1", "localhost"), **hops}.get(path)
        if target:
            return Answer(301, headers={"Location": target})
        return Answer(body=RULES if path == "/hop5" else b"a page")

    with serve(moved) as served:
        outcome = crawl([served.url("/private/a"), served.url("/open")])
    assert outcome.results == {served.url("/private/a"): "robots_disallowed", served.url("/open"): 200}


def test_each_host_has_rules_of_its_own() -> None:
    with serve(site(Answer(body=RULES))) as served, serve(site(Answer(404))) as free:
        outcome = crawl([served.url("/private/a"), free.url("/private/a")])
    assert outcome.results == {served.url("/private/a"): "robots_disallowed", free.url("/private/a"): 200}


def test_the_crawl_delay_stays_however_fast_the_host_answers() -> None:
    body = b"User-agent: *\nCrawl-delay: 0.2\n"
    with serve(site(Answer(body=body))) as served:
        urls = [served.url(f"/{number}") for number in range(5)]
        outcome = crawl(urls, AUTOTHROTTLE_ENABLED=True, AUTOTHROTTLE_START_DELAY=0.01, DOWNLOAD_DELAY=0.01)
    assert outcome.delays["127.0.0.1"] >= 0.2
    assert served.asked[-1][0] - served.asked[0][0] > 0.7, "five pauses of 0.2 s"


def test_a_crawl_delay_over_the_limit_is_cut_and_logged() -> None:
    with serve(site(Answer(body=b"User-agent: *\nCrawl-delay: 900\n"))) as served:
        outcome = crawl([served.url("/open")], CONTENTBOT_MAX_CRAWL_DELAY=0.05)
    assert outcome.delays["127.0.0.1"] == 0.05
    assert "asks for 900 s between requests; kept are 0.05 s" in outcome.log


def test_an_own_delay_that_is_longer_stays() -> None:
    with serve(site(Answer(body=RULES))) as served:
        assert crawl([served.url("/open")], DOWNLOAD_DELAY=0.05).delays["127.0.0.1"] == 0.05


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
