"""What may be asked for at all: http and https, a port that web servers use, no credentials."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from contentbot.errors import NotLoaded
from contentbot.loading.hosts import literal_address
from contentbot.sources.urls import clean_url

# ports below 1024 that serve the web, and of the others those that belong to protocols which a request could reach
# (https://fetch.spec.whatwg.org/#port-blocking, and what is often left open)
_WEB_PORTS = frozenset({80, 81, 443, 591})
_FOREIGN_PORTS = frozenset(
    {1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900}
    | {6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9100, 9200, 9300, 10080, 10250, 11211, 27017}
)
_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """An address that may be asked for: `url` in its one spelling, and its parts; `host` has no brackets."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port, as a robots.txt belongs to them."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


def target_of(url: str, base: str = "") -> Target:
    """Check an address and return it as it is asked for.

    Args:
        url: what somebody wrote, or a Location header.
        base: what it is relative to.

    Raises:
        NotLoaded: `invalid_url`; no secret that the address holds is repeated.
    """
    try:
        if "@" in _authority(url):
            raise NotLoaded("invalid_url", "the address holds a user name or password: leave them out")
        cleaned = _with_plain_host(clean_url(url, base))
        parts = urlsplit(cleaned)
        port = (443 if parts.scheme == "https" else 80) if parts.port is None else parts.port
    except ValueError as error:
        raise NotLoaded("invalid_url", _about(url, error)) from error
    if port not in _WEB_PORTS and (port < 1024 or port in _FOREIGN_PORTS):
        raise NotLoaded("invalid_url", f"port {port} is none of the web")
    return Target(cleaned, parts.scheme, parts.hostname or "", port)


def _authority(url: str) -> str:
    plain = re.sub(r"[\t\r\n]", "", url).replace("\\", "/")
    return re.split(r"[/?#]", plain.partition("//")[2], maxsplit=1)[0]


def _with_plain_host(url: str) -> str:
    """Return the address with the number of its host in the usual spelling, so that nobody reads it otherwise."""
    parts = urlsplit(url)
    address = literal_address(parts.netloc.partition(":")[0]) if "[" not in parts.netloc else None
    if address is None:
        return url
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{address}{port}").geturl()


def _about(url: str, error: ValueError) -> str:
    match = _SCHEME.match(url)
    if match and match[1].lower() not in ("http", "https") and "." not in match[1]:
        return f"only http and https are loaded, not {match[1].lower()[:20]}"
    return f"{url[:200]!r} cannot be loaded: {error}" if "@" not in url else "it is no web address"
