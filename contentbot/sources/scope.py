"""Which addresses belong to a source, and under which one of them a page is stored."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from contentbot.errors import NoContent
from contentbot.sources.globs import AntGlob, decoded_path
from contentbot.sources.models import Source
from contentbot.sources.urls import clean_url

# a path that says the same four times in a row comes from a relative link that resolves to itself, without end
# other names of a home page: /index.html, /home, /de, /en-us/
_HOME = re.compile(r"/(?:(?:index|home|start|default)(?:\.\w+)?|[a-z]{2}(?:-[a-z]{2})?)?/?", re.IGNORECASE)
_LOOP = re.compile(r"(/[^/]+(?:/[^/]+){0,4})\1\1\1(?=/|$)")


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a page is in, and why.

    Attributes:
        reason: `included`, `not_included`, `excluded`, `off_site` or `loop`.
        rule: the pattern or the host that decided; empty when there is none to name.
        worth_asking: the listed address does not match, but the one that its redirects end on might.
    """

    included: bool
    reason: str
    rule: str = ""
    worth_asking: bool = False


class Scope:
    """The address rules of one source; picklable.

    All methods take addresses in the source's own space: where a copy is crawled, they are mapped back before.
    """

    def __init__(self, source: Source) -> None:
        self._follow_canonical = source.canonical == "follow"
        self._match_redirects = source.match_redirects
        self._hosts = frozenset(_with_twins([urlsplit(clean_url(source.base_url)).netloc])) | frozenset(source.hosts)
        self._any_host = source.any_host
        self._include = [AntGlob(pattern) for pattern in source.url_include]
        self._exclude = [AntGlob(pattern) for pattern in source.url_exclude]

    def owns(self, url: str) -> bool:
        """Say whether the host is the base-url's, its `www.` twin, or one of `hosts`; http and https are one."""
        return _taken_apart(url)[0] in self._hosts

    def on_site(self, url: str) -> bool:
        """Say whether a page may be here: on a host of the source's own or, for the items of feeds, anywhere."""
        return self._is_on_site(_taken_apart(url)[0])

    def _is_on_site(self, host: str) -> bool:
        return host in self._hosts or (self._any_host and bool(host))

    def decide(self, listed: str, final: str = "") -> Decision:
        """Say whether a page is in: the listed or the final address matches, and neither is excluded or off site.

        Args:
            listed: the address as a sitemap or a link gave it.
            final: the address its redirects ended on; empty as long as it was not asked.
        """
        paths: list[str] = []
        for url in (listed, final) if final else (listed,):
            host, path = _taken_apart(url)
            if not self._is_on_site(host):
                return Decision(False, "off_site", host)
            paths.append(path)
        if pattern := _first_match(self._exclude, paths):
            return Decision(False, "excluded", pattern)
        if any(_LOOP.search(path) for path in paths):
            return Decision(False, "loop")
        if pattern := _first_match(self._include, paths if self._match_redirects else paths[:1]):
            return Decision(True, "included", pattern)
        return Decision(False, "not_included", worth_asking=self._match_redirects and not final)

    def document_url(self, final_url: str, canonical: str) -> str:
        """Return the address that a page is stored under: its canonical where that is ours, else the final one.

        A canonical is not believed where it is broken, out of scope, a step back from https to http, or the home
        page named by another page (a template's mistake that would fold a whole site into one document).

        Raises:
            NoContent: `canonical_offsite`, the page says that it belongs to a foreign host.
        """
        final = clean_url(final_url)
        if not canonical.strip() or not self._follow_canonical:
            return final
        try:
            named = clean_url(canonical, final)
        except ValueError:
            return final
        if not self.on_site(named):
            raise NoContent("canonical_offsite", named)
        return named if self._believable(named, final) else final

    def _believable(self, named: str, final: str) -> bool:
        ours, theirs = urlsplit(final), urlsplit(named)
        downgraded = ours.scheme == "https" and theirs.scheme == "http"
        folded = theirs.path == "/" and not _HOME.fullmatch(ours.path)
        return not downgraded and not folded and self.decide(named).included


def hosts_spoken_to(source: Source, copy: str = "") -> set[str]:
    """Return the hosts that a crawl sends requests to, `www.` left out: two crawls of one would double its rate.

    Args:
        copy: the origin of a copy that is crawled instead; nothing else is asked then.
    """
    if copy:
        return {urlsplit(copy).netloc}
    named = [urlsplit(source.base_url).netloc, *source.hosts]
    return {host.partition(":")[0].lower().removeprefix("www.") for host in named}


def _first_match(globs: Iterable[AntGlob], paths: Iterable[str]) -> str:
    decoded = [decoded_path(path) for path in paths]
    return next((glob.pattern for glob in globs if any(map(glob.matches_decoded, decoded))), "")


def _with_twins(hosts: Iterable[str]) -> Iterable[str]:
    for host in hosts:
        yield host
        yield host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"


def _taken_apart(url: str) -> tuple[str, str]:
    """Return host and path of the cleaned address; both empty when it is no web address."""
    try:
        parts = urlsplit(clean_url(url))
    except ValueError:
        return "", ""
    return parts.netloc, parts.path
