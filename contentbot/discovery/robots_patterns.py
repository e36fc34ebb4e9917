"""The path patterns of robots.txt (RFC 9309, section 2.2.3).

`*` stands for any characters, a final `$` for the end, everything else for itself. Rules and addresses are brought to
one spelling before they are compared (section 2.2.2): UTF-8 is percent-encoded, escapes of characters that need none
are undone, hexadecimal digits are upper-case.
"""

import re
import string
from functools import lru_cache
from urllib.parse import quote, urlsplit

# characters that mean the same with and without an escape; the others keep the form they came in
_SAME = frozenset(string.ascii_letters + string.digits + "-._~" + "!'(),;:@")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9._~!'(),;:@/?&=+#-]")
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Rule:
    """One allow or disallow line."""

    __slots__ = ("_anchored", "_first", "_rest", "allow", "length")

    def __init__(self, path: str, *, allow: bool) -> None:
        self.allow = allow
        self._anchored = path.endswith("$")
        # cut at the wildcards afterwards: whether a slash is one of a query shows only in the whole
        first, *rest = _canonical(path.removesuffix("$"), kept="*").split("*")
        self._first, self._rest = first, tuple(rest)
        self.length = len(first) + sum(len(part) + 1 for part in rest) + self._anchored

    def matches(self, target: str) -> bool:
        """Say whether the pattern covers the target, which `target_of` made.

        Every part is looked for at its leftmost place: if any match exists, that one does, and nothing is tried twice.
        """
        if not target.startswith(self._first):
            return False
        at, last = len(self._first), len(self._rest) - 1
        if last < 0:
            return not self._anchored or at == len(target)
        for number, part in enumerate(self._rest):
            if number == last and self._anchored:
                return target.endswith(part) and len(target) - len(part) >= at
            at = target.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return True


def rule_path(value: str, url: str) -> str:
    """Return the path pattern that a line's value means in the robots.txt at `url`; empty when it means none.

    An absolute address counts for its own host only. A path whose slash was forgotten gets it.
    """
    if _ABSOLUTE.match(value):
        if _host(value) != _host(url):
            return ""
        value = _ORIGIN.sub("", value, count=1) or "/"
    return value if not value or value[0] in "/*" else f"/{value}"


@lru_cache(maxsize=4096)
def target_of(url: str) -> str:
    """Return what the rules are compared with: path and query in their one spelling."""
    path = _ORIGIN.sub("", url, count=1).partition("#")[0]
    return _canonical(path if path.startswith("/") else f"/{path}")


def _canonical(text: str, kept: str = "") -> str:
    respelled = _ESCAPE.sub(lambda found: found[0] if found[0] == kept else _respelled(found), text)
    path, mark, query = respelled.partition("?")
    # within a query a slash is as good as its escape
    return path + mark + query.replace("%2F", "/")


def _respelled(found: re.Match[str]) -> str:
    if found[1]:
        character = chr(int(found[1], 16))
        return character if character in _SAME else f"%{found[1].upper()}"
    return quote(found[0], safe="", errors="replace")


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
