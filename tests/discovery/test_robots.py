"""robots.txt, read as RFC 9309 has it."""

import re
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from contentbot.discovery.robots import MAX_BYTES, RobotsRules, rules_for_status
from contentbot.discovery.robots_patterns import Rule, target_of

HOST = "https://shop.example"
AGENT = "TeaBot/2.0 (+https://tea.example/bot)"


def rules(text: str | bytes) -> RobotsRules:
    return RobotsRules.parse(text.encode() if isinstance(text, str) else text, f"{HOST}/robots.txt")


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return rules(text).allows(HOST + path, agent)


def for_all(*lines: str) -> str:
    return "\n".join(("User-agent: *", *lines))


class TestLines:
    @pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"# caf\xe9\n", b"\n\n", b"junk\n", b"\x00\xff\n"])
    @pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
    def test_rules_survive_what_stands_around_them(self, start: bytes, line_end: bytes) -> None:
        text = start + b"USER-AGENT : *" + line_end + b"disallow:/private # inner" + line_end
        assert not allowed(text, "/private/a")
        assert allowed(text, "/public")

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
    def test_a_byte_order_mark_decides_the_encoding(self, encoding: str) -> None:
        assert not allowed(for_all("Disallow: /grün").encode(encoding), "/gr%C3%BCn")

    @pytest.mark.parametrize("line", ["Useragent: *", "user agent: *", "User-Agent *"])
    @pytest.mark.parametrize("rule", ["Dissallow: /a", "DISALLOW /a", "disallow:/a#b"])
    def test_common_misspellings_are_understood(self, line: str, rule: str) -> None:
        assert not allowed(f"{line}\n{rule}", "/a")

    @pytest.mark.parametrize(
        "line", ["Host: x", "Clean-param: a", "Sitemap: /s.xml", "<p>", "", "# note", ": /", "Allow"]
    )
    def test_a_line_that_means_nothing_here_breaks_no_group(self, line: str) -> None:
        text = f"User-agent: teabot\n{line}\nUser-agent: other\n{line}\nDisallow: /a\n{line}\nDisallow: /b"
        assert not allowed(text, "/a")
        assert not allowed(text, "/b")

    def test_what_stands_beyond_the_limit_does_not_count(self) -> None:
        head = for_all("Disallow: /a", "")
        filling = "#" * (MAX_BYTES - len(head) - len("\nDisallow: /b")) + "\nDisallow: /b"
        assert not allowed(head + filling + "\nDisallow: /c", "/b")
        assert allowed(head + filling + "\nDisallow: /c", "/c")
        assert allowed(head + filling + "ooks\nDisallow: /c", "/b"), "a path that was cut in the middle is no rule"

    def test_a_web_page_in_its_place_forbids_nothing(self) -> None:
        assert allowed("<!DOCTYPE html><html><body>Disallow: /</body></html>", "/a")

    @given(st.binary(max_size=200))
    def test_no_bytes_raise(self, body: bytes) -> None:
        for prefix in (b"", b"User-agent: *\nDisallow: ", b"Sitemap: "):
            parsed = rules(prefix + body)
            parsed.allows(f"{HOST}/a", AGENT)
            parsed.crawl_delay(AGENT)


class TestGroups:
    def test_the_agents_own_group_counts_alone(self) -> None:
        text = "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: TeaBot\nDisallow: /private"
        assert allowed(text, "/open")
        assert not allowed(text, "/private")
        assert rules(text).crawl_delay(AGENT) is None
        assert rules(text).crawl_delay("OtherBot") == 9

    def test_groups_of_one_agent_are_one(self) -> None:
        text = "User-agent: teabot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: TEABOT/1.0\nDisallow: /b"
        assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]

    def test_agents_that_follow_each_other_share_their_rules(self) -> None:
        text = "User-agent: other\n\nUser-agent: teabot\nDisallow: /a"
        assert not allowed(text, "/a")
        assert not allowed(text, "/a", "other")

    @pytest.mark.parametrize("token", ["7thBot", "Ünbot", "***", "", "bot!", "*bot", "a b c"])
    def test_an_unusual_agent_opens_a_group_of_its_own(self, token: str) -> None:
        text = f"User-agent: *\nDisallow: /internal\n\nUser-agent: {token}\nDisallow: /"
        assert allowed(text, "/open")
        assert not allowed(text, "/internal")

    @pytest.mark.parametrize(
        ("agent", "token", "named"),
        [
            ("TeaBot/2.0 (+https://tea.example/bot)", "teabot", True),
            ("TeaBot", "TEABOT", True),
            ("TeaBot", "TeaBot/9.9", True),
            ("TeaBot-News/1.0", "teabot-news", True),
            ("TeaBot-News/1.0", "teabot", True),
            ("7thBot/1.0", "7thbot", True),
            ("Mozilla/5.0 (compatible; TeaBot/2.0; +https://tea.example)", "teabot", True),
            ("TeaBot/2.0", "tea", False),
            ("TeaBot/2.0", "bot", False),
            ("TeaBot/2.0 (+https://tea.example/bot)", "tea.example", False),
            ("TeaBot/2.0 (+https://example.org/otherbot/1.0)", "otherbot", False),
        ],
    )
    def test_a_token_names_the_whole_product_or_its_part_before_a_hyphen(
        self, agent: str, token: str, named: bool
    ) -> None:
        assert allowed(f"User-agent: {token}\nDisallow: /", "/a", agent) is not named

    def test_the_most_specific_token_wins(self) -> None:
        text = "User-agent: teabot\nDisallow: /\n\nUser-agent: teabot-news\nDisallow: /a"
        assert allowed(text, "/b", "TeaBot-News/1.0")
        browser = "Mozilla/5.0 (compatible; TeaBot/2.0)"
        assert allowed("User-agent: mozilla\nDisallow: /\n\nUser-agent: teabot\nDisallow: /a", "/b", browser)

    def test_rules_before_any_agent_are_nobodys(self) -> None:
        assert allowed("Disallow: /\nUser-agent: *\nDisallow: /a", "/b")


class TestRules:
    @pytest.mark.parametrize(
        ("pattern", "matching", "others"),
        [
            ("/", ["/", "/a", "/?q"], []),
            ("/fish", ["/fish", "/fish.html", "/fish/salmon", "/fish?id=1"], ["/Fish", "/catfish", "/?id=fish"]),
            ("/fish/", ["/fish/", "/fish/?id=1"], ["/fish", "/fish.html"]),
            ("/*.php", ["/a.php", "/a/b.php?x", "/a.php5/"], ["/", "/a.PHP"]),
            ("/*.php$", ["/a.php", "/a/b.php"], ["/a.php?x", "/a.php/", "/a.php5"]),
            ("/fish*.php", ["/fish.php", "/fishheads/catfish.php?x"], ["/Fish.PHP", "/fish"]),
            ("/*q=", ["/?q=tea", "/a?b=1&q="], ["/", "/q/"]),
            ("/*?", ["/?", "/a?b"], ["/a", "/a%3Fb"]),
            ("*/print", ["/a/print", "/print"], ["/sprint"]),
            ("/$", ["/"], ["/a", "/?"]),
            ("/a$b", ["/a$b", "/a%24bc"], ["/a", "/ab"]),
            ("/a**b$", ["/ab", "/axb"], ["/abc"]),
            ("/x*x$", ["/xx", "/xyx"], ["/x"]),
            ("forgotten", ["/forgotten/slash"], ["/"]),
        ],
    )
    def test_wildcards_and_ends(self, pattern: str, matching: list[str], others: list[str]) -> None:
        text = for_all(f"Disallow: {pattern}")
        assert [path for path in matching if allowed(text, path)] == []
        assert [path for path in others if not allowed(text, path)] == []

    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("/grün", "/gr%C3%BCn"),
            ("/gr%c3%bcn", "/grün"),
            ("/a%7Eb", "/a~b"),
            ("/~b", "/%7eb"),
            ("/%62%61%7A", "/baz"),
            ("/a b", "/a%20b"),
            ("/*q=:price:", "/?q=%3Aprice%3A"),
            ("/*q=%3aprice", "/?q=:price"),
            ("/?u=https%3A%2F%2Fa.example", "/?u=https://a.example"),
            ("/*?u=*%2Fb", "/?u=a/b"),
            ("/a%2Ab", "/a*b"),
            ("/a%24", "/a$"),
            ("/100%", "/100%25"),
        ],
    )
    def test_spellings_of_one_address_are_one(self, pattern: str, path: str) -> None:
        assert not allowed(for_all(f"Disallow: {pattern}"), path)

    @pytest.mark.parametrize(
        ("pattern", "path"),
        [("/a%2Fb", "/a/b"), ("/a/b", "/a%2Fb"), ("/a%2Ab", "/axb"), ("/a%3Fb", "/a?b"), ("/a%26b", "/a&b")],
    )
    def test_an_escape_that_changes_the_meaning_stays_apart(self, pattern: str, path: str) -> None:
        assert allowed(for_all(f"Disallow: {pattern}"), path)

    @pytest.mark.parametrize(
        ("lines", "path", "expected"),
        [
            (["Disallow: /", "Allow: /open"], "/open/a", True),
            (["Allow: /open", "Disallow: /open/secret"], "/open/secret", False),
            (["Disallow: /a", "Allow: /a"], "/a", True),
            (["Allow: /*.html", "Disallow: /page"], "/page.html", True),
            (["Allow: /page", "Disallow: /*.html"], "/page.html", False),
            (["Disallow:", "Allow:"], "/a", True),
            (["Disallow: /a", "Disallow:"], "/a", False),
            (["Allow: /", "Disallow: /"], "/a", True),
        ],
    )
    def test_the_longest_pattern_decides_and_allow_wins_a_tie(
        self, lines: list[str], path: str, expected: bool
    ) -> None:
        assert allowed(for_all(*lines), path) is expected
        assert allowed(for_all(*reversed(lines)), path) is expected

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("http://old.shop.example/", True),
            ("https://other.example/private", True),
            (f"{HOST}/private", False),
            ("HTTPS://SHOP.EXAMPLE/private", False),
        ],
    )
    def test_an_absolute_rule_counts_for_its_own_host(self, value: str, expected: bool) -> None:
        assert allowed(for_all(f"Disallow: {value}"), "/private") is expected
        assert allowed(for_all(f"Disallow: {value}"), "/open")

    def test_robots_txt_itself_is_always_allowed(self) -> None:
        assert allowed(for_all("Disallow: /"), "/robots.txt")
        assert RobotsRules.disallow_all().allows(f"{HOST}/robots.txt", AGENT)
        assert not allowed(for_all("Disallow: /"), "/robots.txt.bak")

    @pytest.mark.parametrize("url", [HOST, f"{HOST}?q=1", f"{HOST}/#part", "https://me@shop.example/"])
    def test_an_address_without_path_is_the_root(self, url: str) -> None:
        assert not rules(for_all("Disallow: /")).allows(url, AGENT)
        assert rules(for_all("Disallow: /a")).allows(url, AGENT)

    def test_a_pattern_of_stars_takes_no_longer_than_others(self) -> None:
        assert allowed(for_all("Disallow: /" + "*a" * 2_000 + "*b"), "/" + "a" * 100_000)


pattern_texts = st.text(alphabet="ab/*$?", max_size=12).map(lambda text: f"/{text}")
path_texts = st.text(alphabet="ab/?", max_size=16).map(lambda text: f"/{text}")


@given(pattern_texts, path_texts)
@example("/*a*a*b$", "/aab")
@example("/a*", "/a")
@example("/*$", "/")
def test_matching_agrees_with_a_regular_expression(pattern: str, path: str) -> None:
    end = r"\Z" if pattern.endswith("$") else ""
    parts = pattern.removesuffix("$").split("*")
    expression = ".*".join(re.escape(part) for part in parts) + end
    assert Rule(pattern, allow=False).matches(target_of(HOST + path)) is bool(re.match(expression, path, re.DOTALL))


rule_lines = st.lists(
    st.tuples(st.sampled_from(["Allow", "Disallow"]), st.text(alphabet="ab/*", max_size=6)), min_size=1, max_size=5
)


@given(rule_lines, st.text(alphabet="ab/" + string.digits, max_size=10))
def test_decisions_agree_with_protego_where_both_follow_the_rfc(lines: list[tuple[str, str]], path: str) -> None:
    text = for_all(*(f"{field}: /{pattern}" for field, pattern in lines))
    theirs = Protego.parse(text).can_fetch(f"{HOST}/{path}", "teabot")
    assert allowed(text, f"/{path}") is theirs


class TestCrawlDelay:
    @pytest.mark.parametrize(
        ("value", "seconds"),
        [("10", 10), ("0.5", 0.5), ("2,5", 2.5), ("3 s", 3), ("5 seconds", 5), ("0", 0), ("00010", 10)],
    )
    def test_numbers_are_seconds(self, value: str, seconds: float) -> None:
        assert rules(for_all(f"Crawl-Delay: {value} # please")).crawl_delay(AGENT) == seconds

    @pytest.mark.parametrize("value", ["", "-1", "nan", "inf", "1e9", "soon", "1/5", "9" * 400])
    def test_what_is_no_number_counts_as_nothing(self, value: str) -> None:
        assert rules(for_all(f"Crawl-delay: {value}")).crawl_delay(AGENT) is None
        assert rules(for_all("Crawl-delay: 3", f"Crawl-delay: {value}")).crawl_delay(AGENT) == 3

    def test_of_several_the_longest_counts(self) -> None:
        assert (
            rules(for_all("Crawl-delay: 3", "Crawl-delay: 7", "Disallow: /a", "Crawl-delay: 5")).crawl_delay(AGENT) == 7
        )

    def test_it_belongs_to_its_group_and_ends_the_list_of_agents(self) -> None:
        text = "User-agent: a\nCrawl-delay: 900\nUser-Agent: b \nCrawl-delay: 800\n\nUSER-AGENT: *\nCrawl-delay: 20"
        assert rules(text).crawl_delay("TeaBot") == 20
        assert rules(text).crawl_delay("a/1.0") == 900

    def test_nobody_asked_is_none(self) -> None:
        assert rules("").crawl_delay(AGENT) is None


class TestSitemaps:
    def test_they_stand_anywhere_each_once_and_absolute(self) -> None:
        text = """Sitemap: https://shop.example/a.xml # the main one
            User-agent: *
            SITEMAP: /maps/b.xml
            Disallow: /
            sitemap:https://cdn.example/c.xml
            Site-map: https://shop.example/a.xml"""
        assert rules(text).sitemaps() == (f"{HOST}/a.xml", f"{HOST}/maps/b.xml", "https://cdn.example/c.xml")
        assert not allowed(text, "/x"), "the group goes on after a sitemap line"

    @pytest.mark.parametrize(
        "value", ["", "/robots.txt", f"{HOST}/robots.txt#x", "mailto:a@b", "https://[", "no such file"]
    )
    def test_itself_and_what_is_no_address_are_left_out(self, value: str) -> None:
        assert rules(f"Sitemap: {value}\nSitemap: /s.xml").sitemaps() == (f"{HOST}/s.xml",)


class TestStatus:
    BODY = for_all("Disallow: /a").encode()

    @pytest.mark.parametrize(
        ("status", "a", "b", "temporary"),
        [
            (200, False, True, False),
            (206, False, True, False),
            (301, True, True, False),
            (401, True, True, False),
            (403, True, True, False),
            (404, True, True, False),
            (410, True, True, False),
            (429, False, False, True),
            (500, False, False, True),
            (503, False, False, True),
            (599, False, False, True),
            (0, False, False, True),
        ],
    )
    def test_the_status_decides_before_the_body(self, status: int, a: bool, b: bool, temporary: bool) -> None:
        found = rules_for_status(status, self.BODY, f"{HOST}/robots.txt")
        assert (found.allows(f"{HOST}/a", AGENT), found.allows(f"{HOST}/b", AGENT)) == (a, b)
        assert found.temporary is temporary
