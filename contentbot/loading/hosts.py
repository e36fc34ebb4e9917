"""Hosts of web addresses: the many spellings of a number, and the names that never leave a machine."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

from contentbot.loading.addresses import Address

_NUMBER = re.compile(r"0[xX][0-9A-Fa-f]*|\d+", re.ASCII)
_LOOPBACK = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


def literal_address(host: str) -> Address | None:
    """Return the address that a host spells out, None where it is a name.

    As the URL Standard's IPv4 parser has it (https://url.spec.whatwg.org/#concept-ipv4-parser): a host whose last label
    is a number is an address, of one to four parts, each decimal, octal or hexadecimal, the last one filling the rest:
    `2130706433`, `0x7f.1` and `0177.0.0.1` are all 127.0.0.1.

    Raises:
        ValueError: it has to be an address and is none.
    """
    if host.startswith("["):
        return IPv6Address(host.strip("[]"))
    labels = host.removesuffix(".").split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return None
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        raise ValueError(f"{host!r} is no address")
    *front, last = map(_number, labels)
    if any(number > 255 for number in front) or last >= 256 ** (4 - len(front)):
        raise ValueError(f"{host!r} is no address")
    return IPv4Address(sum(number << 8 * (3 - place) for place, number in enumerate(front)) + last)


def local_addresses(host: str) -> tuple[Address, ...]:
    """Return where a name of this machine leads; empty for every other name. RFC 6761, section 6.3: no DNS is asked."""
    name = host.removesuffix(".").lower()
    return _LOOPBACK if name == "localhost" or name.endswith(".localhost") else ()


def plain_address(text: str) -> Address:
    """Return the address that a resolver gave; its zone, where there is one, stays."""
    return ip_address(text)


def _number(label: str) -> int:
    if label[:2] in ("0x", "0X"):
        return int(label[2:] or "0", 16)
    try:
        return int(label, 8 if label.startswith("0") and label != "0" else 10)
    except ValueError as error:
        raise ValueError(f"{label!r} is no number of an address") from error
