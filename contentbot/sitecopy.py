"""The two names of a site of which a copy is crawled: its own, and the one the copy answers to."""

import re
from urllib.parse import urlsplit

from contentbot.errors import ConfigError


class NotInCopy(Exception):
    """The address belongs to another host than the one the copy stands for."""


class SiteCopy:
    """The two names of one site.

    Args:
        own: the source's base URL, such as `https://docs.example/guide/`.
        copy: the origin where the copy answers, such as `http://127.0.0.1:8801`.
    """

    def __init__(self, own: str, copy: str) -> None:
        self._own = _origin(own)
        self._copy = _copy_origin(copy, own)
        self._hosts = _twins(urlsplit(own).hostname or "")
        # as it stands in HTML, and as JSON in a script escapes it; another port is another origin
        pattern = re.escape(self._copy).replace("/", r"(?:\\?/)")
        self._in_text = re.compile(pattern.encode() + rb"(?![\w:-]|\.\w)", re.IGNORECASE)

    @property
    def origin(self) -> str:
        """Where the copy answers, such as `http://127.0.0.1:8801`."""
        return self._copy

    def outward(self, url: str) -> str:
        """Return where the copy answers for this address of the site; raises `NotInCopy`."""
        parts = urlsplit(url)
        if (parts.hostname or "") not in self._hosts:
            raise NotInCopy(f"the copy at {self._copy} does not stand for {parts.hostname}")
        return self._copy + (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def inward(self, text: bytes) -> bytes:
        """Return the text with the copy's origin replaced by the site's own."""
        return self._in_text.sub(self._own.encode().replace(b"\\", b"\\\\"), text)

    def inward_url(self, url: str) -> str:
        """Return the site's own address for one of the copy; any other address as it is."""
        return self.inward(url.encode()).decode()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _copy_origin(copy: str, own: str) -> str:
    parts = urlsplit(copy)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
        raise ConfigError(
            "no web address", key="base_url", hint="write the copy's origin, such as http://127.0.0.1:8801"
        )
    if parts.path.rstrip("/") not in {"", urlsplit(own).path.rstrip("/")} or parts.query:
        raise ConfigError("a copy has the paths of its site", key="base_url", hint="write the copy's origin alone")
    return _origin(copy)


def _twins(host: str) -> frozenset[str]:
    bare = host.removeprefix("www.")
    return frozenset({bare, f"www.{bare}"})
