"""From an address to a page: robots.txt first, redirects looked at one by one, all of it within one limit of time."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
from anyio import to_thread

from contentbot.discovery.links import meta_refresh
from contentbot.discovery.robots import RobotsRules, rules_for_status
from contentbot.documents import Page
from contentbot.errors import NotLoaded
from contentbot.loading.addresses import AddressGuard
from contentbot.loading.exchange import Answer, Exchange, retry_after
from contentbot.loading.keeping import Kept
from contentbot.loading.network import GuardedNetwork, Resolver, system_resolver
from contentbot.loading.targets import Target, target_of
from contentbot.loading.turns import Turns
from contentbot.sources.models import USER_AGENT

MAX_HOPS = 8
_ROBOTS_BYTES = 500 << 10
_ROBOTS_HOPS = 5  # RFC 9309, section 2.3.1.2
_ROBOTS_KEPT, _ROBOTS_ASKED_AGAIN = 3600.0, 60.0
_LONGEST_PAUSE = 10.0
_STUB = 64 << 10  # bytes in which a page says that it has moved
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530})
_ACCEPT = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class LoadLimits:
    """Where a load ends.

    Attributes:
        seconds: for all of it, names, robots.txt, redirects and waiting included.
        max_bytes: of a body.
        pause: seconds between two requests to a host.
        kept_seconds: how long a page is answered from memory.
        kept_bytes: of all pages in memory.
    """

    seconds: float = 20.0
    max_bytes: int = 10 << 20
    pause: float = 0.5
    kept_seconds: float = 300.0
    kept_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """A page, the addresses that led to it, the asked one first, and whether it was kept from before."""

    page: Page
    hops: tuple[str, ...] = ()
    kept: bool = False


@dataclass(slots=True)
class _Load:
    """One load on its way."""

    exchange: Exchange
    deadline: float
    headers: Mapping[str, str]
    hops: list[Target] = field(default_factory=list)


class Loader:
    """Loads pages for whoever asks; safe to share between tasks and threads.

    Args:
        guard: which addresses may be connected to.
        limits: of one load.
        user_agent: what is sent, and what robots.txt is read for.
        resolve: host and port to addresses.
        clock: seconds, never going back.
    """

    def __init__(
        self,
        guard: AddressGuard | None = None,
        limits: LoadLimits | None = None,
        *,
        user_agent: str = USER_AGENT,
        resolve: Resolver = system_resolver,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits, self._user_agent, self._clock = limits or LoadLimits(), user_agent, clock
        self._network = GuardedNetwork(guard or AddressGuard(), resolve)
        self._turns = Turns(self._limits.pause, clock)
        self._pages: Kept[Loaded] = Kept(self._limits.kept_seconds, self._limits.kept_bytes, clock)
        self._robots: Kept[RobotsRules] = Kept(_ROBOTS_KEPT, 1_000, clock)

    async def load(self, url: str, *, language: str = "", accept: str = _ACCEPT, fresh: bool = False) -> Loaded:
        """Load a page.

        Args:
            url: absolute, http or https.
            language: a BCP 47 tag; the version in this language is asked for where there are several.
            accept: the media types that are asked for.
            fresh: ask the host even where the page is kept.

        Raises:
            NotLoaded: says by its `kind` why there is no page.
        """
        target = target_of(url)
        key = (target.url, language, accept)
        if not fresh and (kept := self._pages.get(key)):
            return Loaded(kept.page, kept.hops, kept=True)
        headers = {"Accept": accept, **({"Accept-Language": f"{language}, *;q=0.5"} if language else {})}
        deadline = self._clock() + self._limits.seconds
        try:
            with anyio.fail_after(self._limits.seconds):
                async with Exchange(self._network, self._user_agent) as exchange:
                    loaded = await self._follow(target, _Load(exchange, deadline, headers))
        except TimeoutError as error:
            detail = f"over {self._limits.seconds:g} s"
            raise NotLoaded("too_slow", f"{target.host}: {detail}", retryable=True) from error
        if "no-store" not in loaded.page.headers.get("cache-control", "").lower():
            self._pages.put(key, loaded, len(loaded.page.body) + 1_000)
        return loaded

    async def _follow(self, target: Target, load: _Load) -> Loaded:
        while True:
            load.hops.append(target)
            answer = await self._get(target, load)
            onward = target_of(answer.location, target.url) if answer.location else await _sent_on(answer, target)
            if onward is None:
                break
            target = onward
            if target in load.hops or len(load.hops) >= MAX_HOPS:
                raise NotLoaded("redirect_loop", f"{load.hops[0].url} redirects without end")
        if answer.status != 200:
            raise _refused(target, answer)
        hops = tuple(hop.url for hop in load.hops)
        page = Page(hops[0], hops[-1], answer.body, answer.headers, fetched_at=datetime.now(UTC))
        return Loaded(page, hops)

    async def _get(self, target: Target, load: _Load) -> Answer:
        rules = await self._rules(target, load)
        if not rules.allows(target.url, self._user_agent):
            name = self._user_agent.partition("/")[0]
            if rules.temporary:
                raise NotLoaded("robots_unreachable", f"{target.origin}/robots.txt cannot be read", retryable=True)
            raise NotLoaded("robots_disallowed", f"robots.txt asks {name} to stay out of {target.url}")
        asked = min(rules.crawl_delay(self._user_agent) or 0.0, _LONGEST_PAUSE)
        await self._turns.wait(target.host, load.deadline - self._clock(), asked)
        answer = await load.exchange.get(target, self._limits.max_bytes, headers=load.headers)
        if answer.status in (429, 503):
            self._turns.hold(target.host, max(1.0, retry_after(answer.headers)))
        return answer

    async def _rules(self, target: Target, load: _Load) -> RobotsRules:
        if kept := self._robots.get(target.origin):
            return kept
        try:
            rules = await self._ask_robots(target, load)
        except NotLoaded as error:
            if error.kind in ("address_refused", "unknown_host", "invalid_url"):
                raise  # says more than that robots.txt has no answer
            rules = RobotsRules.disallow_all()
        self._robots.put(target.origin, rules, 1, seconds=_ROBOTS_ASKED_AGAIN if rules.temporary else None)
        return rules

    async def _ask_robots(self, target: Target, load: _Load) -> RobotsRules:
        here = at = target_of("/robots.txt", target.url)
        for _ in range(_ROBOTS_HOPS + 1):
            answer = await load.exchange.get(at, _ROBOTS_BYTES, readable=False)
            if not answer.location:
                # the rules count for the origin that was asked, wherever its redirects ended (section 2.3.1.2)
                return rules_for_status(answer.status, answer.body, here.url)
            at = target_of(answer.location, at.url)
        return RobotsRules.allow_all()


async def _sent_on(answer: Answer, target: Target) -> Target | None:
    """Return where a page sends its readers at once, as the stubs of moved pages do; None where it stays."""
    if answer.status != 200 or b"refresh" not in answer.body[:_STUB].lower():
        return None
    content_type = answer.headers.get("content-type", "")
    found = await to_thread.run_sync(meta_refresh, answer.body, target.url, content_type)
    try:
        onward = target_of(found, target.url) if found else None
    except NotLoaded:
        return None
    return None if onward == target else onward


def _refused(target: Target, answer: Answer) -> NotLoaded:
    return NotLoaded(
        "http_status",
        f"{target.url} answers {answer.status}",
        retryable=answer.status in _LATER,
        status=answer.status,
        retry_after=retry_after(answer.headers),
    )
