"""robots.txt as RFC 9309 has it: which addresses an agent may fetch, how long it waits, where the sitemaps are.

Protego, the parser that Scrapy brings, differs where this project has promised to be exact: it takes an agent token for
any substring of the user agent, lets absolute addresses of other hosts through as rules, and matches by regular
expressions that backtrack. Here no pattern costs more than the length of the address times its own.
"""

import math
import re
from collections.abc import Iterator
from typing import Self
from urllib.parse import urlsplit

from w3lib.encoding import read_bom

from contentbot.discovery.entries import resolve
from contentbot.discovery.robots_patterns import Rule, rule_path, target_of

MAX_BYTES = 500 << 10  # RFC 9309, section 2.5: at least 500 kibibytes have to be read

_BREAK = re.compile(r"\r\n?|\n")
# spellings that the large engines take for the field that was meant
_FIELDS = {
    "user-agent": "user-agent",
    "useragent": "user-agent",
    "user agent": "user-agent",
    "allow": "allow",
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "crawl-delay": "crawl-delay",
    "crawldelay": "crawl-delay",
    "sitemap": "sitemap",
    "site-map": "sitemap",
}
_PRODUCT = re.compile(r"([\w-]+)(/[\w.]+)?")
_ADDRESS = re.compile(r"https?://\S*")
_BROWSERS = frozenset({"mozilla", "applewebkit", "chrome", "safari", "gecko", "firefox"})
_SECONDS = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*(?:s|sec|seconds?)?", re.IGNORECASE)


class _Group:
    """What one agent is told, from however many places in the file."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.delay: float | None = None

    def allows(self, target: str) -> bool:
        # sorted: the longest pattern decides, an allow before a disallow of the same length (section 2.2.2)
        return next((rule.allow for rule in self.rules if rule.matches(target)), True)


class RobotsRules:
    """The rules of one host.

    `temporary` tells that they stand in for a file that could not be fetched: ask again before long.
    """

    def __init__(self, groups: dict[str, _Group], sitemaps: tuple[str, ...] = (), *, temporary: bool = False) -> None:
        self._groups, self._sitemaps, self.temporary = groups, sitemaps, temporary

    @classmethod
    def parse(cls, body: bytes, url: str) -> Self:
        """Read a robots.txt.

        Never fails: lines that mean nothing are passed over, bytes that are no UTF-8 are replaced, and what stands
        beyond MAX_BYTES does not count.

        Args:
            body: what was downloaded.
            url: where it came from: the base of relative sitemap lines, and the host whose absolute rules count.
        """
        groups: dict[str, _Group] = {}
        sitemaps: dict[str, None] = {}
        agents: list[_Group] = []
        open_for_agents = False
        for field, value in _lines(body):
            if field == "user-agent":
                if not open_for_agents:
                    agents, open_for_agents = [], True
                agents.append(groups.setdefault(_agent_token(value), _Group()))
            elif field == "sitemap":  # belongs to no group and ends none (section 2.2.4)
                sitemaps.update(dict.fromkeys(_sitemap(value, url)))
            else:
                open_for_agents = False
                _tell(agents, field, value, url)
        for group in groups.values():
            group.rules.sort(key=lambda rule: (-rule.length, not rule.allow))
        return cls(groups, tuple(sitemaps))

    @classmethod
    def allow_all(cls) -> Self:
        """Return the rules of a host that has no robots.txt (section 2.3.1.3)."""
        return cls({})

    @classmethod
    def disallow_all(cls) -> Self:
        """Return the rules of a host whose robots.txt cannot be reached for now (section 2.3.1.4)."""
        group = _Group()
        group.rules.append(Rule("/", allow=False))
        return cls({"*": group}, temporary=True)

    def allows(self, url: str, user_agent: str) -> bool:
        """Say whether the agent may fetch `url`, which is on this host. `/robots.txt` itself is always allowed."""
        target = target_of(url)
        if target == "/robots.txt":
            return True
        group = self._group(user_agent)
        return group is None or group.allows(target)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the seconds between two requests that the agent's group asks for, the longest if it names several."""
        group = self._group(user_agent)
        return group.delay if group else None

    def sitemaps(self) -> tuple[str, ...]:
        """Return the absolute addresses of the sitemap lines, each once, in the file's order."""
        return self._sitemaps

    def _group(self, user_agent: str) -> _Group | None:
        """Return the group of the most specific token that names the agent, else that of `*`."""
        return next(
            (self._groups[token] for token in _tokens(user_agent) if token in self._groups), self._groups.get("*")
        )


def rules_for_status(status: int, body: bytes, url: str) -> RobotsRules:
    """Return the rules that the answer to a request for robots.txt means (section 2.3.1).

    A client error means that there are no rules, 401 and 403 included. 429 is the exception: as with the large engines,
    and against the letter of the RFC, it counts as a server error, for it says "not now". What redirected more than
    five times is unavailable, which means no rules.

    Args:
        status: the HTTP status of the last answer; 0 when there was none.
        body: its body.
        url: the address that answered.
    """
    if 200 <= status < 300:
        return RobotsRules.parse(body, url)
    if 300 <= status < 500 and status != 429:
        return RobotsRules.allow_all()
    return RobotsRules.disallow_all()


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the known fields, by their proper names, with their values."""
    charset, mark = read_bom(body)
    # one byte more shows whether the last line was cut
    text = body[len(mark or b"") : MAX_BYTES + 1].decode(charset or "utf-8", "replace")
    lines = _BREAK.split(text)
    if len(body) > MAX_BYTES:
        lines.pop()  # half a path forbids or allows something else
    for line in lines:
        content = line.partition("#")[0].strip()
        name, colon, value = content.partition(":")
        if not colon:  # `Disallow /path`
            name, _, value = content.partition(" ")
            name = name if value else ""
        if field := _FIELDS.get(name.strip().lower()):
            yield field, value.strip()


def _tell(agents: list[_Group], field: str, value: str, url: str) -> None:
    if field == "crawl-delay":
        seconds = _seconds(value)
        for group in agents:
            group.delay = group.delay if seconds is None else max(seconds, group.delay or 0.0)
        return
    path = rule_path(value, url)
    if path:
        rule = Rule(path, allow=field == "allow")
        for group in agents:
            group.rules.append(rule)


def _agent_token(value: str) -> str:
    """Return the token of a user-agent line, its version dropped; any spelling is one, `7thBot` too."""
    words = value.lower().split()
    return words[0].partition("/")[0] if words else ""


def _tokens(user_agent: str) -> list[str]:
    """Return what may name the agent: its product tokens, each shortened at its hyphens, most specific first.

    `News-Bot/2.0 (+https://example.org)` answers to `news-bot`, then to `news`. Of a user agent that begins like a
    browser's, the browser's tokens count last.
    """
    found = list(_PRODUCT.finditer(_ADDRESS.sub("", user_agent.lower())))
    names = [match[1] for match in found if match[2]] or [match[1] for match in found[:1]]
    parents = [name[:at] for name in names for at in range(1, len(name)) if name[at] in "-_"]
    return sorted({*names, *parents}, key=lambda name: (name in _BROWSERS, -len(name)))


def _seconds(value: str) -> float | None:
    match = _SECONDS.fullmatch(value)
    seconds = float(match[1].replace(",", ".")) if match else math.nan
    return seconds if math.isfinite(seconds) else None


def _sitemap(value: str, url: str) -> Iterator[str]:
    found = resolve(value, url)
    if not isinstance(found, str):
        return
    here, there = urlsplit(url), urlsplit(found)
    if (there.netloc.lower(), there.path) != (here.netloc.lower(), here.path or "/robots.txt"):
        yield found
