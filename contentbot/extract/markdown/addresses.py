"""Addresses of links and images: absolute, and spelled so that Markdown reads them as one word."""

import re
from urllib.parse import urljoin, urlsplit

_NO_ADDRESS = re.compile(r"(?!(?:https?|mailto|tel|sms|ftp|geo|xmpp|magnet|sip|news|irc):)[a-z][a-z0-9+.-]*:", re.I)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_UNSAFE = re.compile(r"[ <>\\`\u00a0\u2028\u2029]|[()]")
_BALANCED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")


def link_address(href: str, base_url: str) -> str:
    """Return where a link leads; empty for scripts, inline data and what is no address."""
    href = _CONTROLS.sub("", href).strip()
    if not href or _NO_ADDRESS.match(href):
        return ""
    return _spelled(_absolute(href, base_url))


def image_address(source: str, base_url: str) -> str:
    """Return where an image is; empty for inline data and what is no address."""
    address = link_address(source, base_url)
    return address if address[:4].lower() in ("http", "ftp:") or not urlsplit_scheme(address) else ""


def urlsplit_scheme(address: str) -> str:
    """Return the scheme of an address in lower case, empty when it has none."""
    head, colon, _ = address.partition(":")
    return head.lower() if colon and head.isalnum() else ""


def _absolute(href: str, base_url: str) -> str:
    if href.startswith(("https://", "http://", "mailto:")) and "[" not in href:
        return href
    try:
        return urljoin(base_url, href)
    except ValueError:  # http://[: a bracket that starts no IPv6 address
        return ""


def _spelled(address: str) -> str:
    if not _UNSAFE.search(address):
        return address
    keep_parentheses = bool(_BALANCED.fullmatch(address))
    return _UNSAFE.sub(lambda sign: sign[0] if keep_parentheses and sign[0] in "()" else _encoded(sign[0]), address)


def _encoded(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode())


def host_of(address: str) -> str:
    """Return the host of an address for display, without `www.`; empty when there is none."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def useful_title(title: str, shown: str, address: str) -> str:
    """Return the title of a link or an image where it says more than its text or its address does."""
    title = " ".join(title.split())
    plain = re.sub(r"\W+", "", title).casefold()
    if not plain or plain in re.sub(r"\W+", "", shown).casefold() or plain in re.sub(r"\W+", "", address).casefold():
        return ""
    return title
