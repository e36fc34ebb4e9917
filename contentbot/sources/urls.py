"""One spelling for every web address: the key that pages are told apart by.

What is changed is what RFC 3986 section 6 and the URL Standard call equivalent, and what only says how a visitor came:
tracking parameters and session ids. Parameters that may choose content (`ref`, `id`, `page`, `lang`) stay, and
their order stays: two orders may be two pages.
"""

import ipaddress
import re
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

import idna

# twice the 2,048 that sitemaps.org allows a location: letters outside of ASCII grow when they are encoded
MAX_LENGTH = 4_096

_CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))
_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "/%:@!$&'()*+,;=~"
_QUERY_SAFE = "/%:@!$&'()*+,;=~?[]"
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*", re.ASCII
)

_VISITOR = re.compile(
    r"""utm_.+ | (?:mtm|matomo|piwik)_.+ | pk_(?:campaign|kwd|keyword|source|medium|content|cid) | hsa_.+ | _ga_.+
      | fbclid | gclid | gclsrc | dclid | [gw]braid | msclkid | yclid | ttclid | twclid | rdt_cid | wickedid | srsltid
      | fb_(?:action_ids|action_types|source|ref) | _g[al] | mc_[ce]id | mkt_tok | igshid? | li_fat_id | epik | _kx
      | _hs(?:enc|mi) | __hs(?:sc|tc|fp) | hsctatracking | vero_(?:id|conv) | oly_(?:anon|enc)_id | _openstat | wt_mc
      | at_(?:campaign|medium|custom[0-9]+) | s_kwcid | s_cid | ef_id
      | phpsessid | jsessionid | aspsessionid.* | asp\.net_sessionid | cfid | cftoken | zenid | oscsid""",
    re.VERBOSE | re.IGNORECASE,
)
# these names choose content on some sites; only a value that can be nothing but a session's is dropped
_SESSION = re.compile(r"(?:sid|session|sessionid|session_id)=[0-9a-f]{32,}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sessionid|cfid|cftoken)(?:=[^;/]*)?(?=[;/]|$)", re.IGNORECASE)


def clean_url(url: str, base: str = "") -> str:
    """Return the address as it is stored and compared; cleaning it again changes nothing.

    The result is absolute, http or https, without fragment, userinfo, default port, dot segments, session ids,
    tracking parameters and repetitions of the same name and value; its host is lower-case and in ASCII, its path and
    query hold upper-case percent-encoded UTF-8. `www.` stays: whether it is a twin is for the site to say.

    Args:
        url: absolute, or relative to `base`; the white space and line breaks of a document around it do not count.

    Raises:
        ValueError: it is no web address; the message says why.
    """
    parts = urlsplit(_absolute(url, base))
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError(f"not a web address: {parts.scheme or 'no'} scheme" + ("" if parts.scheme else " and no base"))
    cleaned = urlunsplit((parts.scheme, _origin(parts), _path(parts.path), _query(parts.query), ""))
    if len(cleaned) > MAX_LENGTH:
        raise ValueError(f"not a usable web address: {len(cleaned)} characters are over {MAX_LENGTH}")
    return cleaned


def _absolute(url: str, base: str) -> str:
    plain = re.sub(r"[\t\r\n]", "", url.strip(_CONTROLS_AND_SPACE))
    before, mark, query = plain.partition("?")
    # the URL Standard reads a backslash as a slash, and so does every browser
    plain = before.replace("\\", "/") + mark + query
    return urljoin(base.strip(), plain) if base else plain


def _origin(parts: SplitResult) -> str:
    host = _host(parts.hostname or "")
    port = parts.port
    return host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"


def _host(host: str) -> str:
    if not host:
        raise ValueError("not a web address: no host")
    if ":" in host and "%" not in host:
        return f"[{ipaddress.IPv6Address(host).compressed}]"
    name = host.rstrip(".").lower()
    if not name.isascii():
        name = idna.encode(name, uts46=True).decode()
    if not _HOST.fullmatch(name):
        raise ValueError(f"not a web address: {host!r} is no host name")
    return name


def _path(path: str) -> str:
    encoded = _SESSION_IN_PATH.sub("", _encoded(path, _PATH_SAFE))
    return _without_dots(encoded or "/")


def _query(query: str) -> str:
    pairs = dict.fromkeys(_encoded(pair, _QUERY_SAFE) for pair in query.split("&"))
    return "&".join(pair for pair in pairs if pair and not _names_the_visitor(pair))


def _names_the_visitor(pair: str) -> bool:
    name = unquote(pair.partition("=")[0]).strip()
    return bool(_VISITOR.fullmatch(name) or _SESSION.fullmatch(pair))


def _encoded(text: str, safe: str) -> str:
    """Percent-encode what must be, decode what need not be (RFC 3986, 6.2.2.2), and mend a `%` that starts nothing."""
    mended = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return re.sub(r"%[0-9A-Fa-f]{2}", _smallest, quote(mended, safe=safe))


def _smallest(match: re.Match[str]) -> str:
    byte = int(match[0][1:], 16)
    return chr(byte) if byte in _UNRESERVED else match[0].upper()


def _without_dots(path: str) -> str:
    """Resolve `.` and `..` (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
